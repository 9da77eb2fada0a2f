public import Strata

/// A hierarchy that is built and taken apart again, without losing a row.
public enum TripsPlan: SchemaMigrationPlan {
    /// The versions, oldest first.
    public static var schemas: [any VersionedSchema.Type] {
        [TripsV1.self, TripsV2.self, TripsV3.self, TripsV4.self]
    }

    /// A stage for every pair of neighbours.
    public static var stages: [MigrationStage] { [splitTrips, insertTheMiddle, removeTheMiddle] }

    /// Rows with an allowance become rows of the subclass.
    static let splitTrips = MigrationStage.lightweight(
        fromVersion: TripsV1.self, toVersion: TripsV2.self,
        changes: [.split(TripsV2.BusinessTrip.self, where: "perdiem IS NOT NULL")])

    /// Where an attribute stands and which class is whose superclass is in the classes: there is nothing to add.
    static let insertTheMiddle = MigrationStage.lightweight(fromVersion: TripsV2.self, toVersion: TripsV3.self)

    /// What two versions alone cannot say.
    static let removeTheMiddle = MigrationStage.lightweight(
        fromVersion: TripsV3.self, toVersion: TripsV4.self,
        changes: [
            .merged(TripsV3.PaidTrip.self, into: TripsV4.Trip.self),
            .dropped(\TripsV3.BusinessTrip.purpose),
            .renamed(\TripsV3.Trip.notes, to: \TripsV4.Trip.summary),
            .filled(\TripsV4.Trip.country, with: "'unknown'"),
            .converted(\TripsV4.Excursion.price, using: "round(price * 100)::bigint"),
            .sql("ANALYZE trip", phase: .contract),
        ])
}
