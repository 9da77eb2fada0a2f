import Foundation
import Logging
import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport
import Synchronization
import Testing

/// What opening a container does for the history, what it says about it, and what it needs for that.
@Suite struct HistoryOpeningTests {
    private static let schema = Schema(Trip.self, BusinessTrip.self, PersonalTrip.self)

    private func open(
        _ database: TestDatabase, log: HistoryLog = HistoryLog(), recordsHistory: Bool = true, role: String? = nil,
        _ body: (ModelContainer) async throws -> Void = { _ in }
    ) async throws {
        var url = try #require(database.foundationURL)
        if let role { url.append(queryItems: [URLQueryItem(name: "user", value: role)]) }
        var configuration = ModelConfiguration(url: url)
        configuration.recordsHistory = recordsHistory
        let container = try await ModelContainer(
            opening: Self.schema, configurations: [configuration], logger: Logger(label: "test") { _ in log },
            observer: nil
        )
        do {
            try await body(container)
            await container.close()
        } catch {
            await container.close()
            throw error
        }
    }

    private func addTrip(_ container: ModelContainer) async throws {
        let context = ModelContext(container)
        context.insert(Trip(name: UUID().uuidString, destination: "Italy", startDate: day(1), endDate: day(2)))
        try await context.save()
    }

    private func value(_ sql: String, in database: TestDatabase) async throws -> String {
        let connection = try await database.connect()
        defer { connection.close() }
        var value = ""
        try await connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL("SELECT (\(sql))::text", isCached: false))) { row in
                value = try row.decodeIfPresent(0) ?? "nil"
            })
        return value
    }

    private func changes(_ database: TestDatabase) async throws -> String {
        try await value("SELECT count(*) FROM strata.history_change", in: database)
    }

    private func triggers(_ database: TestDatabase) async throws -> String {
        try await value("SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'strata_history%'", in: database)
    }

    @Test func `A container that creates its tables records what is saved`() async throws {
        try await withTestDatabase { database in
            let log = HistoryLog()
            try await open(database, log: log) { container in
                try await addTrip(container)
                #expect(try await container.verifyHistory() == [])
            }
            #expect(try await changes(database) == "1")
            #expect(log.warnings == [])
        }
    }

    @Test func `Opening says which trigger is disabled; so does verifyHistory, and repairHistory makes it right`()
        async throws
    {
        try await withTestDatabase { database in
            try await open(database)
            try await database.execute("ALTER TABLE trip DISABLE TRIGGER strata_history_update")
            let log = HistoryLog()
            try await open(database, log: log) { container in
                #expect(log.warnings.count == 1)
                #expect(
                    log.warnings.first?.contains("public.trip: the trigger strata_history_update is disabled") == true)
                let findings = try await container.verifyHistory()
                #expect(findings.map(\.table) == ["trip"])
                #expect(findings.map(\.name) == ["strata_history_update"])
                #expect(findings.map(\.problem) == [.disabled])
                func blocking() throws -> [HistoryFinding] { try container.verifyHistory() }
                #expect(try blocking() == findings)
                try await container.repairHistory()
                #expect(try await container.verifyHistory() == [])
            }
        }
    }

    @Test func `A problem that only a newer release knows is told by its name, and by none of this release's`()
        async throws
    {
        try await withTestDatabase { database in
            try await open(database) { container in
                try await database.execute(
                    """
                    CREATE OR REPLACE FUNCTION strata.history_findings(schema_name text)
                    RETURNS TABLE(relation text, name text, problem text) LANGUAGE sql
                    AS $$ SELECT 'trip', 'strata_history_update', 'mirrored' $$
                    """)
                let findings = try await container.verifyHistory().filter { $0.problem != .stale }
                #expect(findings.map(\.problem) == [.unknown])
                #expect(findings.map(\.name) == ["strata_history_update (mirrored)"])
                #expect(
                    findings.first?.description
                        == "public.trip: strata_history_update (mirrored): a newer release of Strata has installed the history's "
                        + "functions and knows this problem, this one does not: update Strata in this program"
                )
            }
        }
    }

    @Test func `A function of the library that was changed is found and put back`() async throws {
        try await withTestDatabase { database in
            try await open(database) { container in
                try await database.execute(
                    """
                    CREATE OR REPLACE FUNCTION strata.history_wake(store_number integer) RETURNS void LANGUAGE plpgsql
                    AS 'BEGIN RETURN; END'
                    """,
                    "DROP FUNCTION strata.history_begin")
                let findings = try await container.verifyHistory()
                #expect(Set(findings.map(\.name)) == ["strata.history_wake", "strata.history_begin"])
                #expect(Set(findings.map(\.problem)) == [.stale, .missing])
                func repair() throws { try container.repairHistory() }
                try repair()
                #expect(try await container.verifyHistory() == [])
            }
        }
    }

    @Test
    func `A newer release that may create tables replaces the trigger functions of an older one when it opens`()
        async throws
    {
        try await withTestDatabase { database in
            try await open(database)
            // As release 1 has left it: its functions, and what they made of the table.
            try await database.execute(
                """
                DO $do$ DECLARE definition text := pg_get_functiondef('strata.history_expected'::regproc); BEGIN
                    definition := regexp_replace(
                        definition, 'IF current_setting.''''transaction_isolation''''.*?END IF;', 'NULL;');
                    ASSERT definition NOT LIKE '%transaction_isolation%';
                    EXECUTE definition;
                END $do$
                """,
                """
                CREATE OR REPLACE FUNCTION strata.history_version() RETURNS integer LANGUAGE sql IMMUTABLE
                AS 'SELECT 1'
                """,
                "SELECT strata.history_sync('public')")
            func isAware() async throws -> String {
                try await value(
                    "SELECT prosrc LIKE '%transaction_isolation%' FROM pg_proc WHERE proname = 'strata_history_' || (SELECT number FROM strata.store LIMIT 1) || '_trip'",
                    in: database)
            }
            #expect(try await isAware() == "false")
            let log = HistoryLog()
            try await open(database, log: log) { container in
                let findings = try await container.verifyHistory()
                #expect(findings == [])
                #expect(log.warnings == [])
            }
            #expect(try await isAware() == "true")
        }
    }

    @Test func `A store without history has no triggers; it is told to have one, and told again not to`() async throws {
        try await withTestDatabase { database in
            try await open(database, recordsHistory: false) { container in
                try await addTrip(container)
                #expect(try await container.verifyHistory() == [])
            }
            #expect(try await triggers(database) == "0")
            // Tables that others may be writing to are not locked because somebody opens a container.
            let log = HistoryLog()
            try await open(database, log: log) { container in
                #expect(try await container.verifyHistory().map(\.problem) == [.undescribed])
                #expect(log.warnings.first?.contains("have no history") == true)
                try await container.repairHistory()
                try await addTrip(container)
            }
            #expect(try await changes(database) == "1")
            try await open(database, recordsHistory: false)
            #expect(try await triggers(database) == "0")
        }
    }

    @Test func `A database from before the history gets what it needs, and its tables are left alone`() async throws {
        try await withTestDatabase { database in
            try await open(database, recordsHistory: false)
            try await database.execute(
                """
                DO $$ DECLARE name text; BEGIN
                    FOR name IN SELECT p.oid::regprocedure FROM pg_proc p WHERE pronamespace = 'strata'::regnamespace AND proname ~ '^history'
                    LOOP EXECUTE 'DROP FUNCTION ' || name; END LOOP;
                    FOR name IN SELECT c.oid::regclass FROM pg_class c
                        WHERE relnamespace = 'strata'::regnamespace AND relkind = 'r' AND relname ~ '^history'
                    LOOP EXECUTE 'DROP TABLE ' || name; END LOOP;
                END $$
                """,
                "DROP SEQUENCE strata.history_change_seq",
                """
                ALTER TABLE strata.store DROP number, DROP generation, DROP system_identifier, DROP timeline, DROP database_oid,
                    DROP deleted_below, DROP deletions
                """)
            try await open(database) { container in
                try await addTrip(container)
                #expect(try await container.verifyHistory().map(\.problem) == [.undescribed])
            }
            #expect(try await triggers(database) == "0")
        }
    }

    @Test func `A class that is added later is recorded too`() async throws {
        try await withTestDatabase { database in
            let configuration = ModelConfiguration(url: try #require(database.foundationURL))
            let first = try await ModelContainer(for: Schema(Graph.Employee.self), configurations: [configuration])
            await first.close()
            let second = try await ModelContainer(
                for: Schema(Graph.Employee.self, Graph.Vehicle.self, Graph.Garage.self), configurations: [configuration]
            )
            #expect(try await second.verifyHistory() == [])
            await second.close()
            #expect(
                try await value(
                    "SELECT count(*) FROM pg_trigger WHERE tgname ~ '^strata_history' AND tgrelid = 'vehicle'::regclass",
                    in: database)
                    == "4")
        }
    }

    @Test func `An application's role opens and saves with no more than it was granted`() async throws {
        try await withTestDatabase { database in
            try await open(database)
            let role = "history_opener_\(UInt32.random(in: 0 ... .max))"
            try await database.execute(
                "CREATE ROLE \(role) LOGIN",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role)")
            do {
                // With what applications were granted before there was a history, it opens, and says what it cannot see.
                try await database.execute(
                    "GRANT USAGE ON SCHEMA strata TO \(role)", "GRANT SELECT ON strata.store TO \(role)",
                    "GRANT USAGE ON SEQUENCE strata.key_block TO \(role)")
                let log = HistoryLog()
                try await open(database, log: log, role: role) { container in
                    try await addTrip(container)
                    #expect(try await container.verifyHistory().map(\.problem) == [.unreadable])
                }
                #expect(log.warnings.first?.contains("history_grant") == true)
                try await database.execute("SELECT strata.history_grant('\(role)', 'write')")
                let second = HistoryLog()
                try await open(database, log: second, role: role) { container in
                    try await addTrip(container)
                    #expect(try await container.verifyHistory() == [])
                }
                #expect(second.warnings == [])
                #expect(
                    try await value(
                        "SELECT count(*) FROM strata.history_transaction WHERE actor = '\(role)'", in: database) == "2")
            } catch {
                try? await database.execute("DROP OWNED BY \(role)", "DROP ROLE \(role)")
                throw error
            }
            try await database.execute("DROP OWNED BY \(role)", "DROP ROLE \(role)")
        }
    }

    @Test func `A store that is thrown away takes its history with it`() async throws {
        try await withTestDatabase { database in
            let configuration = ModelConfiguration(
                url: try #require(database.foundationURL), isStoredInMemoryOnly: true)
            let container = try await ModelContainer(for: Self.schema, configurations: [configuration])
            try await addTrip(container)
            #expect(try await changes(database) == "1")
            await container.close()
            for table in ["history_change", "history_transaction", "history_entity", "history_property", "store"] {
                #expect(try await value("SELECT count(*) FROM strata.\(table)", in: database) == "0", "\(table)")
            }
        }
    }
}

/// Keeps the warnings.
private final class HistoryLog: LogHandler {
    private let lines = Mutex<[String]>([])
    var warnings: [String] { lines.withLock { $0 } }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .warning }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        lines.withLock { $0.append("\(event.message)") }
    }
}
