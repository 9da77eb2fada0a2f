import Foundation
import StrataClient
import StrataRepository

/// The one connection of a run, with what is asked of it everywhere.
final class RunnerSession {
    /// Milliseconds, for the queries between steps: nothing waits for a lock without end and without a word.
    static let lockTimeout = 10_000

    let runner: MigrationRunner
    let connection: PostgresConnection
    /// Who changes rows, for the history: set by whoever runs a stage.
    var author = ""
    /// How many steps of the run were carried out, without those that were done before.
    var stepsRun = 0

    var mayRunStep: Bool { options.stepLimit.map { stepsRun < $0 } ?? true }
    var options: RunnerOptions { runner.options }
    var schemaName: String { runner.schemaName }
    var ledger: LedgerRecords { LedgerRecords(session: self) }

    init(_ runner: MigrationRunner) throws {
        var configuration = runner.configuration
        if configuration.applicationName == nil {
            configuration.options["fallback_application_name"] = "strata migrations"
        }
        self.runner = runner
        connection = try PostgresConnection.connect(
            configuration, limits: AnswerLimits(silence: runner.options.silence))
        // Whatever role or database say: the session idles while a closure works, and a build takes as long as it takes.
        // A runner that was killed must not keep its lock for as long as a statement of it goes on: the server looks every
        // second whether its client is there.
        do {
            try configure(noticingItsEnd: true)
        } catch let error as PostgresError where error.sqlState == "22023" {
            // A server whose operating system cannot tell.
            try configure(noticingItsEnd: false)
        }
    }

    private func configure(noticingItsEnd: Bool) throws {
        // The settings that PostgreSQL 15 has, without looking them up: the view of all settings takes a millisecond to make.
        var settings = [
            "client_connection_check_interval": noticingItsEnd ? "1s" : "0", "lock_timeout": "\(Self.lockTimeout)",
            "statement_timeout": "0", "idle_in_transaction_session_timeout": "0", "idle_session_timeout": "0",
            // A stage is about the rows of all tenants: the server refuses statements from which a policy would hide some.
            "row_security": "off",
        ]
        if connection.serverVersion >= 17_00_00 { settings["transaction_timeout"] = "0" }
        var sql: SQLFragment = "SELECT "
        for (index, setting) in settings.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { sql.append(raw: ", ") }
            sql.append("pg_catalog.set_config(\(bind: setting.key), \(bind: setting.value), false)")
        }
        if options.searchesSchema {
            sql.append(
                """
                , pg_catalog.set_config('search_path', pg_catalog.concat_ws(', ', pg_catalog.quote_ident(\(bind: schemaName)), \
                nullif(pg_catalog.current_setting('search_path'), '')), false)
                """)
        }
        try execute(sql)
    }

    func close() { connection.close() }

    func report(_ event: MigrationEvent) { runner.report(event) }

    /// Runs one statement and returns the number of rows that it has touched. Those that it returns are read, not touched.
    @discardableResult
    func execute(_ sql: String) throws -> Int {
        var rows = 0
        var batch = PostgresBatch()
        batch.add(PostgresStatement(PreparedSQL(sql, isCached: false)), onChange: { rows = $0 })
        try connection.run(batch)
        return rows
    }

    @discardableResult
    func execute(_ sql: SQLFragment) throws -> Int {
        var rows = 0
        var batch = PostgresBatch()
        batch.add(try sql.statement(), onComplete: { rows = $0 })
        try connection.run(batch)
        return rows
    }

    func rows<Value>(_ sql: SQLFragment, _ decode: (PostgresRow) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try withoutActuallyEscaping(decode) { decode in
            try connection.run(PostgresBatch(try sql.statement()) { values.append(try decode($0)) })
        }
        return values
    }

    /// The answer of a query of one boolean; no row and NULL are no.
    func isTrue(_ query: String) throws -> Bool {
        var answer = false
        try connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL(query, isCached: false))) { row in
                answer = try row.decodeIfPresent(0, as: Bool.self) ?? false
            })
        return answer
    }

    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try connection.withTransaction(isolation: .readCommitted) { _ in try body() }
    }

    /// The settings of a step, for the transaction that has begun.
    func set(_ attempt: StepRun.Attempt, history: MigrationStep.History) throws {
        try set(lockTimeout: attempt.lockTimeout, statementTimeout: attempt.statementTimeout, history: history)
    }

    func set(lockTimeout: Int, statementTimeout: Int, history: MigrationStep.History) throws {
        try execute(
            """
            SELECT pg_catalog.set_config('lock_timeout', \(bind: "\(lockTimeout)"), true), \
            pg_catalog.set_config('statement_timeout', \(bind: "\(statementTimeout)"), true), \
            pg_catalog.set_config('strata.history', \(bind: history.rawValue), true), \
            pg_catalog.set_config('strata.author', \(bind: author), true)
            """ as SQLFragment)
    }

    /// The limit of waiting for a lock, for the transaction that has begun.
    func set(lockTimeout: Int) throws {
        try execute("SELECT pg_catalog.set_config('lock_timeout', \(bind: "\(lockTimeout)"), true)" as SQLFragment)
    }

    /// Lets the statements of a step take the time that they have: the server ends them then. One that answers neither in that
    /// time nor for a while behind it is silent.
    ///
    /// - Parameter statementTimeout: milliseconds; 0 for any time.
    @discardableResult
    func whileStep<Result>(mayTake statementTimeout: Int, _ body: () throws -> Result) rethrows -> Result {
        let time: Duration? = statementTimeout == 0 ? nil : .milliseconds(statementTimeout) + options.silence
        return try connection.waiting(upTo: time, body)
    }

    func pause(_ duration: Duration) {
        let parts = duration.components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) / 1e18
        if seconds > 0 { Thread.sleep(forTimeInterval: seconds) }
    }
}
