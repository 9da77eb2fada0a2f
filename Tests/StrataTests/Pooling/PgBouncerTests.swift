import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

@Model private final class Account {
    @Attribute(.unique) var name: String
    var balance: Int
    @Relationship(deleteRule: .cascade, inverse: \Booking.account) var bookings: [Booking] = []
    init(_ name: String, balance: Int = 0) {
        self.name = name
        self.balance = balance
    }
}

@Model private final class Booking {
    var amount: Int
    var account: Account?
    init(_ amount: Int, _ account: Account? = nil) {
        self.amount = amount
        self.account = account
    }
}

/// What works through PgBouncer, and what says that it does not: `make test-pooler`.
@Suite(.enabled(if: PgBouncer.isThere, "make test-pooler"), .timeLimit(.minutes(3)))
struct PgBouncerTests {
    private static let schema = Schema([Account.self, Booking.self])

    /// A store, PgBouncer before its server, and a container that goes through it.
    private struct PooledStore: Sendable {
        let database: TestDatabase
        let pooler: PgBouncer
        let container: ModelContainer

        /// A container as this one, with other settings.
        func container(_ configure: (inout ModelConfiguration) -> Void) async throws -> ModelContainer {
            var configuration = ModelConfiguration(url: try #require(pooler.url(for: database)))
            configuration.preparedStatements = .unnamed
            configure(&configuration)
            return try await ModelContainer(
                opening: PgBouncerTests.schema, configurations: [configuration],
                logger: Logger(label: "test"), observer: nil)
        }
    }

