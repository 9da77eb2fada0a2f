import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// A fetch that would give more rows than it may is an error, and never cut.
@Suite struct RowLimitTests {
    /// Three parents, the first with four children.
    private func withParents(limit: Int? = nil, _ body: (ModelStore) async throws -> Void) async throws {
        func configure(_ configuration: inout ModelConfiguration) { configuration.limits.rows = limit }
        try await withModelStore(of: Schema([Graph.Parent.self, Graph.Child.self]), configure: configure) { store in
            let context = ModelContext(store.container)
            let parents = ["A", "B", "C"].map { Graph.Parent($0) }
            for parent in parents { context.insert(parent) }
            parents[0].children = (1...4).map { Graph.Child("child \($0)") }
            try await context.save()
            try await body(store)
        }
    }

    private func expectRefusal(
        _ what: Comment, _ work: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(what, sourceLocation: sourceLocation) { try await work() } throws: { error in
            (error as? SwiftDataError)?.code == .rowLimitExceeded && !((error as? SwiftDataError)?.isRetryable ?? true)
        }
    }

    @Test(arguments: [false, true])
    func aFetchOfOneRowTooManyIsRefused(isBlocking: Bool) async throws {
        try await withParents(limit: 2) { store in
            let all = FetchDescriptor<Graph.Parent>()
            func fetch(_ context: ModelContext, _ descriptor: FetchDescriptor<Graph.Parent>) async throws -> Int {
                func blocking() throws -> Int { try context.fetch(descriptor).count }
                return if isBlocking { try blocking() } else { try await context.fetch(descriptor).count }
            }
            let context = ModelContext(store.container)
            await expectRefusal("three rows") { _ = try await fetch(context, all) }
            context.rowLimit = 3
            let found1 = try await fetch(context, all)
            #expect(found1 == 3)
            context.rowLimit = .max
            let found2 = try await fetch(context, all)
            #expect(found2 == 3)
            context.rowLimit = nil
            var few = all
            few.fetchLimit = 2
            let found3 = try await fetch(context, few)
            #expect(found3 == 2)
            few.fetchLimit = 3
            await expectRefusal("a limit beyond that of the configuration") { _ = try await fetch(context, few) }
            few.fetchOffset = 1
            let found4 = try await fetch(context, few)
            #expect(found4 == 2)
            // A context's unsaved objects are some of its rows.
            let other = ModelContext(store.container)
            other.rowLimit = 3
            other.insert(Graph.Parent("D"))
            await expectRefusal("four with the unsaved one") { _ = try await fetch(other, all) }
        }
    }

    @Test func theServerStopsAtTheRowThatIsTooMany() async throws {
        try await withParents(limit: 2) { store in
            store.recorder.reset()
            await expectRefusal("three rows") {
                _ = try await ModelContext(store.container).fetch(FetchDescriptor<Graph.Parent>())
            }
            #expect(store.recorder.statements.count == 1)
            #expect(store.recorder.statements.first?.contains("LIMIT") == true)
        }
    }

    @Test func allKindsOfFetchesAreLimited() async throws {
        try await withParents { store in
            let context = ModelContext(store.container)
            context.rowLimit = 2
            let all = FetchDescriptor<Graph.Parent>(sortBy: [SortDescriptor(\.name)])
            await expectRefusal("identifiers") { _ = try await context.fetchIdentifiers(all) }
            await expectRefusal("values") { _ = try await context.fetch(all, selecting: \.name) }
            await expectRefusal("a page with its count") { _ = try await context.fetchPage(all) }
            await expectRefusal("readable objects") { _ = try await context.fetchReadable(all) }
            await expectRefusal("values by SQL") {
                _ = try await context.fetch(String.self, sql: "SELECT name FROM \(Graph.Parent.self)")
            }
            await expectRefusal("objects by SQL") {
                _ = try await context.fetch(
                    Graph.Parent.self, sql: "SELECT \(\Graph.Parent.persistentModelID) FROM \(Graph.Parent.self)")
            }
            await expectRefusal("a page that is larger") { _ = try await context.fetchPage(all, size: 3) }
            let page = try await context.fetchPage(all, size: 2)
            #expect(page.objects.map(\.name) == ["A", "B"] && page.next != nil)
            // What gives no rows of its own is not limited.
            #expect(try await context.fetchCount(all) == 3)
            #expect(try await context.fetch(all, selecting: .count).first == 3)
            var names: [String] = []
            try await context.enumerate(all) { names.append($0.name) }
            #expect(names == ["A", "B", "C"])
            #expect(try await context.execute("UPDATE \(Graph.Parent.self) SET note = 'x' RETURNING name") == 3)
        }
    }

    @Test func relationshipsAreLimitedHoweverTheyAreLoaded() async throws {
        try await withParents(limit: 3) { store in
            let context = ModelContext(store.container)
            var first = FetchDescriptor<Graph.Parent>(predicate: #Predicate { $0.name == "A" })
            let parent = try #require(try await context.fetch(first).first)
            await expectRefusal("loaded") { try await context.load([parent], \.children) }
            first.relationshipKeyPathsForPrefetching = [\.children]
            await expectRefusal("prefetched") { _ = try await ModelContext(store.container).fetch(first) }
            #expect(parent.children.isEmpty)
            #expect { try context.throwUnreportedErrors() } throws: { error in
                (error as? SwiftDataError)?.code == .unfulfilledFault
                    && (error as? SwiftDataError)?.underlying?.code == .rowLimitExceeded
            }
            context.rowLimit = 4
            try await context.load([parent], \.children)
            #expect(parent.children.count == 4)
        }
    }

    @Test func aTransactionGoesOnAfterARefusedFetch() async throws {
        try await withParents(limit: 2) { store in
            let context = ModelContext(store.container)
            try await context.transaction {
                await expectRefusal("three rows") { _ = try await context.fetch(FetchDescriptor<Graph.Parent>()) }
                context.insert(Graph.Parent("D"))
            }
            let count = try await context.fetchCount(FetchDescriptor<Graph.Parent>())
            #expect(count == 4)
        }
    }

    /// Without a limit in its text the server would go on for long: it is asked to stop.
    @Test func aQueryWithoutEndIsStopped() async throws {
        try await withParents { store in
            let context = ModelContext(store.container)
            context.rowLimit = 1000
            await expectRefusal("a billion rows") {
                _ = try await context.fetch(
                    Int.self, sql: "SELECT generate_series(1, 1000000000)")
            }
            let count = try await context.fetchCount(FetchDescriptor<Graph.Parent>())
            #expect(count == 3)
        }
    }

    @Test func aLimitOfNothingIsRefused() async throws {
        try await withTestDatabase { database in
            var configuration = ModelConfiguration(url: try #require(database.foundationURL))
            configuration.limits.rows = 0
            await #expect(throws: SwiftDataError.unsupportedFeature) {
                _ = try await ModelContainer(for: Graph.Parent.self, Graph.Child.self, configurations: configuration)
            }
        }
    }
}
