public import Strata

/// Whatever costs money has a class in the middle, and an excursion is a trip.
public enum TripsV3: VersionedSchema {
    /// 3.0.0
    public static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
    /// The classes of this version.
    public static var models: [any PersistentModel.Type] {
        [Trip.self, PaidTrip.self, BusinessTrip.self, Excursion.self]
    }

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

    /// A journey somebody else pays for.
    @Model
    public class PaidTrip: Trip {
        /// Euros a day.
        public var perdiem: Double?
    }

    /// A journey an employer pays for.
    @Model
    public final class BusinessTrip: PaidTrip {
        /// What it is for.
        public var purpose: String = ""
    }

    /// A day out.
    @Model
    public final class Excursion: Trip {
        /// Euros.
        public var price: Double

        /// A day out at a price.
        public init(name: String, price: Double) {
            self.price = price
            super.init(name: name)
        }
    }
}
