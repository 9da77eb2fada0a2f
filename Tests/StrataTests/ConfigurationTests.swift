import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

@testable import StrataContext

@Suite struct ConfigurationTests {
    private typealias Parent = Graph.Parent
    private typealias Account = Graph.Account

    private static let families = Schema(Parent.self, Graph.Child.self)
    private static let accounts = Schema(Account.self)
    private static let both = Schema(Parent.self, Graph.Child.self, Account.self)

    private func url(_ database: TestDatabase) throws -> URL { try #require(database.foundationURL) }

    private func withContainer(
        _ schema: Schema, _ configurations: ModelConfiguration...,
        body: (ModelContainer, StatementRecorder) async throws -> Void
    ) async throws {
        let recorder = StatementRecorder()
        let container = try await ModelContainer(
            opening: schema, configurations: configurations, logger: Logger(label: "test"), observer: recorder)
        do {
            try await body(container, recorder)
        } catch {
            await container.close()
            throw error
        }
        await container.close()
    }

    /// The PostgreSQL schemas of a database that are not the server's own.
    private func schemas(of database: TestDatabase) async throws -> [String] {
        let connection = try await database.connect()
        defer { connection.close() }
        var names: [String] = []
        let sql =
            "SELECT nspname::text FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema|public|strata$)' ORDER BY 1"
        let statement = PostgresStatement(PreparedSQL(sql, isCached: false))
        try await connection.run(PostgresBatch(statement) { names.append($0.string(0)) })
        return names
    }

    // MARK: Several stores

    @Test func `two PostgreSQL schemas of one database are two stores of one container`() async throws {
        try await withTestDatabase { database in
            let url = try url(database)
            try await withContainer(
                Self.both,
                ModelConfiguration("families", schema: Self.families, url: url, postgresSchema: "families"),
                ModelConfiguration("accounts", schema: Self.accounts, url: url, postgresSchema: "accounts")
            ) { container, _ in
                let context = ModelContext(container)
                let parent = Parent("A", children: [Graph.Child("a")])
                let account = Account("a@x", name: "A")
                context.insert(parent)
                context.insert(account)
                #expect(parent.persistentModelID.storeIdentifier != account.persistentModelID.storeIdentifier)
                try await context.save()
                let reader = ModelContext(container)
                #expect(try await reader.only(Parent.self).children.count == 1)
                #expect(try await reader.only(Account.self).name == "A")
                #expect(try await reader.model(for: account.persistentModelID) is Account)
            }
            #expect(try await schemas(of: database) == ["accounts", "families"])
        }
    }

    @Test func `two databases are saved together or not at all`() async throws {
        try await withTestDatabase { one in
            try await withTestDatabase { other in
                try await withContainer(
                    Self.both, ModelConfiguration("families", schema: Self.families, url: try url(one)),
                    ModelConfiguration("accounts", schema: Self.accounts, url: try url(other))
                ) { container, _ in
                    let context = ModelContext(container)
                    context.uniquePolicy = .fail
                    context.insert(Parent("A"))
                    context.insert(Account("a@x", name: "A"))
                    try await context.save()
                    context.insert(Parent("B"))
                    let twin = Account("a@x", name: "twin")
                    context.insert(twin)
                    await expectError(.uniqueConstraint) { try await context.save() }
                    #expect(context.insertedModelsArray.count == 2)
                    #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Parent>()) == 1)
                    twin.email = "b@x"
                    try await context.save()
                    let reader = ModelContext(container)
                    #expect(try await reader.fetchCount(FetchDescriptor<Parent>()) == 2)
                    #expect(try await reader.fetchCount(FetchDescriptor<Account>()) == 2)

                    await expectStop {
                        try await context.transaction {
                            context.insert(Parent("C"))
                            context.insert(Account("c@x", name: "C"))
                            try await context.save()
                            throw Stop()
                        }
                    }
                    #expect(try await reader.fetchCount(FetchDescriptor<Parent>()) == 2)
                    #expect(try await reader.fetchCount(FetchDescriptor<Account>()) == 2)
                    try await context.transaction {
                        context.insert(Parent("D"))
                        context.insert(Account("d@x", name: "D"))
                    }
                    #expect(try await reader.fetchCount(FetchDescriptor<Parent>()) == 3)
                    #expect(try await reader.fetchCount(FetchDescriptor<Account>()) == 3)
                }
            }
        }
    }

    @Test func `one configuration without a schema keeps what the others leave`() async throws {
        try await withTestDatabase { database in
            let url = try url(database)
            try await withContainer(
                Self.both, ModelConfiguration("accounts", schema: Self.accounts, url: url, postgresSchema: "accounts"),
                ModelConfiguration("rest", url: url, postgresSchema: "rest")
            ) { container, _ in
                let context = ModelContext(container)
                context.insert(Parent("A"))
                context.insert(Account("a@x", name: "A"))
                try await context.save()
                #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Parent>()) == 1)
            }
        }
    }

    @Test func `configurations that contradict each other are refused with what to do`() async throws {
        try await withTestDatabase { database in
            let url = try url(database)
            let whole = ModelConfiguration(url: url)
            await expectError(.duplicateConfiguration) { try await withContainer(Self.both, whole, whole) { _, _ in } }
            await expectError(.duplicateConfiguration) {
                try await withContainer(Self.both, whole, ModelConfiguration("b", url: url)) { _, _ in }
            }
            await expectError(.duplicateConfiguration) {
                try await withContainer(
                    Self.both, ModelConfiguration("a", schema: Self.both, url: url),
                    ModelConfiguration("b", schema: Self.accounts, url: url)
                ) { _, _ in }
            }
            await expectError(.configurationSchemaNotFoundInContainerSchema) {
                try await withContainer(Self.families, ModelConfiguration("a", schema: Self.both, url: url)) { _, _ in }
            }
            await expectError(.configurationSchemaNotFoundInContainerSchema) {
                try await withContainer(Self.both, ModelConfiguration("a", schema: Self.accounts, url: url)) { _, _ in }
            }
            await expectError(.invalidSchema) { try await withContainer(Schema(), whole) { _, _ in } }
        }
    }

    @Test func `a class that is not in the schema is an error that names it`() async throws {
        try await withTestDatabase { database in
            try await withContainer(Self.families, ModelConfiguration(url: try url(database))) { container, _ in
                let context = ModelContext(container)
                await expectError(.unknownSchema) { _ = try await context.fetch(FetchDescriptor<Account>()) }
                context.insert(Account("a@x", name: "A"))
                await expectError(.unknownSchema) { try await context.save() }
                #expect(!context.hasChanges)
            }
        }
    }

    // MARK: Read-only

    @Test func `a configuration that does not allow saving reads, and refuses to save`() async throws {
        try await withTestDatabase { database in
            let url = try url(database)
            try await withContainer(Self.families, ModelConfiguration(url: url)) { container, _ in
                let context = ModelContext(container)
                context.insert(Parent("A", children: [Graph.Child("a")]))
                try await context.save()
            }
            try await withContainer(Self.families, ModelConfiguration(url: url, allowsSave: false)) {
                container, recorder in
                let context = ModelContext(container)
                let parent = try await context.only(Parent.self)
                #expect(parent.children.count == 1)
                parent.name = "B"
                await expectError(.readOnly) { try await context.save() }
                #expect(parent.name == "B" && context.hasChanges)
                context.rollback()
                #expect(parent.name == "A")
                recorder.reset()
                for name in ["x", "y", "z"] { context.insert(Parent(name)) }
                #expect(recorder.roundTrips == 0)
                #expect(context.insertedModelsArray.count == 3)
                await expectError(.readOnly) { try await context.save() }
                context.rollback()
                #expect(context.insertedModelsArray.isEmpty)
                try context.delete(model: Parent.self)
                await expectError(.readOnly) { try await context.save() }
                context.rollback()
                try await context.save()
                var names: [String] = []
                try await context.enumerate(FetchDescriptor<Parent>()) { names.append($0.name) }
                #expect(names == ["A"])
            }
        }
    }

    @Test func `an object without a key may outlive its context`() async throws {
        try await withTestDatabase { database in
            let url = try url(database)
            try await withContainer(Self.families, ModelConfiguration(url: url)) { _, _ in }
            try await withContainer(Self.families, ModelConfiguration(url: url, allowsSave: false)) { container, _ in
                func insert() -> Parent {
                    let context = ModelContext(container)
                    let parent = Parent("A", children: [Graph.Child("a"), Graph.Child("b")])
                    context.insert(parent)
                    #expect(parent.modelContext === context)
                    #expect(parent.persistentModelID.isTemporary)
                    #expect(parent.children.map(\.name) == ["a", "b"])
                    return parent
                }
                let parent = insert()
                #expect(parent.modelContext == nil)
                parent.name = "B"
                #expect(parent.children.first?.name == "a")
            }
        }
    }

    @Test func `a read-only configuration makes no tables`() async throws {
        try await withTestDatabase { database in
            let configuration = ModelConfiguration(url: try url(database), allowsSave: false)
            await expectError(.storeDoesNotFit) { try await withContainer(Self.families, configuration) { _, _ in } }
        }
    }

    // MARK: What is said when a store cannot be opened

    @Test func `tables that do not fit are said with the way on`() async throws {
        try await withTestDatabase { database in
            let configuration = ModelConfiguration(url: try url(database))
            try await withContainer(Self.accounts, configuration) { _, _ in }
            try await database.execute("ALTER TABLE account DROP COLUMN name")
            for isBlocking in [true, false] {
                let error = try await #require(throws: SwiftDataError.self) {
                    if isBlocking {
                        try Self.openBlocking(Self.accounts, configuration)
                    } else {
                        try await withContainer(Self.accounts, configuration) { _, _ in }
                    }
                }
                #expect(error.code == .storeDoesNotFit)
                #expect(error.message.contains("then generate, baseline and apply."))
                #expect(error.message.hasSuffix("stop the program and delete .strata/."))
            }
        }
    }

