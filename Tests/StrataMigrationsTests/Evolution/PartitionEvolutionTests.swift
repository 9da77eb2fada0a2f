import Foundation
import StrataModels
import StrataRepository
import Testing

@testable import StrataMigrations

/// Stages over a class whose table is divided by time.
@Suite("Evolution: partitions") struct PartitionEvolutionTests {
    enum Whole {
        @Model final class Reading {
            #PrimaryKey<Reading>([\.id, \.takenAt])
            var id: UUID
            var takenAt: Date
            init() { (id, takenAt) = (UUID(), Date()) }
        }
    }
    enum Plain {
        @Model final class Sensor {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Reading.sensor) var readings: [Reading] = []
            init() {}
        }
        @Model final class Reading {
            #PrimaryKey<Reading>([\.id, \.takenAt])
            #Partition<Reading>(by: \.takenAt, every: .month)
            #Index<Reading>([\.takenAt])
            #Check<Reading>("named") { $0.note != "nothing" }
            var id: UUID
            var takenAt: Date
            var value: String = "0"
            var note: String = ""
            var old: Int = 0
            var sensor: Sensor?
            init() { (id, takenAt) = (UUID(), Date()) }
        }
    }
    enum Grown {
        @Model final class Sensor {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Reading.sensor) var readings: [Reading] = []
            init() {}
        }
        @Model final class Reading {
            #PrimaryKey<Reading>([\.id, \.at])
            #Partition<Reading>(by: \.at, every: .day)
            #Index<Reading>([\.at])
            #Check<Reading>("named") { $0.text != "something" }
            #Check<Reading>("positive") { $0.value >= 0 }
            var id: UUID
            @Attribute(originalName: "takenAt") var at: Date
            var value: Int = 0
            @Attribute(originalName: "note") var text: String = ""
            var unit: String = "C"
            var sensor: Sensor?
            init() { (id, at) = (UUID(), Date()) }
        }
    }
    /// What PostgreSQL would make under a lock.
    enum Indexed {
        @Model final class Reading {
            #PrimaryKey<Reading>([\.id, \.takenAt])
            #Partition<Reading>(by: \.takenAt, every: .month)
            #Index<Reading>([\.takenAt])
            var id: UUID
            var takenAt: Date
            init() { (id, takenAt) = (UUID(), Date()) }
        }
    }
    enum Bare {
        @Model final class Reading {
            #PrimaryKey<Reading>([\.id, \.takenAt])
            #Partition<Reading>(by: \.takenAt, every: .month)
            var id: UUID
            var takenAt: Date
            init() { (id, takenAt) = (UUID(), Date()) }
        }
        @Model final class Sensor {
            var name: String = ""
            init() {}
        }
    }
    enum Related {
        @Model final class Sensor {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Reading.sensor) var readings: [Reading] = []
            init() {}
        }
        @Model final class Reading {
            #PrimaryKey<Reading>([\.id, \.takenAt])
            #Partition<Reading>(by: \.takenAt, every: .month)
            var id: UUID
            var takenAt: Date
            var sensor: Sensor?
            init() { (id, takenAt) = (UUID(), Date()) }
        }
    }

    private static let plain: [any PersistentModel.Type] = [Plain.Sensor.self, Plain.Reading.self]

    @Test func `a divided table, from nothing, and its partitions by the day of the run`() throws {
        let scripts = try Evolution(Self.plain, Self.plain).scripts()
        let text = scripts[0].steps.flatMap(\.statements).joined(separator: "\n")
        #expect(text.contains(#") PARTITION BY RANGE ("taken_at")"#), "\(text)")
        #expect(
            text.contains(
                """
                DO $strata$
                DECLARE
                    present timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
                    lower timestamp;
                BEGIN
                    FOR place IN -1..3 LOOP
                        lower := present + place * interval '1 month';
                        EXECUTE 'CREATE TABLE ' || '"public".' || quote_ident('reading_p' || to_char(lower, 'YYYYMMDD'))
                            || ' PARTITION OF ' || '"public"."reading"' || format(' FOR VALUES FROM (%L) TO (%L)',
                                lower AT TIME ZONE 'UTC', (lower + interval '1 month') AT TIME ZONE 'UTC');
                    END LOOP;
                END
                $strata$
                """), "\(text)")
        let again = scripts[1].steps.filter { ![.recordVersion, .recordHistory].contains($0.operation) }
        #expect(again.map(\.title) == [], "\(again.flatMap(\.statements))")
    }

    @Test func `properties, checks, names, types and periods change`() async throws {
        try await Evolution(
            Self.plain, [Grown.Sensor.self, Grown.Reading.self],
            changes: [
                .converted(\Grown.Reading.value, using: "value::bigint"), .dropped(\Plain.Reading.old),
            ]
        ).run(
            seed: [
                "INSERT INTO sensor (pk, name) OVERRIDING SYSTEM VALUE VALUES (1, 'roof')",
                """
                INSERT INTO reading (id, taken_at, value, note, old, sensor)
                SELECT gen_random_uuid(), date_trunc('month', now()) + n * interval '1 day', n::text, 'n' || n, n, 1
                FROM generate_series(-10, 80) AS n WHERE n >= 0
                """,
            ],
            expecting:
                "SELECT count(*)::text, sum(value)::text, count(DISTINCT text)::text, max(unit), count(sensor)::text FROM reading",
            is: ["81|3240|81|C|81"], returning: .asPlanned)
    }

    @Test func `a new divided class with a relationship, and one that goes`() async throws {
        try await Evolution([Bare.Sensor.self], [Plain.Sensor.self, Plain.Reading.self]).run(
            seed: ["INSERT INTO sensor (pk, name) OVERRIDING SYSTEM VALUE VALUES (1, 'roof')"],
            expecting: "SELECT count(*)::text FROM pg_inherits WHERE inhparent = 'reading'::regclass", is: ["5"],
            returning: .asPlanned)
        try await Evolution(
            [Bare.Sensor.self, Bare.Reading.self], [Bare.Sensor.self], changes: [.dropped(Bare.Reading.self)]
        ).run(
            seed: ["INSERT INTO reading (id, taken_at) VALUES (gen_random_uuid(), now())"],
            expecting: "SELECT count(*)::text FROM pg_class WHERE relname LIKE 'reading%'", is: ["0"],
            returning: .asPlanned)
    }

    @Test func `what PostgreSQL cannot do beside writers is refused, with what to do`() throws {
        let cases: [([any PersistentModel.Type], [any PersistentModel.Type], String)] = [
            (
                [Whole.Reading.self], [Bare.Reading.self],
                "Reading is divided by taken_at in version 2.0.0, and was not divided in 1.0.0: PostgreSQL divides no table that is there"
            ),
            (
                [Bare.Reading.self], [Whole.Reading.self],
                "Reading is not divided in version 2.0.0, and was divided by taken_at in 1.0.0"
            ),
            (
                [Bare.Reading.self], [Indexed.Reading.self],
                "The index reading_taken_at_idx of Reading would be built or dropped over all partitions at once"
            ),
            (
                [Indexed.Reading.self], [Bare.Reading.self],
                "The index reading_taken_at_idx of Reading would be built or dropped over all partitions at once"
            ),
            (
                [Bare.Reading.self, Bare.Sensor.self], [Related.Reading.self, Related.Sensor.self],
                "of Reading would be"
            ),
        ]
        for (before, after, words) in cases {
            let error = #expect(throws: MigrationError.self) { try Evolution(before, after).scripts() }
            #expect(error?.code == .planRefused)
            #expect("\(error.map { "\($0)" } ?? "")".contains(words), "\(String(describing: error))")
        }
    }
}
