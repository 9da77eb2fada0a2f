import Logging
import Strata
import StrataClient
import StrataTestSupport
import Synchronization
import Testing

/// How the server carries out slow statements is logged, without carrying them out again and without values.
@Suite struct SlowStatementPlanTests {
    private func withContainer(
        _ log: EventLog, preparing prepared: PreparedStatements = .named(), connections: Int = 8,
        observers: [any StatementObserver] = [], _ body: (ModelContainer, TestDatabase) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            var configuration = ModelConfiguration(url: try #require(database.foundationURL))
            configuration.slowStatement = .nanoseconds(1)
            configuration.explainsSlowStatements = true
            configuration.preparedStatements = prepared
            configuration.pool = ModelConfiguration.Pool(maximumConnections: connections)
            let container = try await ModelContainer(
                for: Schema([Graph.Parent.self, Graph.Child.self]), configurations: [configuration], logger: log.logger,
                observers: observers)
            do { try await body(container, database) } catch {
                await container.close()
                throw error
            }
            await container.close()
        }
    }

    private func plan(of name: String, in log: EventLog, after work: () async throws -> Void) async throws -> String {
        // Another statement may be explained just now: this one is asked for again then.
        func found() -> EventLog.Event? {
            log.kept.all.first { $0.message == "plan of a slow statement" && $0["statement"].hasPrefix(name) }
        }
        for _ in 0..<200 {
            try await work()
            if let event = found() { return event["plan"] }
            try await Task.sleep(for: .milliseconds(20))
        }
        return try #require(found())["plan"]
    }

    @Test(arguments: [PreparedStatements.named(), .unnamed])
    func thePlanOfAFetchHasItsParametersAndNoValue(prepared: PreparedStatements) async throws {
        let log = EventLog(.warning)
        try await withContainer(log, preparing: prepared) { container, _ in
            let name = "a value of mine"
            let plan = try await plan(of: "fetch Parent", in: log) {
                var descriptor = FetchDescriptor<Graph.Parent>(predicate: #Predicate { $0.name == name })
                descriptor.fetchLimit = 3
                _ = try await ModelContext(container).fetch(descriptor)
            }
            #expect(plan.contains("Scan on parent"))
            #expect(plan.contains("$1"))
            #expect(log.kept.all.contains { $0.message == "slow statement" && $0["statement"] == "fetch Parent" })
            #expect(!"\(log.kept.all)".contains(name))
        }
    }

    @Test func aCommentOfEachCallDoesNotMakeAnotherPlan() async throws {
        let log = EventLog(.warning)
        try await withContainer(log, observers: [Commenting()]) { container, _ in
            func fetch() async throws { _ = try await ModelContext(container).fetch(FetchDescriptor<Graph.Parent>()) }
            _ = try await plan(of: "fetch Parent", in: log, after: fetch)
            // The next statement that is explained comes after these.
            for _ in 0..<10 { try await fetch() }
            _ = try await plan(of: "count Child", in: log) {
                _ = try await ModelContext(container).fetchCount(FetchDescriptor<Graph.Child>())
            }
            let plans = log.kept.all.filter {
                $0.message == "plan of a slow statement" && $0["statement"] == "fetch Parent"
            }
            #expect(plans.count == 1)
            #expect(!"\(plans)".contains("trace"))
        }
    }

    /// Puts another comment behind the statements of each call, as traces do.
    private final class Commenting: CallObserver {
        struct Call: CallInProgress {
            let comment: String?
            func didConnect() {}
            func didComplete(_ statement: ObservedStatement) {}
            func didEnd(_ error: (any Error)?) {}
        }

        private let count = Atomic<Int>(0)

        func didBegin(_ call: ObservedCall) -> any CallInProgress {
            Call(comment: "trace='\(count.add(1, ordering: .relaxed).newValue)'")
        }
        func willRepeat(after error: any Error) {}
        func didComplete(_ statement: ObservedStatement) {}
    }

    @Test func aStatementThatWritesIsNotCarriedOutAgain() async throws {
        let log = EventLog(.warning)
        try await withContainer(log) { container, database in
            var inserted = 0
            let plan = try await plan(of: "save: insert", in: log) {
                let context = ModelContext(container)
                context.insert(Graph.Parent("A"))
                try await context.save()
                inserted += 1
            }
            #expect(plan.contains("Insert on parent"))
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Graph.Parent>()) == inserted)
            // Nothing of the explanation has stayed in a session of the pool.
            #expect(
                try await ModelContext(container).fetch(
                    Int.self, sql: "SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'strata_explained%'")
                    == [0])
        }
    }

    /// A call within a transaction, on the only connection: its plan is had when the transaction has ended, and nothing fails before.
    @Test func aTransactionIsNotDisturbedByTheExplanation() async throws {
        let log = EventLog(.warning)
        try await withContainer(log, connections: 1) { container, _ in
            let plan = try await plan(of: "fetch Parent", in: log) {
                let context = ModelContext(container)
                try await context.transaction {
                    context.insert(Graph.Parent("A"))
                    _ = try await context.fetch(FetchDescriptor<Graph.Parent>())
                }
            }
            #expect(plan.contains("parent"))
        }
    }

    @Test func explainingWithoutSayingWhatIsSlowIsRefused() async throws {
        try await withTestDatabase { database in
            var configuration = ModelConfiguration(url: try #require(database.foundationURL))
            configuration.explainsSlowStatements = true
            await #expect(throws: SwiftDataError.unsupportedFeature) {
                _ = try await ModelContainer(for: Graph.Parent.self, Graph.Child.self, configurations: configuration)
            }
        }
    }
}
