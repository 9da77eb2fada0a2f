public import Strata

/// Guests without an address. What else there is has not changed.
public enum GuestsV1: VersionedSchema {
    /// 1.0.0
    public static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    /// The classes of version 2, but for guests.
    public static var models: [any PersistentModel.Type] { GuestsV2.models.replacing(Guest.self) }

    /// Somebody who visits.
    @Model
    public final class Guest {
        /// What they are called.
        public var name: String
        /// When they came.
        @Relationship(deleteRule: .cascade)
        public var visits: [Visit] = []

        /// A guest who has not come yet.
        public init(name: String) { self.name = name }
    }
}
