public import Strata

/// Trips for business and for pleasure are classes of their own. These are the classes the program works with, so they
/// are not nested here.
public enum SampleTripsSchemaV4: VersionedSchema {
    /// 4.0.0
    public static var versionIdentifier: Schema.Version { Schema.Version(4, 0, 0) }

    /// The classes of this version.
    public static var models: [any PersistentModel.Type] {
        [Trip.self, BusinessTrip.self, PersonalTrip.self, BucketListItem.self, LivingAccommodation.self]
    }
}
