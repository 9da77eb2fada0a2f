import Strata
import StrataMigrations

/// One change of a big table: the stage that the planner makes of it, and the same by hand.
struct MeasuredCase {
    let name: String
    /// Of PostgreSQL 15 on two cores with 5 million rows, in an earlier run by hand; `nil` where there was none.
    let reference: Double?
    let before: [any PersistentModel.Type]
    let after: [any PersistentModel.Type]
    let changes: [SchemaChange]
    /// Fills the tables of `before`.
    let seed: (Workload) -> [String]
    let prototype: (Workload) -> [HandWrittenStep]

    func scripts() throws -> [StageScript] {
        let versions = [
            try FrozenSchema(freezing: Schema(before, version: Schema.Version(1, 0, 0))),
            try FrozenSchema(freezing: Schema(after, version: Schema.Version(2, 0, 0))),
        ]
        return try MigrationChain(versions: versions, stages: [.init(changes: changes)]).scripts(in: "public")
    }

    static var all: [MeasuredCase] { [split, pullUp, pushDown, rename, retype] }

    static var split: MeasuredCase {
        MeasuredCase(
            name: "split", reference: 38.7, before: [FlatTrips.Trip.self],
            after: [SplitTrips.Trip.self, SplitTrips.BusinessTrip.self],
            changes: [.split(SplitTrips.BusinessTrip.self, where: "purpose IS NOT NULL")],
            seed: { workload in
                [
                    workload.trips(
                        "purpose, per_diem",
                        "CASE WHEN \(workload.isBusiness) THEN 'Purpose ' || i % 50 END, CASE WHEN \(workload.isBusiness) THEN 50 + i % 200 END"
                    )
                ]
            }, prototype: HandWrittenStep.split)
    }

    static var pullUp: MeasuredCase {
        MeasuredCase(
            name: "pull-up", reference: 30.8, before: [SplitTrips.Trip.self, SplitTrips.BusinessTrip.self],
            after: [PulledUpTrips.Trip.self, PulledUpTrips.BusinessTrip.self], changes: [],
            seed: { workload in
                [
                    workload.trips("class", "CASE WHEN \(workload.isBusiness) THEN 'BusinessTrip' ELSE 'Trip' END"),
                    """
                    INSERT INTO business_trip (pk, purpose, per_diem)
                    SELECT i, 'Purpose ' || i % 50, 50 + i % 200 FROM generate_series(1, \(workload.rows)) AS i
                    WHERE \(workload.isBusiness)
                    """,
                ]
            }, prototype: HandWrittenStep.pullUp)
    }

    static var pushDown: MeasuredCase {
        MeasuredCase(
            name: "push-down", reference: nil, before: [PulledUpTrips.Trip.self, PulledUpTrips.BusinessTrip.self],
            after: [SplitTrips.Trip.self, SplitTrips.BusinessTrip.self], changes: [],
            seed: { workload in
                [
                    workload.trips(
                        "class, purpose",
                        "CASE WHEN \(workload.isBusiness) THEN 'BusinessTrip' ELSE 'Trip' END, CASE WHEN \(workload.isBusiness) THEN 'Purpose ' || i % 50 END"
                    ),
                    """
                    INSERT INTO business_trip (pk, per_diem)
                    SELECT i, 50 + i % 200 FROM generate_series(1, \(workload.rows)) AS i WHERE \(workload.isBusiness)
                    """,
                ]
            }, prototype: HandWrittenStep.pushDown)
    }

    static var rename: MeasuredCase {
        MeasuredCase(
            name: "rename", reference: nil, before: [FlatTrips.Trip.self], after: [RenamedTrips.Trip.self],
            changes: [.sideBySide(\RenamedTrips.Trip.remarks)],
            seed: { workload in [workload.trips("purpose, per_diem", "'Purpose ' || i % 50, 50 + i % 200")] },
            prototype: HandWrittenStep.rename)
    }

    static var retype: MeasuredCase {
        MeasuredCase(
            name: "retype", reference: 42.7, before: [FlatTrips.Trip.self], after: [RetypedTrips.Trip.self],
            changes: [],
            seed: { workload in [workload.trips("purpose, per_diem", "'Purpose ' || i % 50, 50 + i % 200")] },
            prototype: HandWrittenStep.retype)
    }
}
