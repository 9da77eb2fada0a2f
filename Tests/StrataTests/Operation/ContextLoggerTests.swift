import Logging
import Strata
import StrataTestSupport
import Testing

/// A context logs with the metadata of its own logger, as a request has them.
@Suite struct ContextLoggerTests {
    private func withContainer(
        _ log: EventLog, slow: Duration? = nil, _ body: (ModelContainer) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            var configuration = ModelConfiguration(url: try #require(database.foundationURL))
            configuration.slowStatement = slow
            let container = try await ModelContainer(
                for: Schema([Graph.Parent.self, Graph.Child.self]), configurations: [configuration], logger: log.logger)
            log.kept.forget()
            do { try await body(container) } catch {
                await container.close()
                throw error
            }
            await container.close()
        }
    }

    @Test func statementsOfAContextHaveTheMetadataOfItsLogger() async throws {
        let log = EventLog(.debug)
        try await withContainer(log) { container in
            let context = ModelContext(container)
            #expect(context.logger.logLevel == .debug)
            var logger = log.logger
            logger[metadataKey: "request"] = "17"
            context.logger = logger
            context.insert(Graph.Parent("A"))
            try await context.save()
            _ = try await context.fetch(FetchDescriptor<Graph.Parent>())
            try await context.enumerate(FetchDescriptor<Graph.Parent>()) { _ in }
            _ = try await ModelContext(container).fetchCount(FetchDescriptor<Graph.Parent>())
        }
        let statements = log.kept.all.filter { $0.message == "statement" }
        let ofRequest = statements.filter { $0["request"] == "17" }
        #expect(ofRequest.contains { $0["statement"].hasPrefix("save: insert") })
        #expect(ofRequest.contains { $0["statement"] == "fetch Parent" })
        #expect(ofRequest.allSatisfy { $0["milliseconds"].contains(".") })
        #expect(statements.contains { $0["statement"].hasPrefix("count") && $0["request"].isEmpty })
    }

    /// One request is looked at, and nothing else is logged.
    @Test(arguments: [false, true])
    func theLevelIsThatOfTheContextsLogger(isBlocking: Bool) async throws {
        let log = EventLog(.info)
        try await withContainer(log) { container in
            func fetch(_ context: ModelContext) async throws {
                func blocking() throws { _ = try context.fetch(FetchDescriptor<Graph.Parent>()) }
                if isBlocking { try blocking() } else { _ = try await context.fetch(FetchDescriptor<Graph.Parent>()) }
            }
            let context = ModelContext(container)
            context.logger.logLevel = .debug
            try await fetch(context)
            try await fetch(ModelContext(container))
        }
        #expect(log.kept.all.filter { $0.message == "statement" }.map { $0["statement"] } == ["fetch Parent"])
    }

    @Test func whatNobodyHasThrownIsLoggedByTheContextsLogger() async throws {
        let log = EventLog(.info)
        try await withContainer(log) { container in
            let writer = ModelContext(container)
            writer.insert(Graph.Parent("A", children: [Graph.Child("B")]))
            try await writer.save()
            let context = ModelContext(container)
            context.lazyLoading = .forbidden
            context.logger[metadataKey: "request"] = "18"
            #expect(try await context.fetch(FetchDescriptor<Graph.Parent>()).first?.children.isEmpty == true)
        }
        let errors = log.kept.all.filter { $0.level == .error }
        #expect(!errors.isEmpty && errors.allSatisfy { $0["request"] == "18" })
    }
}
