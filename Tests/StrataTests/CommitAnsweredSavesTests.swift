import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

@Model private final class Plum {
    var name: String
    init(name: String) { self.name = name }
}
@Model private final class Quince {
    var name: String
    init(name: String) { self.name = name }
}

/// The backend answers COMMIT and is ended then: what was saved is reported as saved, and done once.
@Suite(.enabled(if: try TestServer.shared().localServer != nil, "needs a private server"))
struct CommitAnsweredSavesTests {
    private func withStores(
        _ body: (ModelContainer, _ cut: (Bool) -> Void, _ databases: [TestDatabase]) async throws -> Void
    ) async throws {
        try await withTestDatabase("plums") { plums in
            try await withTestDatabase("quinces") { quinces in
                let proxies = try [plums, quinces].map {
                    try CuttingProxy(
                        before: $0.configuration, cutAt: "COMMIT", .farewellAfterAnswer("COMMIT"))
                }
                for proxy in proxies { proxy.isArmed = false }
                var first = ModelConfiguration(
                    "plums", schema: Schema(Plum.self), url: try #require(proxies[0].url(for: plums)))
                var second = ModelConfiguration(
                    "quinces", schema: Schema(Quince.self), url: try #require(proxies[1].url(for: quinces)))
                // Only so can the proxy see every COMMIT.
                first.preparedStatements = .unnamed
                second.preparedStatements = .unnamed
                let container = try await ModelContainer(
                    for: Schema(Plum.self, Quince.self), configurations: [first, second], logger: Logger(label: "test"))
                func cut(_ isArmed: Bool) { for proxy in proxies { proxy.isArmed = isArmed } }
                do { try await body(container, cut, [plums, quinces]) } catch {
                    await container.close()
                    throw error
                }
                await container.close()
                for proxy in proxies { proxy.stop() }
            }
        }
    }

    enum Work: CaseIterable {
        case save, blockingSave, transaction, transactionThatSaved, withContext, serializable, bulkDeletion
    }

    @Test(arguments: Work.allCases) func `a save whose COMMIT was answered is done once`(_ work: Work) async throws {
        try await withStores { container, cut, _ in
            let before = ModelContext(container)
            before.insert(Plum(name: "old"))
            try await before.save()
            cut(true)
            let context = ModelContext(container)
            switch work {
            case .save:
                context.insert(Plum(name: "new"))
                try await context.save()
            case .blockingSave:
                func blocking() throws {
                    context.insert(Plum(name: "new"))
                    try context.save()
                }
                try blocking()
            case .transaction:
                try await context.transaction { context.insert(Plum(name: "new")) }
            case .transactionThatSaved:
                try await context.transaction {
                    context.insert(Plum(name: "new"))
                    try await context.save()
                }
            case .withContext:
                try await container.withContext { $0.insert(Plum(name: "new")) }
            case .serializable:
                try await container.withContext(isolation: .serializable) { context in
                    _ = try await context.fetchCount(FetchDescriptor<Plum>())
                    context.insert(Plum(name: "new"))
                }
            case .bulkDeletion:
                try context.delete(model: Plum.self, where: #Predicate { $0.name == "old" })
                context.insert(Plum(name: "new"))
                try await context.save()
            }
            #expect(!context.hasChanges)
            cut(false)
            let names = try await ModelContext(container).fetch(FetchDescriptor<Plum>()).map(\.name).sorted()
            #expect(names == (work == .bulkDeletion ? ["new"] : ["new", "old"]))
        }
    }

    @Test func `a save to two stores is done once`() async throws {
        try await withStores { container, cut, _ in
            cut(true)
            try await container.withContext { context in
                context.insert(Plum(name: "p"))
                context.insert(Quince(name: "q"))
            }
            cut(false)
            let context = ModelContext(container)
            let plums = try await context.fetchCount(FetchDescriptor<Plum>())
            let quinces = try await context.fetchCount(FetchDescriptor<Quince>())
            #expect(plums == 1 && quinces == 1)
        }
    }

    /// Doing it again would store in the first store once more.
    @Test func `an unknown outcome is never retryable, whatever the second store said`() async throws {
        try await withStores { container, _, databases in
            try await databases[1].execute(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END $$",
                "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON quince DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()"
            )
            let error = await #expect(throws: SwiftDataError.self) {
                try await container.withContext { context in
                    context.insert(Plum(name: "p"))
                    context.insert(Quince(name: "q"))
                }
            }
            #expect(error?.code == .outcomeUnknown)
            #expect(error?.isRetryable == false)
            let plums = try await ModelContext(container).fetchCount(FetchDescriptor<Plum>())
            #expect(plums == 1)
        }
    }
}

/// The connection is lost after COMMIT was sent and before its answer: what was saved may be stored, and is here.
@Suite(.enabled(if: try TestServer.shared().localServer != nil, "needs a private server"))
struct UnansweredCommitTests {
    enum Work: CaseIterable {
        case save, blockingSave, transaction, blockingTransaction, sql, blockingSQL, nested
    }

    @Test(arguments: Work.allCases)
    func `work whose commit has an unknown outcome is not done again`(_ work: Work) async throws {
        try await withTestDatabase("plums") { database in
            let proxy = try CuttingProxy(before: database.configuration, cutAt: "COMMIT", .afterForwarding)
            proxy.isArmed = false
            var configuration = ModelConfiguration(
                "plums", schema: Schema(Plum.self), url: try #require(proxy.url(for: database)))
            configuration.preparedStatements = .unnamed
            let container = try await ModelContainer(
                for: Schema(Plum.self), configurations: [configuration], logger: Logger(label: "test"))
            let runs = Shared(0)
            await expectError(.conflict) {
                try await container.withContext { context in
                    runs.withLock { $0 += 1 }
                    proxy.isArmed = true
                    await expectError(.outcomeUnknown) { try await write(work, context) }
                    proxy.isArmed = false
                    context.rollback()
                    throw SwiftDataError(.conflict, "somebody was faster")
                }
            }
            #expect(runs.value == 1)
            let names = try await database.texts("SELECT name FROM plum")
            #expect(names == ["stored"])
            await container.close()
            proxy.stop()
        }
    }

    private func write(_ work: Work, _ context: ModelContext) async throws {
        let sql: SQLStatement =
            "INSERT INTO \(table: Plum.self) (\(raw: "pk"), \(column: \Plum.name)) VALUES (\(1 << 40), \("stored"))"
        func blocking(_ body: () throws -> Void) throws { try body() }
        switch work {
        case .save:
            context.insert(Plum(name: "stored"))
            try await context.save()
        case .blockingSave:
            context.insert(Plum(name: "stored"))
            try blocking { try context.save() }
        case .transaction:
            try await context.transaction { context.insert(Plum(name: "stored")) }
        case .blockingTransaction:
            try blocking { try context.transaction { context.insert(Plum(name: "stored")) } }
        case .sql: try await context.execute(sql)
        case .blockingSQL: try blocking { try context.execute(sql) }
        case .nested:
            try await context.transaction {
                try await context.transaction { context.insert(Plum(name: "stored")) }
            }
        }
    }
}
