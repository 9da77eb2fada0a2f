import Foundation
import Strata
import StrataClient
import Testing

@Model private class Sailing {
    #Index<Sailing>([\.start])
    var name: String
    var start: Date
    @Relationship(deleteRule: .cascade, inverse: \Ticket.sailing) var tickets: [Ticket] = []
    init(name: String, start: Date) {
        self.name = name
        self.start = start
    }
}
@Model private final class NightSailing: Sailing {
    #Index<NightSailing>([\.cabins])
    var cabins = 0
}
@Model private final class DaySailing: Sailing { var decks = 0 }
@Model private final class Ticket {
    #Index<Ticket>([\.holder])
    var holder: String
    var sailing: Sailing?
    init(holder: String) { self.holder = holder }
}

/// What PostgreSQL makes of the statements: tables this large must be entered through their indexes.
@Suite struct PlanTests {
    private func withFilledStore(_ body: (ModelStore) async throws -> Void) async throws {
        try await withModelStore(Sailing.self, NightSailing.self, DaySailing.self, Ticket.self) { store in
            try await store.database.execute(
                "SET session_replication_role = replica",
                """
                INSERT INTO sailing (pk, class, name, start)
                SELECT i, (array['Sailing', 'NightSailing', 'DaySailing'])[i % 3 + 1], 'S' || i,
                  timestamptz '2026-01-01 00:00+00' + i * interval '1 minute' FROM generate_series(1, 30000) i
                """,
                "INSERT INTO night_sailing (pk, cabins) SELECT pk, pk FROM sailing WHERE class = 'NightSailing'",
                "INSERT INTO day_sailing (pk, decks) SELECT pk, 3 FROM sailing WHERE class = 'DaySailing'",
                """
                INSERT INTO ticket (pk, holder, sailing) SELECT i, 'H' || i, i / 2 + 1 FROM generate_series(1, 59998) i
                """)
            try await store.database.execute("ANALYZE")
            try await body(store)
        }
    }

    /// The plan of the last statement that was sent, with these values as SQL.
    private func plan(_ store: ModelStore, _ values: String...) async throws -> String {
        let sql = try #require(store.recorder.statements.last)
        let connection = try await store.database.connect()
        defer { connection.close() }
        var lines: [String] = []
        func run(_ text: String) async throws {
            try await connection.run(
                PostgresBatch(PostgresStatement(PreparedSQL(text, isCached: false))) { row in
                    lines.append(try row.decode(0, as: String.self))
                })
        }
        try await run("PREPARE planned AS \(sql)")
        try await run("EXPLAIN EXECUTE planned" + (values.isEmpty ? "" : "(\(values.joined(separator: ", ")))"))
        return lines.joined(separator: "\n")
    }

    /// The name of the index that begins with a column.
    private func indexName(on column: String, of table: String, _ store: ModelStore) async throws -> String {
        var name = ""
        let connection = try await store.database.connect()
        defer { connection.close() }
        try await connection.run(
            PostgresBatch(
                PostgresStatement(
                    PreparedSQL(
                        "SELECT indexname::text FROM pg_indexes WHERE tablename = '\(table)' AND indexdef LIKE '%(\(column)%'",
                        isCached: false))
            ) { name = try $0.decode(0, as: String.self) })
        return try #require(name.isEmpty ? nil : name)
    }

    @Test func `a deep page by an indexed column of the root enters through that index`() async throws {
        try await withFilledStore { store in
            var descriptor = FetchDescriptor<Sailing>(sortBy: [SortDescriptor(\.start)])
            descriptor.fetchLimit = 20
            descriptor.fetchOffset = 100
            let page = try await ModelContext(store.container).fetch(descriptor)
            #expect(page.count == 20)
            let plan = try await plan(store, "100")
            let index = try await indexName(on: "start", of: "sailing", store)
            #expect(plan.contains(index), "\(plan)")
            #expect(!plan.contains("Seq Scan"), "\(plan)")
        }
    }

    @Test func `the page after a value enters at that value`() async throws {
        try await withFilledStore { store in
            let last = day(9)
            var descriptor = FetchDescriptor<Sailing>(
                predicate: #Predicate { $0.start > last }, sortBy: [SortDescriptor(\.start)])
            descriptor.fetchLimit = 20
            let page = try await ModelContext(store.container).fetch(descriptor)
            #expect(page.count == 20)
            let plan = try await plan(store, "'2026-01-10'")
            let index = try await indexName(on: "start", of: "sailing", store)
            #expect(plan.contains(index), "\(plan)")
            #expect(plan.contains("Index Cond"), "\(plan)")
            #expect(!plan.contains("Seq Scan"), "\(plan)")
        }
    }

    /// The key of the place is asked for in the table of the index: nothing finds a place in columns of two tables.
    @Test func `a deep page of a subclass enters the root's index at its place`() async throws {
        try await withFilledStore { store in
            let context = ModelContext(store.container)
            let byStart = FetchDescriptor<NightSailing>(sortBy: [SortDescriptor(\.start)])
            let first = try await context.fetchPage(byStart, size: 3)
            let second = try await context.fetchPage(byStart, after: first.next, size: 3)
            #expect((first.objects + second.objects).map(\.name) == ["S1", "S4", "S7", "S10", "S13", "S16"])
            let plan = try await context.explain(byStart, after: second.next, size: 20)
            #expect(
                plan.sql.contains(
                    "WHERE (t1.\"start\", t1.\"pk\") > ($1::timestamptz, $2::bigint) ORDER BY t1.\"start\" ASC, t1.\"pk\" ASC"
                ),
                "\(plan.sql)")
            let scan = try #require(plan.nodes.first { $0.table == "sailing" })
            #expect(scan.index == (try await indexName(on: "start", of: "sailing", store)), "\(plan)")
            #expect(scan.conditions["Index Cond"]?.contains("start") == true, "\(plan)")
        }
    }

