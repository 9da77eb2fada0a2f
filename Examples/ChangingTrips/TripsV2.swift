public import Strata

/// Trips for business are a class of their own.
public enum TripsV2: VersionedSchema {
    /// 2.0.0
    public static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    /// The classes of this version.
    public static var models: [any PersistentModel.Type] { [Trip.self, BusinessTrip.self, Excursion.self] }

    /// A journey.
    @Model
    public class Trip {
        /// What it is called.
        public var name: String
        /// What else there is to know.
        public var notes: String = ""

        /// A trip without notes.
        public init(name: String) { self.name = name }
    }

    /// A journey with a daily allowance.
    @Model
    public final class BusinessTrip: Trip {
        /// Euros a day.
        public var perdiem: Double?
    }

    /// A day out.
    @Model
    public final class Excursion {
        /// What it is called.
        public var name: String
        /// Euros.
        public var price: Double

        /// A day out at a price.
        public init(name: String, price: Double) {
            self.name = name
            self.price = price
        }
    }
}
