import Foundation
import StrataClient
import StrataIntrospection
import StrataTestSupport
import Testing

/// Classes of tables that somebody has divided.
@Suite struct PartitionedTablesTests {
    @Test func `a table in months, days or years of a part of its key is a class with a Partition`() async throws {
        try await withTestDatabase("divided tables") { database in
            try await database.execute(
                "ALTER DATABASE \"\(database.name)\" SET timezone = 'Asia/Kathmandu'")
            try await database.execute(
                "SET timezone = 'UTC'",
                "CREATE TABLE reading (sensor uuid, taken_at timestamptz, value float8, PRIMARY KEY (sensor, taken_at)) PARTITION BY RANGE (taken_at)",
                "CREATE INDEX ON reading (value)",
                "CREATE TABLE reading_a PARTITION OF reading FOR VALUES FROM ('2026-01-01') TO ('2026-02-01')",
                "CREATE TABLE reading_b PARTITION OF reading FOR VALUES FROM ('2026-03-01') TO ('2026-04-01')",
                "CREATE TABLE odd (id bigint, at timestamptz, PRIMARY KEY (id, at)) PARTITION BY RANGE (at)",
                "CREATE TABLE odd_a PARTITION OF odd FOR VALUES FROM ('2026-01-01') TO ('2026-01-15')",
                "CREATE TABLE numbered (id bigint PRIMARY KEY, note text) PARTITION BY RANGE (id)",
                "CREATE TABLE numbered_a PARTITION OF numbered FOR VALUES FROM (0) TO (100)",
                "CREATE TABLE event (id bigint, at timestamptz, PRIMARY KEY (id, at)) PARTITION BY RANGE (at)",
                "CREATE TABLE event_a PARTITION OF event FOR VALUES FROM ('2026-01-01') TO ('2026-02-01')",
                "CREATE TABLE concert (id bigint, at timestamptz, band text, PRIMARY KEY (id, at), FOREIGN KEY (id, at) REFERENCES event)"
            )
            let connection = try await database.connect()
            defer { connection.close() }
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "introspected-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let run = try Introspection(inheritance: ["event"], name: "DividedSchema").run(on: connection, into: folder)
            #expect(
                run.changes.written == [
                    "Concert.swift", "DividedSchema.swift", "Event.swift", "Numbered.swift", "Odd.swift",
                    "Reading.swift",
                ])
            func text(_ name: String) throws -> String {
                try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            }
            let reading = try text("Reading.swift")
            #expect(
                reading.contains(
                    """
                        #PrimaryKey<Reading>([\\.sensor, \\.takenAt])
                        #Partition<Reading>(by: \\.takenAt, every: .month)
                    """) && reading.contains("var takenAt: Date"), "\(reading)")
            let odd = try text("Odd.swift")
            #expect(
                !odd.contains("#Partition<")
                    && odd.contains("divided by ranges of at, which are not days, weeks, months or years in UTC"),
                "\(odd)")
            // A hierarchy is not divided by a class.
            let event = try text("Event.swift")
            #expect(
                !event.contains("#Partition<")
                    && event.contains("divided by ranges of at, and the class has subclasses: no #Partition says that"),
                "\(event)")
            #expect(try text("Concert.swift").contains("class Concert: Event"))
            #expect(try text("Numbered.swift").contains("divided by ranges of id"))
            #expect(!(try text("DividedSchema.swift")).contains("reading_a"))
        }
    }
}
