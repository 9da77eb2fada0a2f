import Foundation
import Logging
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataClient

@Suite struct PostgresErrorTests {
    @Test(arguments: [
        ("FATAL", "57P01", "ProcessInterrupts", true), ("FATAL", "25P03", "ProcessInterrupts", true),
        // A pooler that lost its server, a server whose disk failed, and one that refused an earlier message.
        ("FATAL", "08P01", nil, false), ("PANIC", "58030", "issue_xlog_fsync", false),
        ("FATAL", "08P01", "ProcessStartupPacket", false), ("ERROR", "57014", "ProcessInterrupts", false),
    ])
    func onlyAnInterruptionSaysThatCommitWasNotCarriedOut(
        severity: String, sqlState: String, function: String?, isInterruption: Bool
    ) {
        var report = ServerReport(message: "")
        (report.severity, report.sqlState, report.sourceFunction) = (severity, sqlState, function)
        #expect(report.isInterruption == isInterruption)
    }

    @Test(arguments: [
        ("ERROR", "26000", #"prepared statement "p_1" does not exist"#, [".unnamed", "max_prepared_statements"]),
        ("ERROR", "42P05", #"prepared statement "p_1" already exists"#, [".unnamed", "max_prepared_statements"]),
        // As PgBouncer 1.18 and 1.24 say it, which end the client's connection with it.
        ("FATAL", "08P01", "transaction blocks not allowed in statement pooling mode", ["pool_mode"]),
    ])
    func errorsThatComeOfAPoolersModeSayWhatToSet(
        severity: String, sqlState: String, message: String, words: [String]
    ) {
        var report = ServerReport(message: message)
        (report.severity, report.sqlState) = (severity, sqlState)
        let text = PostgresError(report: report, stoppedBecause: nil).message
        #expect(text.hasPrefix(message))
        for word in words { #expect(text.contains(word), "\(text)") }
    }

    @Test func storedValuesAreInDebugDescriptionOnly() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute(
                "CREATE TABLE person (email text CONSTRAINT one_email UNIQUE, age int8 CHECK (age > 0))")
            let insert = PostgresStatement("INSERT INTO person VALUES ('secret@example.com', 5)", name: "insert person")
            try await connection.run(PostgresBatch(insert))
            let duplicate = await postgresError { try await connection.run(PostgresBatch(insert)) }
            let error = try #require(duplicate)
            #expect(error.sqlState == "23505" && error.constraint == "one_email" && error.table == "person")
            #expect(error.severity == "ERROR" && error.schema == "public")
            #expect(!error.description.contains("secret@example.com"))
            #expect(error.description.contains(#"in statement "insert person""#))
            #expect(error.debugDescription.contains("secret@example.com"))
            let cast = await postgresError { try await connection.execute("SELECT 'secret'::int8") }
            #expect(cast?.sqlState == "22P02")
            #expect(cast?.description.contains("secret") == false)
            #expect(cast?.serverMessage?.contains("secret") == true)
        }
    }

    @Test func aSyntaxErrorTellsItsPositionAndHint() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let error = await postgresError { try await connection.execute("SELECT lenght('a')") }
            #expect(error?.sqlState == "42883")
            #expect(error?.position == 8)
            #expect(error?.hint != nil)
        }
    }

    @Test func noServerIsAConnectionFailure() async throws {
        let configuration = try PostgresConfiguration(url: "postgres://nobody:hush@127.0.0.1:1/none")
        let error = await postgresError { _ = try await PostgresConnection.connect(configuration) }
        #expect(error?.code == .connectionFailed)
        #expect(error?.isRetryable == true && error?.isConnectionLoss == true && error?.wasSent == false)
        #expect(error?.debugDescription.contains("hush") == false)
    }

    @Test(.onPrivateServer) func aWrongPasswordIsAnAuthenticationFailureWithoutThePassword() async throws {
        let server = try TestServer.shared()
        let local = try #require(server.localServer)
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let role = "guarded_\(connection.backendID)"
            try await connection.execute("CREATE ROLE \(role) LOGIN PASSWORD 'right'")
            let rules = local.dataDirectory.appendingPathComponent("pg_hba.conf")
            let before = try String(contentsOf: rules, encoding: .utf8)
            try Data("local all \(role) scram-sha-256\n\(before)".utf8).write(to: rules)
            try await connection.execute("SELECT pg_reload_conf()")
            var configuration = database.configuration
            configuration.user = role
            for password in ["wrong-hush", nil] {
                configuration.options["password"] = password
                configuration.options["passfile"] = "/nonexistent"
                // The reload is carried out by another process.
                var error: PostgresError?
                for _ in 0..<200 where error == nil {
                    error = await postgresError { try await PostgresConnection.connect(configuration).close() }
                    if error == nil { try await Task.sleep(for: .milliseconds(20)) }
                }
                #expect(error?.code == .authenticationFailed)
                #expect(error?.isRetryable == false)
                #expect(error?.debugDescription.contains("hush") == false)
            }
            configuration.options["password"] = "right"
            try await PostgresConnection.connect(configuration).close()
            try Data(before.utf8).write(to: rules)
            try await connection.execute("SELECT pg_reload_conf()", "DROP ROLE \(role)")
        }
    }

    @Test(.onPrivateServer) func aRefusalIsUnderstoodInAnyLanguage() async throws {
        try await withTestDatabase { database in
            let role = "guest_\(UUID().uuidString.prefix(8).lowercased())"
            try await database.execute(
                "CREATE ROLE \(role) LOGIN", "REVOKE CONNECT ON DATABASE \"\(database.name)\" FROM PUBLIC")
            let proxy = try TranslatingProxy(before: database.configuration)
            defer { proxy.stop() }
            func error(_ change: (inout PostgresConfiguration) -> Void) async -> PostgresError? {
                var configuration = proxy.configuration(for: database.configuration)
                change(&configuration)
                return await postgresError { try await PostgresConnection.connect(configuration).close() }
            }
            let stranger = await error { $0.user = "no_such_role" }
            #expect(stranger?.code == .authenticationFailed && stranger?.sqlState == "28000")
            #expect(stranger?.message.contains(TranslatingProxy.words) == true)
            let missing = await error { $0.database = "no_such_shop" }
            #expect(missing?.code == .connectionFailed && missing?.sqlState == "3D000")
            let denied = await error { $0.user = role }
            #expect(denied?.code == .connectionFailed && denied?.sqlState == "42501")
            // Nothing that a GRANT on tables would mend.
            #expect(denied?.lacksRight == false)
            try await database.execute("DROP ROLE \(role)")
        }
    }

    @Test func aStatementTimeoutIsATimeout() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("SET statement_timeout = '20ms'")
            let error = await postgresError { try await connection.execute("SELECT pg_sleep(60)") }
            #expect(error?.code == .timeout)
            #expect(connection.isUsable)
        }
    }

    @Test func serializationFailuresAndDeadlocksAreRetryable() throws {
        for state in ["40001", "40P01", "55P03", "57P01", "57P03", "53300"] {
            var report = ServerReport(message: "")
            report.sqlState = state
            report.severity = "ERROR"
            #expect(PostgresError(report: report, stoppedBecause: nil).isRetryable, "\(state)")
        }
        #expect(!PostgresError(.outcomeUnknown, "", wasSent: true).isRetryable)
        #expect(PostgresError(.connectionLost, "", wasSent: false).isRetryable)
        #expect(!PostgresError(.connectionLost, "", wasSent: true).isRetryable)
    }

    @Test func noticesGoToTheLogger() async throws {
        try await withTestDatabase { database in
            let log = RecordedLog()
            let logger = Logger(label: "test", factory: { _ in RecordingHandler(log: log) })
            let connection = try await PostgresConnection.connect(database.configuration, logger: logger)
            defer { connection.close() }
            try await connection.execute("DO $$ BEGIN RAISE NOTICE 'take note'; RAISE WARNING 'take care'; END $$")
            _ = try await connection.column("SELECT $1", PostgresParameters("never logged"), as: String.self)
            let lines = log.lines.withLock { $0 }
            #expect(lines.contains("info PostgreSQL: take note"))
            #expect(lines.contains("warning PostgreSQL: take care"))
            #expect(lines.contains("trace SELECT $1"))
            #expect(!lines.contains { $0.contains("never logged") })
        }
    }
}

private final class RecordedLog: Sendable {
    let lines = Mutex<[String]>([])
}

private struct RecordingHandler: LogHandler {
    let log: RecordedLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(log: RecordedLog) {
        self.log = log
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        log.lines.withLock { $0.append("\(event.level) \(event.message)") }
    }
}