    private func withPooledStore(
        _ settings: PgBouncer.Settings = PgBouncer.Settings(), connections: Int = 32,
        prepared: PreparedStatements = .unnamed, log: LineLog = LineLog(),
        _ body: @Sendable (PooledStore) async throws -> Void
    ) async throws {
        try await withTestDatabase(template: .tables(of: Self.schema)) { database in
            let pooler = try await PgBouncer(before: database.configuration, settings)
            defer { pooler.stop() }
            var configuration = ModelConfiguration(url: try #require(pooler.url(for: database)))
            configuration.preparedStatements = prepared
            configuration.pool.maximumConnections = connections
            let container = try await ModelContainer(
                for: Self.schema, configurations: [configuration], logger: Logger(label: "test") { _ in log })
            do {
                try await body(PooledStore(database: database, pooler: pooler, container: container))
            } catch {
                await container.close()
                throw error
            }
            await container.close()
        }
    }

    /// What became of saves, by what they wrote.
    private struct Outcomes {
        var saved: Set<String> = []
        var failed: Set<String> = []
        /// Cut off behind a COMMIT.
        var unknown: Set<String> = []
    }

    private func expect(_ outcomes: Outcomes, in database: TestDatabase) async throws {
        let names = try await database.texts(#"SELECT "name" FROM "account" WHERE "name" LIKE 'new %'"#)
        let stored = Set(names)
        #expect(stored.count == names.count)
        #expect(outcomes.saved.subtracting(stored) == [], "saved, and not there")
        #expect(stored.intersection(outcomes.failed) == [], "failed, and there")
        #expect(stored.subtracting(outcomes.saved).subtracting(outcomes.unknown) == [], "there, and not reported")
    }

    // MARK: Transaction mode

    @Test func `32 tasks over 5 connections, some cancelled, lose nothing and double nothing`() async throws {
        try await withPooledStore { store in
            let outcomes = Shared(Outcomes())
            let sums = Shared([Int: Int]())
            let container = store.container
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<32 {
                    group.addTask {
                        var random = SeededGenerator(UInt64(task))
                        let own = Account("own \(task)")
                        let context = ModelContext(container)
                        context.insert(own)
                        try await context.save()
                        for round in 0..<24 {
                            switch Int.random(in: 0..<4, using: &random) {
                            case 0:
                                let amount = Int.random(in: 1..<100, using: &random)
                                own.balance += amount
                                context.insert(Booking(amount, own))
                                try await context.save()
                                sums.withLock { $0[task, default: 0] += amount }
                            case 1:
                                try await context.transaction { () async throws -> Void in
                                    let accounts = try await context.fetch(
                                        FetchDescriptor<Account>(sortBy: [SortDescriptor(\.name)]))
                                    #expect(!accounts.isEmpty)
                                    #expect(try await context.fetchCount(FetchDescriptor<Account>()) >= 1)
                                }
                            case 2:
                                var rows = 0
                                for try await _ in context.stream(FetchDescriptor<Account>(), pageSize: 7) { rows += 1 }
                                #expect(rows > 0)
                            default:
                                await self.insertCancelled("new \(task) \(round)", container, &random, outcomes)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await expect(outcomes.withLock { $0 }, in: store.database)
            let wrong = try await store.database.texts(
                """
                SELECT name FROM account LEFT JOIN (SELECT account AS owner, sum(amount) AS sum FROM booking GROUP BY account) booked
                ON owner = account.pk WHERE name LIKE 'own %' AND balance <> COALESCE(sum, 0)
                """)
            #expect(wrong == [])
            let total = try await store.database.texts("SELECT sum(balance)::text FROM account")
            #expect(total == ["\(sums.withLock { $0.values.reduce(0, +) })"])
        }
    }

    /// Saves a new account in a task that is cancelled soon, and notes what the save said.
    private func insertCancelled(
        _ name: String, _ container: ModelContainer, _ random: inout SeededGenerator,
        _ outcomes: Shared<Outcomes>
    ) async {
        let task = Task {
            let context = ModelContext(container)
            context.insert(Account(name))
            try await context.save()
        }
        try? await Task.sleep(for: .microseconds(Int.random(in: 0..<8000, using: &random)))
        task.cancel()
        switch await task.result {
        case .success: outcomes.withLock { _ = $0.saved.insert(name) }
        case .failure(let error as SwiftDataError) where error.code == .outcomeUnknown:
            outcomes.withLock { _ = $0.unknown.insert(name) }
        case .failure: outcomes.withLock { _ = $0.failed.insert(name) }
        }
    }

    @Test func `PgBouncer ends and comes back under load, and nothing is lost`() async throws {
        try await withPooledStore { store in
            let outcomes = Shared(Outcomes())
            let isOver = Shared(false)
            let container = store.container
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        var round = 0
                        while !isOver.withLock({ $0 }) {
                            let name = "new \(task) \(round)"
                            round += 1
                            let context = ModelContext(container)
                            context.insert(Account(name))
                            do {
                                try await context.save()
                                outcomes.withLock { _ = $0.saved.insert(name) }
                            } catch let error as SwiftDataError where error.code == .outcomeUnknown {
                                outcomes.withLock { _ = $0.unknown.insert(name) }
                            } catch {
                                outcomes.withLock { _ = $0.failed.insert(name) }
                                try await Task.sleep(for: .milliseconds(5))
                            }
                        }
                    }
                }
                for _ in 0..<3 {
                    let before = outcomes.withLock { $0.saved.count }
                    try await waitUntil { outcomes.withLock { $0.saved.count } > before + 20 }
                    store.pooler.stop()
                    let failed = outcomes.withLock { $0.failed.count }
                    try await waitUntil { outcomes.withLock { $0.failed.count } > failed }
                    try await store.pooler.start()
                }
                let before = outcomes.withLock { $0.saved.count }
                try await waitUntil { outcomes.withLock { $0.saved.count } > before + 20 }
                isOver.withLock { $0 = true }
                try await group.waitForAll()
            }
            try await expect(outcomes.withLock { $0 }, in: store.database)
        }
    }

    @Test func `author, context and limits of one call are nobody else's`() async throws {
        // One connection to the server, which all have in turn.
        try await withPooledStore(PgBouncer.Settings(serverConnections: 1)) { store in
            let container = store.container
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for round in 0..<10 {
                            let context = ModelContext(container)
                            if task.isMultiple(of: 2) {
                                context.author = "author \(task)"
                                context.timeout = .seconds(20)
                                context.settings = ["app.tenant": "\(task)"]
                            }
                            let found = try await context.fetch(
                                String.self,
                                sql: """
                                    SELECT concat_ws(' ', nullif(current_setting('app.tenant', true), ''), \
                                    current_setting('statement_timeout') <> '0')
                                    """)
                            #expect(found == [task.isMultiple(of: 2) ? "\(task) t" : "f"])
                            context.insert(Account("\(task) \(round)"))
                            try await context.save()
                        }
                    }
                }
                try await group.waitForAll()
            }
            var count = 0
            let context = ModelContext(container)
            let page = try await context.fetchHistory(after: DefaultHistoryToken(), limit: 1000)
            for transaction in page.transactions {
                for change in transaction.changes {
                    guard case .insert(let insert) = change, let insert = insert as? DefaultHistoryInsert<Account>
                    else { continue }
                    let account = try #require(
                        try await context.existingModel(for: insert.changedPersistentIdentifier, as: Account.self))
                    let task = try #require(Int(account.name.prefix { $0 != " " }))
                    #expect(transaction.author == (task.isMultiple(of: 2) ? "author \(task)" : nil))
                    count += 1
                }
            }
            #expect(count == 80)
        }
    }

