import StrataModels
import Testing

@testable import StrataMigrations

/// `.ordered` comes to relationships with rows, goes again, and goes along with a rename.
@Suite("Evolution: ordered relationships") struct OrderEvolutionTests {
    private static let step = Int64(1) << 32

    @Test func `rows get positions in the order of their keys`() async throws {
        try await Evolution(OrderModels.unordered, OrderModels.ordered).run(
            seed: OrderModels.rows,
            expecting: """
                SELECT 'stop' AS t, pk, trip AS owner, stops_position / \(Self.step) AS place FROM stop
                UNION ALL SELECT 'note', pk, trip_notes, notes_position / \(Self.step) FROM note
                UNION ALL SELECT 'guest', guest_pk, trip_pk, guests_position / \(Self.step) FROM guest_trips
                UNION ALL SELECT 'trip', trip_pk, guest_pk, trips_position / \(Self.step) FROM guest_trips
                ORDER BY 1, 3, 2
                """,
            is: [
                "guest|1|1|1", "guest|2|1|2", "guest|2|2|1", "note|1|1|1", "note|2|1|2", "stop|1|1|1", "stop|3|1|2",
                "stop|2|2|1", "stop|4|nil|nil", "trip|1|1|1", "trip|1|2|1", "trip|2|2|2",
            ], returning: .whole)
    }

    @Test func `adding an order adds columns, then fills them in batches of owners`() throws {
        let script = try Evolution(OrderModels.unordered, OrderModels.ordered).scripts()[1]
        #expect(
            script.steps.map { "\($0.phase) \($0.title)" } == [
                "expand add columns guest_trips.trips_position, guest_trips.guests_position",
                "expand add column note.notes_position",
                "expand add column stop.stops_position",
                "backfill order Guest.trips by key",
                "backfill order Trip.stops by key",
                "backfill order Trip.guests by key",
                "backfill order Trip.notes by key",
                "contract record version 2.0.0",
            ])
        #expect(
            script.steps.first { $0.title == "order Trip.stops by key" }?.statements == [
                """
                UPDATE "public"."stop" AS t SET "stops_position" = s.place * 4294967296
                FROM (
                    SELECT r."trip" AS own, r."pk" AS other,
                        row_number() OVER (PARTITION BY r."trip" ORDER BY r."pk") AS place,
                        count(r."stops_position") OVER (PARTITION BY r."trip") AS positions
                    FROM "public"."stop" AS r WHERE r."trip" BETWEEN current_setting('strata.batch_first')::bigint \
                AND current_setting('strata.batch_last')::bigint
                ) AS s
                WHERE t."trip" = s.own AND t."pk" = s.other AND s.positions = 0
                """
            ])
    }

    @Test func `removing an order drops its columns`() async throws {
        let evolution = try Evolution(OrderModels.ordered, OrderModels.unordered)
        let script = try evolution.scripts()[1]
        #expect(script.notes.contains("drops the order of Trip.stops"))
        #expect(script.steps.contains { $0.phase == .contract && $0.title == "drop column stop.stops_position" })
        guard case .none(let reason) = script.down else {
            Issue.record("there is a way back")
            return
        }
        #expect(reason.contains("the order of Trip.stops"))
        try await evolution.run(
            seed: OrderModels.rows + OrderModels.positions, expecting: "SELECT pk, trip FROM stop ORDER BY 1",
            is: ["1|1", "2|2", "3|1", "4|nil"],
            returning: .none(
                because:
                    "dropped values cannot come back: the order of Guest.trips, the order of Trip.stops, the order of Trip.guests, the order of Trip.notes"
            ))
    }

    @Test func `an order goes along with its relationship's name`() async throws {
        try await Evolution(OrderModels.ordered, OrderModels.renamed).run(
            seed: OrderModels.rows + OrderModels.positions,
            expecting: "SELECT pk, halts_position FROM stop ORDER BY 1", is: ["1|9", "2|8", "3|7", "4|6"],
            returning: .whole)
    }

    @Test func `an order is part of what a schema means`() throws {
        let evolution = try Evolution(OrderModels.unordered, OrderModels.ordered)
        #expect(evolution.before.fingerprint != evolution.after.fingerprint)
        #expect(
            FrozenSchemaDifference(from: evolution.before, to: evolution.after).lines.contains(
                "Trip.stops: position none → stops_position"))
        let text = evolution.after.canonicalJSON
        #expect(try FrozenSchema(canonicalJSON: text, file: "V2.json") == evolution.after)
        let broken = text.replacing("\"position\": \"stops_position\"", with: "\"position\": \"elsewhere\"")
        let error = #expect(throws: MigrationError.self) {
            try FrozenSchema(canonicalJSON: broken, file: "V2.json")
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("stop.elsewhere"))
    }
}
