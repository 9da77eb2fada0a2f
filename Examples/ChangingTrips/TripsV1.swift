public import Strata

/// One class for all trips, and one beside it.
public enum TripsV1: VersionedSchema {
    /// 1.0.0
    public static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    /// The classes of this version.
    public static var models: [any PersistentModel.Type] { [Trip.self, Excursion.self] }

    /// A journey; one with a daily allowance is for business.
    @Model
    public class Trip {
        /// What it is called.
        public var name: String
        /// What else there is to know.
        public var notes: String = ""
        /// Euros a day.
        public var perdiem: Double?

        /// A trip without notes.
        public init(name: String, perdiem: Double? = nil) {
            self.name = name
            self.perdiem = perdiem
        }
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