    /// What a client can leave on a server process that others have after it, and how it is seen.
    private static let leftovers = [
        "settings": """
        SELECT string_agg(name || ' ' || setting, ', ') FROM pg_settings WHERE source = 'session'
        AND name NOT IN ('client_encoding', 'DateStyle', 'IntervalStyle', 'TimeZone', 'standard_conforming_strings', 'application_name')
        """,
        "prepared statements": "SELECT string_agg(name, ', ') FROM pg_prepared_statements",
        // The portal that asks has no name.
        "cursors": "SELECT string_agg(name, ', ') FROM pg_cursors WHERE name <> ''",
        "channels": "SELECT string_agg(channel, ', ') FROM pg_listening_channels() AS channel",
        "temporary tables": "SELECT string_agg(relname, ', ') FROM pg_class WHERE relpersistence = 't'",
        // The table of locks has those of all databases, and other tests hold some.
        "locks":
            "SELECT string_agg(locktype, ', ') FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
        // What no server knows beforehand is not in pg_settings.
        "settings of an application": """
        SELECT string_agg(name, ', ') FROM unnest(ARRAY['app.tenant', 'strata.author', 'strata.context']) AS name
        WHERE nullif(current_setting(name, true), '') IS NOT NULL
        """,
    ]

    @Test func `a store leaves nothing on a server process that others have after it`() async throws {
        try await withPooledStore(PgBouncer.Settings(serverConnections: 1)) { store in
            let context = ModelContext(store.container)
            context.author = "somebody"
            context.timeout = .seconds(20)
            context.settings = ["app.tenant": "17"]
            let account = Account("one")
            context.insert(account)
            context.insert(Booking(3, account))
            try await context.save()
            try await context.transaction { () async throws -> Void in
                account.balance += 1
                try await context.save()
                try await context.withAdvisoryLock("nightly") { () async throws -> Void in account.balance += 1 }
            }
            try await context.enumerate(FetchDescriptor<Account>()) { (_: Account) async throws -> Void in }
            for try await _ in context.stream(FetchDescriptor<Booking>(), pageSize: 1) {}
            _ = try await context.insert(into: Account.self, \.name, \.balance, rows: [("two", 2), ("three", 3)])
            _ = try await context.fetchHistory(after: DefaultHistoryToken(), limit: 10)
            account.bookings = []
            context.rollback()
            let connection = try await PostgresConnection.connect(
                store.pooler.configuration(for: store.database.configuration))
            defer { connection.close() }
            for (kind, sql) in Self.leftovers {
                var found = ""
                try await connection.run(
                    PostgresBatch(
                        PostgresStatement(PreparedSQL("SELECT coalesce((\(sql)), '')", isCached: false))
                    ) {
                        found = try $0.decode(0, as: String.self)
                    })
                #expect(found.isEmpty, "\(kind)")
            }
        }
    }

