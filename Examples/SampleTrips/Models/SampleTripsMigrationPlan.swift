import Foundation
public import Strata

/// Every released version of the sample's model, and what leads from each to the next.
public enum SampleTripsMigrationPlan: SchemaMigrationPlan {
    /// The versions, oldest first.
    public static var schemas: [any VersionedSchema.Type] {
        [SampleTripsSchemaV1.self, SampleTripsSchemaV2.self, SampleTripsSchemaV3.self, SampleTripsSchemaV4.self]
    }

    /// A stage for every pair of neighbours.
    public static var stages: [MigrationStage] { [migrateV1toV2, migrateV2toV3, migrateV3toV4] }

    /// Names become unique: trips of one name become one trip.
    static let migrateV1toV2 = MigrationStage.custom(
        fromVersion: SampleTripsSchemaV1.self, toVersion: SampleTripsSchemaV2.self,
        willMigrate: { context in
            var descriptor = FetchDescriptor<SampleTripsSchemaV1.Trip>(sortBy: [SortDescriptor(\.start_date)])
            descriptor.relationshipKeyPathsForPrefetching = [\.bucketList, \.livingAccommodation]
            var kept: [String: SampleTripsSchemaV1.Trip] = [:]
            for trip in try context.fetch(descriptor) {
                guard let first = kept[trip.name] else {
                    kept[trip.name] = trip
                    continue
                }
                first.end_date = max(first.end_date, trip.end_date)
                for item in trip.bucketList { item.trip = first }
                if first.livingAccommodation == nil, let place = trip.livingAccommodation { place.trip = first }
                context.delete(trip)
            }
            try context.save()
        },
        didMigrate: nil)

    /// Name and dates are unique together: names lose the blanks around them, and what is one trip then becomes one.
    static let migrateV2toV3 = MigrationStage.custom(
        fromVersion: SampleTripsSchemaV2.self, toVersion: SampleTripsSchemaV3.self,
        willMigrate: { context in
            var descriptor = FetchDescriptor<SampleTripsSchemaV2.Trip>(sortBy: [SortDescriptor(\.startDate)])
            descriptor.relationshipKeyPathsForPrefetching = [\.bucketList, \.livingAccommodation]
            let trips = try context.fetch(descriptor)
            var kept = Dictionary(trips.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            for trip in trips {
                let name = trip.name.trimmingCharacters(in: .whitespaces)
                guard name != trip.name else { continue }
                guard let first = kept[name] else {
                    kept[name] = trip
                    trip.name = name
                    continue
                }
                for item in trip.bucketList { item.trip = first }
                if first.livingAccommodation == nil, let place = trip.livingAccommodation { place.trip = first }
                context.delete(trip)
            }
            try context.save()
        },
        didMigrate: nil)

    /// The subclasses are new: trips of before stay plain trips.
    static let migrateV3toV4 = MigrationStage.lightweight(
        fromVersion: SampleTripsSchemaV3.self, toVersion: SampleTripsSchemaV4.self)
}