    /// The comparison of all terms spans two tables, and is a condition of their join: the first term alone finds the place.
    @Test func `a deep page by an inherited and an own property enters the root's index at its place`() async throws {
        try await withFilledStore { store in
            let context = ModelContext(store.container)
            let index = try await indexName(on: "start", of: "sailing", store)
            let byStart = FetchDescriptor<NightSailing>(sortBy: [SortDescriptor(\.start), SortDescriptor(\.cabins)])
            let deep = try await context.fetchPage(byStart, selecting: \.name, size: 5000)
            #expect(deep.rows.last == "S14998")
            #expect(
                try await context.fetchPage(byStart, after: deep.next, size: 2).objects.map(\.name) == [
                    "S15001", "S15004",
                ])
            let plan = try await context.explain(byStart, after: deep.next, size: 20, analyze: true)
            #expect(
                plan.sql.contains(
                    """
                    WHERE t1."start" >= $1::timestamptz AND (t1."start", t0."cabins", t1."pk") > ($2::timestamptz, $3::bigint, $4::bigint) \
                    ORDER BY t1."start" ASC, t0."cabins" ASC, t1."pk" ASC
                    """), "\(plan.sql)")
            let scan = try #require(plan.nodes.first { $0.table == "sailing" })
            #expect(scan.index == index, "\(plan)")
            #expect(scan.conditions["Index Cond"]?.contains("start >=") == true, "\(plan)")
            // Every third sailing is one by night. All pages before are 15,000 rows.
            #expect(try #require(scan.rows) < 500, "\(plan)")

            let mixed = FetchDescriptor<NightSailing>(
                sortBy: [SortDescriptor(\.start, order: .reverse), SortDescriptor(\.cabins)])
            let last = try await context.fetchPage(mixed, selecting: \.name, size: 5000)
            let back = try await context.explain(mixed, after: last.next, size: 20, analyze: true)
            #expect(back.sql.contains("WHERE t1.\"start\" <= $1::timestamptz AND (t1.\"start\" < $2"), "\(back.sql)")
            let scanBack = try #require(back.nodes.first { $0.table == "sailing" })
            #expect(scanBack.index == index, "\(back)")
            #expect(try #require(scanBack.rows) < 500, "\(back)")
        }
    }

    @Test func `a predicate on a subclass's column enters through the index of its table`() async throws {
        try await withFilledStore { store in
            let cabins = 16
            let found = try await ModelContext(store.container).fetch(
                FetchDescriptor<NightSailing>(predicate: #Predicate { $0.cabins == cabins }))
            #expect(found.map(\.name) == ["S16"])
            let plan = try await plan(store, "16")
            let index = try await indexName(on: "cabins", of: "night_sailing", store)
            #expect(plan.contains(index), "\(plan)")
            #expect(!plan.contains("Seq Scan"), "\(plan)")
        }
    }

    @Test func `contains of a to-many relationship looks at no table as a whole`() async throws {
        try await withFilledStore { store in
            let (start, holder) = (day(1), "H9")
            let found = try await ModelContext(store.container).fetch(
                FetchDescriptor<Sailing>(
                    predicate: #Predicate { sailing in
                        sailing.start < start && sailing.tickets.contains { $0.holder == holder }
                    }))
            #expect(found.map(\.name) == ["S5"])
            let values = store.recorder.statements.last?.contains("$1::timestamptz") == true
            let plan = try await plan(store, values ? "'2026-01-02'" : "'H9'", values ? "'H9'" : "'2026-01-02'")
            #expect(!plan.contains("Seq Scan on ticket"), "\(plan)")
        }
    }

    @Test func `look-ups by key and prefetches use the keys' indexes`() async throws {
        try await withFilledStore { store in
            let context = ModelContext(store.container)
            let first = try #require(
                try await context.fetchIdentifiers(FetchDescriptor<Sailing>(sortBy: [SortDescriptor(\.start)])).first)
            _ = try await context.model(for: first)
            let look = try await plan(store, "1")
            #expect(!look.contains("Seq Scan"), "\(look)")
            var descriptor = FetchDescriptor<Sailing>(sortBy: [SortDescriptor(\.start)])
            descriptor.fetchLimit = 20
            descriptor.relationshipKeyPathsForPrefetching = [\.tickets]
            _ = try await context.fetch(descriptor)
            let prefetch = try await plan(store, "array[1, 2, 3]")
            let index = try await indexName(on: "sailing", of: "ticket", store)
            #expect(prefetch.contains(index), "\(prefetch)")
        }
    }
}
