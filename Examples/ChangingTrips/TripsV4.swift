public import Strata

/// The class in the middle is gone again, and attributes have other names and types.
public enum TripsV4: VersionedSchema {
    /// 4.0.0
    public static var versionIdentifier: Schema.Version { Schema.Version(4, 0, 0) }
    /// The classes of this version.
    public static var models: [any PersistentModel.Type] { [Trip.self, BusinessTrip.self, Excursion.self] }

    /// A journey.
    @Model
    public class Trip {
        /// What it is called.
        public var name: String
        /// What else there is to know.
        public var summary: String = ""
        /// Where it leads.
        public var country: String
        /// Euros a day.
        public var perdiem: Double?

        /// A trip without notes.
        public init(name: String, country: String) {
            self.name = name
            self.country = country
        }
    }

    /// A journey an employer pays for.
    @Model
    public final class BusinessTrip: Trip {
        /// Whether it was accounted for.
        public var isSettled: Bool = false
    }

    /// A day out.
    @Model
    public final class Excursion: Trip {
        /// Cents.
        public var price: Int

        /// A day out at a price.
        public init(name: String, country: String, price: Int) {
            self.price = price
            super.init(name: name, country: country)
        }
    }
}
