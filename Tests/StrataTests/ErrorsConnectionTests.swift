import Foundation
import Logging
import SampleTripsModels
import Strata
import StrataClient
import StrataLocalServer
import StrataTestSupport
import Testing

private func newTrip(_ name: String = "T") -> Trip {
    Trip(name: name, destination: "D", startDate: day(0), endDate: day(1))
}

/// After whatever happened a context fetches and saves as if nothing had.
func expectUsable(_ context: ModelContext, _ location: SourceLocation = #_sourceLocation) async throws {
    context.rollback()
    let before = try await context.fetchCount(FetchDescriptor<Trip>())
    let trip = newTrip("usable \(UUID())")
    context.insert(trip)
    try await context.save()
    let name = trip.name
    let found = try await context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == name }))
    #expect(found.count == 1 && found.first === trip, sourceLocation: location)
    #expect(try await context.fetchCount(FetchDescriptor<Trip>()) == before + 1, sourceLocation: location)
    #expect(!context.hasChanges, sourceLocation: location)
}

private func open(_ url: String, timeout: Duration = .seconds(10)) async throws -> ModelContainer {
    var configuration = ModelConfiguration(url: try #require(URL(string: url)))
    configuration.pool.acquireTimeout = timeout
    return try await ModelContainer(
        for: Schema(Trip.self, BusinessTrip.self, PersonalTrip.self), configurations: [configuration])
}

@Suite struct ErrorsConnectionTests {
    static let secret = "pa55w0rd-that-nobody-sees"

    @Test func `a wrong password is an error that names neither password nor values`() async throws {
        // A server that asks for a password, on a TCP port of its own, is not to be had everywhere: SCRAM over its
        // socket is.
        let server = try TestServer.another()
        defer { server.stop() }
        let maintenance = try PostgresConfiguration(url: server.url)
        let admin = try await PostgresConnection.connect(maintenance)
        for sql in ["CREATE ROLE guest LOGIN PASSWORD 'right'", "CREATE DATABASE trips OWNER guest"] {
            try await admin.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
        }
        let hba = server.dataDirectory.appendingPathComponent("pg_hba.conf")
        let trusting = try String(contentsOf: hba, encoding: .utf8)
        try ("local all guest scram-sha-256\n" + trusting).write(to: hba, atomically: false, encoding: .utf8)
        try await admin.run(PostgresBatch(PostgresStatement(PreparedSQL("SELECT pg_reload_conf()", isCached: false))))
        admin.close()
        let socket = server.socketDirectory.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let url =
            "postgresql://guest:\(Self.secret)@/trips?host=\(socket)&port=\(maintenance.options["port"] ?? "5432")"
        var caught: (any Error)?
        for _ in 0..<50 where caught == nil {
            // The new rules take effect a moment after the reload.
            do { await (try open(url)).close() } catch { caught = error }
        }
        let error = try #require(caught as? SwiftDataError)
        #expect(error.code == .loadIssueModelContainer)
        #expect(error.underlying?.code == .authenticationFailed)
        #expect(error.underlying?.isRetryable == false)
        expectNoSecret(error)
        let right = try await open(url.replacing(Self.secret, with: "right"))
        try await expectUsable(ModelContext(right))
        expectNoSecret(right, "right@")
        await right.close()
    }

    private func expectNoSecret(_ value: Any, _ secret: String = secret, _ location: SourceLocation = #_sourceLocation)
    {
        var dumped = ""
        dump(value, to: &dumped)
        for text in [
            "\(value)", String(reflecting: value), dumped,
            String(describing: Mirror(reflecting: value).children.map { $0 }),
        ] {
            #expect(!text.contains(secret), sourceLocation: location)
        }
    }

    @Test func `no text about a configuration, an error or a container shows a password`() async throws {
        for url in [
            "postgresql://u:\(Self.secret)@127.0.0.1:1/x",
            "postgresql:///x?host=127.0.0.1&port=1&user=u&password=\(Self.secret)",
            "postgres://u:\(Self.secret)@127.0.0.1:1/x?passfile=/nowhere&options=-c%20search_path%3Da",
            "postgresql://u:\(Self.secret)@127.0.0.1:99999/x",
            "postgresql://u:\(Self.secret)@127.0.0.1:1/x?sslmode=nonsense",
            "postgresql://u:\(Self.secret)@127.0.0.1:1/x?nonsense=1", "mysql://u:\(Self.secret)@127.0.0.1/x",
            "postgresql://u:\(Self.secret)@[::1/x",
        ] {
            guard let parsed = URL(string: url) else { continue }
            let configuration = ModelConfiguration(url: parsed)
            expectNoSecret(configuration)
            expectNoSecret([configuration])
            expectNoSecret(Optional(configuration) as Any)
            if let client = try? PostgresConfiguration(url: url) {
                expectNoSecret(client)
                expectNoSecret(["k": client])
            }
            do {
                let container = try await ModelContainer(
                    for: Schema(Trip.self, BusinessTrip.self, PersonalTrip.self), configurations: [configuration])
                await container.close()
                Issue.record("\(parsed.scheme ?? "") opened")
            } catch {
                expectNoSecret(error)
                #expect(error is SwiftDataError, "\(error)")
            }
        }
    }

    @Test func `no server is an error that says so`() async throws {
        let error = await #expect(throws: SwiftDataError.self) {
            try await open("postgresql://u@127.0.0.1:1/nothing?connect_timeout=2")
        }
        #expect(error?.code == .loadIssueModelContainer)
        #expect(error?.underlying?.code == .connectionFailed)
        #expect(error?.isRetryable == true)
    }

    @Test func `an unknown database is an error with its SQLSTATE`() async throws {
        let server = try TestServer.shared()
        var url = server.configuration(database: "strata_there_is_no_such_database")
        url.database = "strata_there_is_no_such_database"
        let options = url.options.filter { $0.key != "dbname" }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        let error = await #expect(throws: SwiftDataError.self) {
            try await open("postgresql:///strata_there_is_no_such_database?\(options)")
        }
        #expect(error?.code == .loadIssueModelContainer)
        #expect(error?.message.contains("strata_there_is_no_such_database") == true)
    }

    @Test func `a server that restarts between two calls is not noticed`() async throws {
        let server = try TestServer.another()
        defer { server.stop() }
        let container = try await open(server.url)
        let context = ModelContext(container)
        let trip = newTrip()
        context.insert(trip)
        try await context.save()
        try server.restart()
        #expect(try await context.fetch(FetchDescriptor<Trip>()).first === trip)
        try server.restart(mode: .immediate)
        trip.destination = "after"
        try await context.save()
        try server.restart()
        #expect(trip.bucketList.isEmpty)
        try context.throwUnreportedErrors()
        try server.restart()
        try await context.save()
        let count = try await context.transaction { try await context.fetchCount(FetchDescriptor<Trip>()) }
        #expect(count == 1)
        try server.restart()
        var seen = 0
        try await context.enumerate(FetchDescriptor<Trip>()) { (_: Trip) in seen += 1 }
        #expect(seen == 1)
        try await expectUsable(context)
        await container.close()
    }

    @Test func `a server that is gone fails each call and loses nothing in memory`() async throws {
        let server = try TestServer.another()
        let container = try await open(server.url, timeout: .seconds(3))
        let context = ModelContext(container)
        let trip = newTrip()
        context.insert(trip)
        try await context.save()
        server.stop()
        trip.destination = "unsaved"
        context.insert(newTrip("new"))
        func expectConnectionFailure(_ location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void)
            async
        {
            let error = await #expect(throws: SwiftDataError.self, sourceLocation: location) { try await body() }
            #expect(error?.code == .storeFailure, "\(String(describing: error))", sourceLocation: location)
            #expect(
                error?.underlying?.isConnectionLoss == true, "\(String(describing: error))", sourceLocation: location)
        }
        await expectConnectionFailure { _ = try await context.fetch(FetchDescriptor<Trip>()) }
        await expectConnectionFailure { _ = try await context.fetchCount(FetchDescriptor<BucketListItem>()) }
        await expectConnectionFailure { try await context.save() }
        await expectConnectionFailure {
            try await context.enumerate(FetchDescriptor<Trip>(), allowEscapingMutations: true) { (_: Trip) in }
        }
        await expectConnectionFailure { _ = try await context.model(for: PersistentIdentifier.other(than: trip)) }
        await expectConnectionFailure { try await context.refresh([trip]) }
        await expectConnectionFailure { try await context.load([trip], \.bucketList) }
        #expect(trip.destination == "unsaved")
        #expect(context.insertedModelsArray.count == 1)
        #expect(context.changedModelsArray.count == 1)
        await expectConnectionFailure { try await context.transaction {} }
        #expect(trip.destination == "unsaved")
        #expect(context.insertedModelsArray.count == 1)
        await container.close()
        let closed = await #expect(throws: SwiftDataError.self) {
            try await context.fetchCount(FetchDescriptor<Trip>())
        }
        #expect(closed?.underlying?.code == .poolClosed)
    }

    @Test func `a killed connection in each kind of call is an error or is made good, and the context goes on`()
        async throws
    {
        try await withTripStore("killed") { store in
            let context = ModelContext(store.container)
            let trip = newTrip()
            context.insert(trip)
            try await context.save()
            func kill() async throws {
                try await store.database.execute(
                    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() "
                        + "AND pid <> pg_backend_pid()")
            }
            // Idle connections: nobody notices.
            try await kill()
            trip.destination = "A"
            try await context.save()
            try await kill()
            #expect(try await context.fetchCount(FetchDescriptor<Trip>()) == 1)

            // In a transaction: everything is undone.
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.transaction {
                    trip.destination = "B"
                    try await context.save()
                    context.insert(newTrip("inside"))
                    try await kill()
                    try await context.save()
                }
            }
            #expect(error?.code == .storeFailure, "\(String(describing: error))")
            #expect(error?.underlying?.isConnectionLoss == true, "\(String(describing: error))")
            #expect(error?.sqlState == "57P01", "\(String(describing: error))")
            #expect(trip.destination == "A")
            try await expectUsable(context)

            // In a blocking transaction.
            let blocking = #expect(throws: SwiftDataError.self) {
                try context.transaction {
                    trip.destination = "C"
                    try context.save()
                    try killBlocking(store.database)
                    _ = try context.fetchCount(FetchDescriptor<Trip>())
                }
            }
            #expect(blocking?.code == .storeFailure)
            #expect(trip.destination == "A")
            try await expectUsable(context)

            // In a transaction, before an enumeration.
            let early = await #expect(throws: SwiftDataError.self) {
                try await context.transaction {
                    trip.destination = "D"
                    try await context.save()
                    try await kill()
                    try await context.enumerate(FetchDescriptor<Trip>()) { (_: Trip) in }
                }
            }
            #expect(early?.sqlState == "57P01", "\(String(describing: early))")
            #expect(trip.destination == "A")
            try await expectUsable(context)

            // In an enumeration, while the next batch is on its way.
            for number in 0..<20 { context.insert(newTrip("many \(number)")) }
            try await context.save()
            var seen = 0
            let lost = await #expect(throws: SwiftDataError.self) {
                try await context.enumerate(FetchDescriptor<Trip>(), batchSize: 2) { (_: Trip) in
                    seen += 1
                    if seen == 3 { try await kill() }
                }
            }
            #expect(lost?.code == .storeFailure, "\(String(describing: lost))")
            // The server said so between two answers.
            #expect(lost?.sqlState == "57P01", "\(String(describing: lost))")
            #expect(seen < 20)
            try await expectUsable(context)
            var all = 0
            try await context.enumerate(FetchDescriptor<Trip>(), batchSize: 2) { (_: Trip) in all += 1 }
            #expect(all > 20)
            #expect(try await context.fetchCount(FetchDescriptor<Trip>()) == all)
            let row = try #require(
                try await ModelContext(store.container).fetch(
                    FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "T" })
                ).first)
            #expect(row.destination == "A")
        }
    }

    private func killBlocking(_ database: TestDatabase) throws {
        let connection = try PostgresConnection.connect(database.configuration)
        defer { connection.close() }
        try connection.run(
            PostgresBatch(
                PostgresStatement(
                    PreparedSQL(
                        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() "
                            + "AND pid <> pg_backend_pid()", isCached: false))))
    }

    @Test func `a backend killed in the middle of a save leaves nothing half-saved`() async throws {
        try await withTripStore("mid-save") { store in
            // The server kills the session that inserts the second kind of row.
            try await store.database.execute(
                """
                CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$
                """,
                "CREATE TRIGGER die BEFORE INSERT ON bucket_list_item FOR EACH ROW EXECUTE FUNCTION die()")
            let context = ModelContext(store.container)
            let trip = newTrip()
            trip.bucketList = [BucketListItem(title: "x")]
            context.insert(trip)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .storeFailure, "\(String(describing: error))")
            #expect(error?.sqlState == "57P01", "\(String(describing: error))")
            #expect(context.insertedModelsArray.count == 2)
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Trip>()) == 0)
            try await store.database.execute("DROP TRIGGER die ON bucket_list_item")
            try await context.save()
            let reader = ModelContext(store.container)
            #expect(try await reader.fetch(FetchDescriptor<Trip>()).first?.bucketList.count == 1)
            try await expectUsable(context)
        }
    }

    @Test func `a session that is ended at COMMIT has stored nothing and says so, and leaves the context as before`()
        async throws
    {
        try await withTripStore("commit") { store in
            try await store.database.execute(
                """
                CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$
                """,
                "CREATE CONSTRAINT TRIGGER die AFTER INSERT ON bucket_list_item DEFERRABLE INITIALLY DEFERRED "
                    + "FOR EACH ROW EXECUTE FUNCTION die()")
            let context = ModelContext(store.container)
            let trip = newTrip()
            trip.bucketList = [BucketListItem(title: "x")]
            context.insert(trip)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .storeFailure && error?.sqlState == "57P01", "\(String(describing: error))")
            #expect(context.insertedModelsArray.count == 2)
            #expect(trip.bucketList.count == 1)
            let inTransaction = await #expect(throws: SwiftDataError.self) {
                try await context.transaction { try await context.save() }
            }
            #expect(inTransaction?.code == .storeFailure && inTransaction?.sqlState == "57P01")
            try await store.database.execute("DROP TRIGGER die ON bucket_list_item")
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Trip>()) == 0)
            try await expectUsable(context)
        }
    }
}

extension PersistentIdentifier {
    /// An identifier of the same entity for which there is no object in memory.
    static func other(than model: any PersistentModel) throws -> PersistentIdentifier {
        let own = model.persistentModelID
        return try .identifier(
            for: own.storeIdentifier ?? "", entityName: own.entityName,
            primaryKey: Int64.max - Int64.random(in: 0..<1000))
    }
}
