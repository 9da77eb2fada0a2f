import Foundation
import Strata
import StrataModelTestSupport
import Testing

@Model private final class Trip {
    var name: String
    var startDate: Date
    init(_ number: Int) {
        name = "t\(number)"
        startDate = day(number)
    }
}

@Model private final class Stay {
    #Index<Stay>([\.city])
    var name: String
    var city: String
    init(_ name: String, in city: String) {
        self.name = name
        self.city = city
    }
}

@Suite struct ExplainTests {
    private func withTrips(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Trip.self) { store in
            let context = ModelContext(store.container)
            for number in 0..<30 { context.insert(Trip(number)) }
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    @Test func `a plan is a value and a text, in one round trip`() async throws {
        try await withTrips { store, context in
            let name = "t7"
            var descriptor = FetchDescriptor<Trip>(
                predicate: #Predicate { $0.name == name }, sortBy: [SortDescriptor(\.startDate)])
            descriptor.fetchLimit = 5
            let plan = try await context.explain(descriptor)
            #expect(store.recorder.roundTrips == 1)
            #expect(store.recorder.statements.last == "EXPLAIN (FORMAT JSON) " + plan.sql)
            #expect(plan.executionTime == nil)
            #expect(plan.root.kind == "Limit")
            #expect(plan.nodes.allSatisfy { $0.rows == nil && $0.cost > 0 })
            store.recorder.reset()
            let analyzed = try { try context.explain(descriptor, analyze: true) }()
            #expect(store.recorder.roundTrips == 1)
            #expect(store.recorder.statements.last?.hasPrefix("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT") == true)
            #expect(analyzed.root.rows == 1)
            #expect(analyzed.executionTime != nil)
            #expect(analyzed.tablesReadWhole == ["trip"])
            let text = analyzed.description
            for part in ["Seq Scan on trip", "Filter: ", "Sort Key: ", "1 rows", "carried out in"] {
                #expect(text.contains(part), "\(text)")
            }
        }
    }

    @Test func `an index that only gives rows to a filter is none that serves`() async throws {
        try await withModelStore(Stay.self) { store in
            let context = ModelContext(store.container)
            let (city, name) = ("Kyoto", "t7")
            var byName = FetchDescriptor<Stay>(predicate: #Predicate { $0.name == name })
            byName.fetchLimit = 20
            let filtered = try await context.explain(byName, avoidsSequentialScans: true)
            #expect(filtered.tablesReadWhole.isEmpty)
            #expect(throws: SwiftDataError.unsupportedFeature) { try filtered.requireIndex() }
            let byCity = FetchDescriptor<Stay>(predicate: #Predicate { $0.city == city })
            try await context.explain(byCity, avoidsSequentialScans: true).requireIndex()
            var inOrder = FetchDescriptor<Stay>(sortBy: [SortDescriptor(\.city)])
            inOrder.fetchLimit = 5
            try await context.explain(inOrder, avoidsSequentialScans: true).requireIndex("stay_city_idx")
        }
    }

    @Test func `groups, values and pages have plans too`() async throws {
        try await withTrips { store, context in
            let groups = try await context.explain(
                FetchDescriptor<Trip>(), selecting: .key(\.name), .count, having: .count > 1, analyze: true)
            #expect(store.recorder.roundTrips == 1)
            #expect(groups.sql.contains("GROUP BY t0.\"name\" HAVING count(*) > $1"), "\(groups.sql)")
            #expect(store.recorder.statements.last == "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + groups.sql)
            #expect(groups.nodes.contains { $0.kind == "Aggregate" } && groups.root.rows == 0, "\(groups)")
            #expect(groups.nodes.allSatisfy { $0.sharedHitBlocks != nil && $0.sharedReadBlocks != nil })
            #expect(groups.description.contains("pages in memory"), "\(groups)")
            let names = try await context.explain(
                FetchDescriptor<Trip>(), selecting: .value(\.name), orderBy: [.forward(.value(\.name))])
            #expect(names.sql.hasPrefix("SELECT t0.\"name\" FROM"), "\(names.sql)")
            let byName = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
            let page = try await context.fetchPage(byName, size: 7)
            let next = try await context.explain(byName, after: page.next, size: 7)
            #expect(next.sql.contains("(t0.\"name\" COLLATE \"C\", t0.\"pk\") > ($1"), "\(next.sql)")
            let blocking = try { try context.explain(byName, after: page.next, size: 7) }()
            #expect(blocking.sql == next.sql)
        }
    }

    @Test func `each form of a fetch has the plan of its statement`() async throws {
        try await withTrips { store, context in
            func statement(_ send: () async throws -> Void) async throws -> String {
                try await send()
                return try #require(store.recorder.statements.last)
            }
            let few = #Predicate<Trip> { $0.name > "t2" }
            var limited = FetchDescriptor<Trip>(predicate: few)
            limited.fetchLimit = 3
            let byName = FetchDescriptor<Trip>(predicate: few, sortBy: [SortDescriptor(\.name)])
            let first = try await context.fetchPage(byName, size: 4)
            let second = try await context.fetchPage(byName, after: first.next, size: 4)
            let explained: [(QueryPlan, String)] = [
                (
                    try await context.explain(byName, selecting: \.name, \.startDate),
                    try await statement { _ = try await context.fetch(byName, selecting: \.name, \.startDate) }
                ),
                (
                    try await context.explain(byName, selecting: \.name, distinct: true),
                    try await statement { _ = try await context.fetch(byName, selecting: \.name, distinct: true) }
                ),
                (
                    try await context.explain(byName, before: second.previous, size: 4),
                    try await statement { _ = try await context.fetchPage(byName, before: second.previous, size: 4) }
                ),
                (
                    try await context.explain(byName, selecting: .value(\.startDate), after: first.next, size: 4),
                    try await statement {
                        _ = try await context.fetchPage(byName, selecting: \.startDate, after: first.next, size: 4)
                    }
                ),
                (
                    try await context.explain(byName, selecting: .value(\.startDate), before: nil, size: 4),
                    try await statement {
                        _ = try await context.fetchPage(byName, selecting: \.startDate, before: nil, size: 4)
                    }
                ),
                (
                    try await context.explain(byName, selecting: .value(\.name), after: nil, size: 2000),
                    try await statement { for try await _ in context.stream(byName, selecting: \.name) {} }
                ),
                (
                    try await context.explainCount(limited),
                    try await statement { _ = try await context.fetchCount(limited) }
                ),
                (
                    try await context.explain(byName, selecting: .maximum(\.name)),
                    try await statement { _ = try await context.fetchMaximum(byName, of: \.name) }
                ),
                (
                    try { try context.explain(byName, selecting: \.name, distinct: true, analyze: true) }(),
                    try await statement { _ = try await context.fetch(byName, selecting: \.name, distinct: true) }
                ),
                (
                    try { try context.explainCount(limited, avoidsSequentialScans: true) }(),
                    try await statement { _ = try await context.fetchCount(limited) }
                ),
            ]
            for (plan, sql) in explained { #expect(plan.sql == sql) }
            store.recorder.reset()
            let count = try await context.explainCount(FetchDescriptor(predicate: few), analyze: true)
            #expect(store.recorder.roundTrips == 1)
            #expect(count.root.kind == "Aggregate" && count.root.rows == 1, "\(count)")
            var locked = FetchDescriptor<Trip>()
            locked.lock = .update
            await #expect(throws: SwiftDataError.unsupportedFeature) { _ = try await context.explainCount(locked) }
            await #expect(throws: SwiftDataError.unsupportedFeature) {
                _ = try await context.explain(byName, before: nil, size: 0)
            }
        }
    }

    @Test func `a test can require an index`() async throws {
        try await withTrips { store, context in
            let (key, name) = (try await context.fetchIdentifiers(FetchDescriptor<Trip>())[3], "t7")
            let byKey = FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == key })
            let plan = try await context.explain(byKey, avoidsSequentialScans: true)
            try plan.requireIndex("trip_pkey")
            // By the primary key's index all joins are read, and whatever the server would not read from end to end.
            #expect(throws: SwiftDataError.unsupportedFeature) { try plan.requireIndex() }
            #expect(throws: SwiftDataError.unsupportedFeature) { try plan.requireIndex("trip_name_idx") }
            let byName = FetchDescriptor<Trip>(predicate: #Predicate { $0.name.contains(name) })
            let error = #expect(throws: SwiftDataError.self) {
                try context.explain(byName, avoidsSequentialScans: true).requireIndex()
            }
            #expect(error?.message.contains("trip") == true)
            // The setting went with its transaction.
            #expect(try await context.explain(byName).tablesReadWhole == ["trip"])
            try await context.transaction {
                await #expect(throws: SwiftDataError.unsupportedFeature) {
                    _ = try await context.explain(byKey, avoidsSequentialScans: true)
                }
                let inside = try await context.explain(byName)
                #expect(inside.root.kind == "Seq Scan")
            }
        }
    }

    /// The planner expects up to 1e100 rows, of joins that nobody should write.
    @Test func `a plan with numbers that no integer holds is a text too`() throws {
        let plan = try QueryPlan(
            document: """
                [{"Plan": {"Node Type": "Nested Loop", "Total Cost": 1e90, "Plan Rows": 1e100, "Actual Rows": 2.5,
                "Actual Loops": 1e30, "Actual Total Time": 1e300}, "Planning Time": -1, "Execution Time": 1e300}]
                """, sql: "SELECT", keyIndexes: [])
        #expect(plan.description == "Nested Loop (cost 1e+90, 1e+100 rows expected, 2.5 rows × 1e+30)")
        #expect(plan.root.time == nil && plan.planningTime == nil && plan.executionTime == nil)
        #expect(throws: DecodingError.self) { try QueryPlan(document: "[]", sql: "", keyIndexes: []) }
        #expect(throws: DecodingError.self) { try QueryPlan(document: "[{\"Plan\": {}}]", sql: "", keyIndexes: []) }
    }
}