    @Test func `a container that only reads leaves its connection as others need it`() async throws {
        try await withPooledStore(PgBouncer.Settings(serverConnections: 1)) { store in
            let reading = try await ModelContainer(
                for: Self.schema,
                configurations: ModelConfiguration(
                    "reading", url: try #require(store.pooler.url(for: store.database)), allowsSave: false
                ).unnamed)
            for round in 0..<5 {
                #expect(try await ModelContext(reading).fetchCount(FetchDescriptor<Account>()) == round)
                let context = ModelContext(store.container)
                context.insert(Account("\(round)"))
                try await context.save()
            }
            await reading.close()
        }
    }

    @Test func `a lock of a transaction is held by one at a time`() async throws {
        try await withPooledStore { store in
            let container = store.container
            let inside = Shared((now: 0, most: 0, entered: 0))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        try await ModelContext(container).withAdvisoryLock("nightly") { () async throws -> Void in
                            inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.entered + 1) }
                            try await Task.sleep(for: .milliseconds(2))
                            inside.withLock { $0.now -= 1 }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let (_, most, entered) = inside.withLock { $0 }
            #expect(most == 1)
            #expect(entered == 16)
        }
    }

    @Test func `a lock of a session is refused, and a direct URL leads past PgBouncer`() async throws {
        try await withPooledStore { store in
            let error = await #expect(throws: SwiftDataError.self) {
                try await store.container.withAdvisoryLock("nightly") { () async throws -> Void in }
            }
            #expect(error?.code == .unsupportedFeature)
            #expect(error?.message.contains("directURL") == true)
            // Nor is it held by a connection to the server that others have after this.
            #expect(
                try await store.database.texts(
                    """
                    SELECT count(*)::text FROM pg_locks WHERE locktype = 'advisory'
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    """) == ["0"])
            let direct = try await store.container { $0.directURL = store.database.foundationURL }
            let runs = Shared(0)
            try await direct.withAdvisoryLock("nightly") { () async throws -> Void in runs.withLock { $0 += 1 } }
            #expect(runs.withLock { $0 } == 1)
            await direct.close()
        }
    }

    @Test func `objects are enumerated through a cursor, and rows written by COPY`() async throws {
        try await withPooledStore { store in
            let container = store.container
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<6 {
                    group.addTask {
                        let context = ModelContext(container)
                        let rows = try await context.insert(
                            into: Account.self, \.name, \.balance, rows: (0..<500).map { ("\(task) \($0)", $0) })
                        #expect(rows.insertedCount == 500)
                        var sum = 0
                        try await context.enumerate(
                            FetchDescriptor<Account>(predicate: #Predicate { $0.balance >= 490 }), batchSize: 3
                        ) { (account: Account) async throws -> Void in sum += 1 }
                        #expect(sum >= 10)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Account>()) == 3000)
        }
    }

    @Test(arguments: [false, true])
    func `history is followed, by looking or past PgBouncer`(isDirect: Bool) async throws {
        // Both containers share what observes, which logs where the first one does.
        let log = LineLog()
        try await withPooledStore(log: log) { store in
            let container = try await store.container {
                if isDirect {
                    $0.directURL = store.database.foundationURL
                    // So seldom that only a notification can be what wakes.
                    $0.historyPollInterval = .seconds(600)
                }
            }
            let token = try await container.currentHistoryToken()
            let following = Task {
                try await within(seconds: 100) {
                    var count = 0
                    for try await transaction in container.history(after: token) {
                        count += transaction.changes.count
                        if count >= 5 { return }
                    }
                }
            }
            if !isDirect {
                try await waitUntil { log.lines.contains { $0.contains("notifications do not arrive") } }
            }
            for number in 0..<5 {
                let context = ModelContext(store.container)
                context.insert(Account("\(number)"))
                try await context.save()
            }
            try await following.value
            await container.close()
        }
    }

    @Test func `an empty database gets its tables through PgBouncer`() async throws {
        try await withTestDatabase { database in
            let pooler = try await PgBouncer(before: database.configuration)
            defer { pooler.stop() }
            let container = try await ModelContainer(
                for: Self.schema,
                configurations: ModelConfiguration(url: try #require(pooler.url(for: database))).unnamed)
            let context = ModelContext(container)
            context.insert(Account("first"))
            try await context.save()
            #expect(try await context.fetchCount(FetchDescriptor<Account>()) == 1)
            await container.close()
        }
    }

    // MARK: Prepared statements

    @Test func `named statements fail where PgBouncer does not follow them, and the error says what to set`()
        async throws
    {
        let error = await #expect(throws: SwiftDataError.self) {
            try await withPooledStore(prepared: .named()) { store in
                // What is no transaction of the caller's is done again with new names, and within one BEGIN mostly tells of another
                // process. Not where BEGIN is known to the process, and what follows is not: then the caller hears of it.
                try await self.readAndWrite(store.container)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for task in 0..<16 {
                        group.addTask {
                            var random = SeededGenerator(UInt64(task))
                            for _ in 0..<100 {
                                let context = ModelContext(store.container)
                                let first = Int.random(in: 0..<6, using: &random)
                                let second = Int.random(in: 0..<6, using: &random)
                                // Prepared on whichever process it meets, BEGIN being known from another one.
                                try await self.read(Int.random(in: 0..<6, using: &random), in: context)
                                try await context.transaction { () async throws -> Void in
                                    for number in [first, second] { try await self.read(number, in: context) }
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
        #expect(
            error.map { "\($0)".contains("preparedStatements to .unnamed") } == true, "\(String(describing: error))")
    }

    @Test(.enabled(if: PgBouncer.isThere && PgBouncer.knowsPreparedStatements, "PgBouncer 1.21 or later"))
    func `named statements are followed from one server process to the next`() async throws {
        try await withPooledStore(PgBouncer.Settings(preparedStatements: 200), prepared: .named()) { store in
            try await self.readAndWrite(store.container)
        }
    }

    /// One of six statements.
    private func read(_ number: Int, in context: ModelContext) async throws {
        switch number {
        case 0: _ = try await context.fetchCount(FetchDescriptor<Account>())
        case 1: _ = try await context.fetchCount(FetchDescriptor<Booking>())
        case 2: _ = try await context.fetch(FetchDescriptor<Account>())
        case 3: _ = try await context.fetch(FetchDescriptor<Booking>())
        case 4: _ = try await context.fetchIdentifiers(FetchDescriptor<Account>())
        default: _ = try await context.fetchIdentifiers(FetchDescriptor<Booking>())
        }
    }

    private func readAndWrite(_ container: ModelContainer) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for round in 0..<20 {
                        let context = ModelContext(container)
                        let name = "\(task) \(round)"
                        context.insert(Account(name))
                        try await context.save()
                        let found = try await context.fetch(
                            FetchDescriptor<Account>(predicate: #Predicate { $0.name == name }))
                        #expect(found.count == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: Other modes

    @Test func `in session mode named statements work, and locks of sessions past PgBouncer`() async throws {
        try await withPooledStore(
            PgBouncer.Settings(.session, serverConnections: 40), connections: 8, prepared: .named()
        ) { store in
            try await self.readAndWrite(store.container)
            let error = await #expect(throws: SwiftDataError.self) {
                try await store.container.withAdvisoryLock("nightly") { () async throws -> Void in }
            }
            #expect(error?.message.contains("directURL") == true)
        }
    }

    @Test func `statement mode is refused with what to set`() async throws {
        let error = await #expect(throws: SwiftDataError.self) {
            try await withPooledStore(PgBouncer.Settings(.statement)) { store in
                let context = ModelContext(store.container)
                context.insert(Account("one"))
                context.insert(Booking(1))
                try await context.save()
            }
        }
        #expect(error.map { "\($0)".contains("pool_mode") } == true, "\(String(describing: error))")
    }
}

extension ModelConfiguration {
    /// The same, for a pooler that follows no prepared statements.
    fileprivate var unnamed: ModelConfiguration {
        var configuration = self
        configuration.preparedStatements = .unnamed
        return configuration
    }
}