    private static func openBlocking(_ schema: Schema, _ configuration: ModelConfiguration) throws {
        _ = try ModelContainer(for: schema, configurations: [configuration], logger: Logger(label: "test"))
    }

    @Test func `a URL that is none is said once, with the form that is wanted`() async throws {
        let url = try #require(URL(string: "http://app:hush@h/d"))
        let error = try await #require(throws: SwiftDataError.self) {
            try await withContainer(Self.accounts, ModelConfiguration(url: url)) { _, _ in }
        }
        #expect(
            "\(error)"
                == "loadIssueModelContainer: The store default (a URL that cannot be read, schema public) could not be "
                + "opened: The database URL must begin with postgres:// or postgresql://: write "
                + "postgres://user@host:5432/database. [PostgreSQL invalidConfiguration]")
    }

    @Test func `what the server says keeps its place in the description`() throws {
        let error = SwiftDataError(
            .loadIssueModelContainer, "opened: no", underlying: PostgresError(.connectionFailed, "refused"))
        #expect("\(error)" == "loadIssueModelContainer: opened: no [PostgreSQL connectionFailed: refused]")
    }

    @Test func `a configuration without a URL tells what decides, and keeps its identity`() {
        let variables = ["DATABASE_URL", "PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE"]
            .filter { ProcessInfo.processInfo.environment[$0]?.isEmpty == false }
        let place = variables.contains("DATABASE_URL") ? "DATABASE_URL" : variables.joined(separator: ", ")
        #expect(
            "\(ModelConfiguration("trips"))" == "trips (\(place.isEmpty ? "private server" : place), schema public)")
        #expect(ModelConfiguration("trips").id == "trips (environment or private server, schema public)")
    }

    @Test func `that the private server is used is logged once for each folder, until it has data`() {
        let log = LineLog()
        let logger = Logger(label: "test") { _ in log }
        for (folder, hasData) in [("/a", false), ("/b", false), ("/a", false), ("/c", true)] {
            PrivateServerNotice.log("\(folder)-\(ObjectIdentifier(log))", hasData: hasData, logger)
        }
        #expect(log.lines.count == 2)
        #expect(log.lines[0].hasPrefix("Neither DATABASE_URL nor PG* variables name a database"))
    }

    @Test func `changes of one store can be saved beside another that is read-only`() async throws {
        try await withTestDatabase { database in
            let url = try url(database)
            try await withContainer(Self.accounts, ModelConfiguration(url: url, postgresSchema: "accounts")) {
                container, _ in
                let context = ModelContext(container)
                context.insert(Account("a@x", name: "A"))
                try await context.save()
            }
            try await withContainer(
                Self.both,
                ModelConfiguration(
                    "accounts", schema: Self.accounts, url: url, postgresSchema: "accounts", allowsSave: false),
                ModelConfiguration("families", schema: Self.families, url: url, postgresSchema: "families")
            ) { container, _ in
                let context = ModelContext(container)
                let account = try await context.only(Account.self)
                context.insert(Parent("A"))
                try await context.save()
                account.name = "B"
                context.insert(Parent("B"))
                await expectError(.readOnly) { try await context.save() }
                #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Parent>()) == 1)
            }
        }
    }

    // MARK: In memory

    @Test func `a store in memory on a named server is a schema that is gone after close`() async throws {
        try await withTestDatabase { database in
            let configuration = ModelConfiguration(url: try url(database), isStoredInMemoryOnly: true)
            try await withContainer(Self.families, configuration) { container, _ in
                try await withContainer(Self.families, configuration) { other, _ in
                    let context = ModelContext(container)
                    context.insert(Parent("A", children: [Graph.Child("a")]))
                    try await context.save()
                    #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Parent>()) == 1)
                    #expect(try await ModelContext(other).fetchCount(FetchDescriptor<Parent>()) == 0)
                    #expect(try await schemas(of: database).count == 2)
                }
                #expect(try await schemas(of: database).count == 1)
            }
            #expect(try await schemas(of: database).isEmpty)
        }
    }

    private static let isUnnamed = (try? PostgresConfiguration.environment()) == nil

    @Test(.enabled(if: isUnnamed))
    func `a store in memory without a named server is a database of its own that is gone after close`() async throws {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        try await withContainer(Self.families, configuration) { container, _ in
            let other = try await ModelContainer(for: Self.families, configurations: configuration)
            let context = ModelContext(container)
            context.insert(Parent("A"))
            try await context.save()
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Parent>()) == 1)
            #expect(try await ModelContext(other).fetchCount(FetchDescriptor<Parent>()) == 0)
            #expect(container.stores[0].identifier != other.stores[0].identifier)
            let name = try await text("SELECT current_database()", other)
            let isThere = "SELECT (count(*) > 0)::text FROM pg_database WHERE datname = '\(name)'"
            #expect(try await text(isThere, container) == "true")
            await other.close()
            #expect(try await text(isThere, container) == "false")
            await expectError(.storeFailure) { _ = try await ModelContext(other).fetch(FetchDescriptor<Parent>()) }
        }
    }

    @Test(.enabled(if: isUnnamed)) func `stores in memory are copies of tables that are made once`() async throws {
        let containers = try await withThrowingTaskGroup(of: ModelContainer.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await ModelContainer(
                        for: Self.families, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(containers.map { $0.stores[0].identifier }).count == 8)
        // The transaction that made the table is one and the same.
        var transactions: Set<String> = []
        for container in containers { transactions.insert(try await text(Self.creation, container)) }
        #expect(transactions.count == 1)
        for container in containers {
            let context = ModelContext(container)
            context.insert(Parent("A"))
            try await context.save()
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Parent>()) == 1)
            await container.close()
        }
    }

    private static let creation = "SELECT xmin::text FROM pg_class WHERE oid = 'parent'::regclass"

    private func text(_ query: String, _ container: ModelContainer) async throws -> String {
        var text = ""
        let statement = PostgresStatement(PreparedSQL(query, isCached: false))
        try await container.stores[0].pool.withConnection(for: "test") { connection in
            try await connection.run(PostgresBatch(statement) { text = try $0.decode(0) })
        }
        return text
    }

    // MARK: The container

    @Test func `a context of a closed container fails with an error`() async throws {
        try await withTestDatabase { database in
            let container = try await ModelContainer(
                for: Self.families, configurations: ModelConfiguration(url: try url(database)))
            let context = ModelContext(container)
            context.insert(Parent("A"))
            try await context.save()
            let parent = try await context.only(Parent.self)
            await container.close()
            await container.close()
            await expectError(.storeFailure) { _ = try await context.fetch(FetchDescriptor<Parent>()) }
            parent.name = "B"
            await expectError(.storeFailure) { try await context.save() }
            #expect(parent.hasChanges)
            #expect(ModelContext(container).hasChanges == false)
        }
    }

    @Test func `no server is an error that names the place without the password`() async throws {
        let url = try #require(URL(string: "postgres://app:geheim@127.0.0.1:1/trips?connect_timeout=2"))
        do {
            _ = try await ModelContainer(for: Self.families, configurations: ModelConfiguration(url: url))
            Issue.record("no error")
        } catch let error as SwiftDataError {
            #expect(error.code == .loadIssueModelContainer)
            #expect(error.description.contains("127.0.0.1"))
            #expect(!String(reflecting: error).contains("geheim"))
        }
        #expect(!"\(ModelConfiguration(url: url))".contains("geheim"))
        #expect(!String(reflecting: ModelConfiguration(url: url)).contains("geheim"))
    }

    @Test @MainActor func `the main context is one a container`() async throws {
        try await withTestDatabase { database in
            let container = try await ModelContainer(
                for: Self.families, configurations: ModelConfiguration(url: try url(database)))
            #expect(container.mainContext === container.mainContext)
            container.mainContext.insert(Parent("A"))
            try await container.mainContext.save()
            #expect(try await container.mainContext.fetchCount(FetchDescriptor<Parent>()) == 1)
            await container.close()
        }
    }

    @Test func `a container is opened and used by blocking calls alone`() async throws {
        try await withTestDatabase { database in
            let url = try url(database)
            func work() throws {
                let container = try ModelContainer(
                    for: Parent.self, Graph.Child.self, configurations: ModelConfiguration(url: url))
                let context = ModelContext(container)
                context.insert(Parent("A", children: [Graph.Child("a")]))
                try context.save()
                #expect(try ModelContext(container).fetchCount(FetchDescriptor<Graph.Child>()) == 1)
                container.close()
            }
            try work()
        }
    }
}
