import Foundation
import StrataClient
import StrataMigrations

/// Runs the data checks of a stage without running the stage. Reads only.
struct Preflight: Encodable, Sendable {
    struct Finding: Encodable, Sendable {
        var check: String
        var title: String
        var remedy: String
        var count: Int64
        /// `4999999: '12x'`
        var examples: [String]
    }

    var checks: Int
    var findings: [Finding]
    var milliseconds: Int

    /// In one transaction that may not write, with a limit: a plan must not burden the server for hours.
    static func run(_ script: StageScript, on connection: PostgresConnection) throws -> Preflight {
        let clock = ContinuousClock()
        let start = clock.now
        var findings: [Finding] = []
        try connection.withTransaction(readOnly: true) { _ in
            try connection.run(PostgresBatch(PostgresStatement("SET LOCAL statement_timeout = '60s'")))
            for check in script.checks {
                do {
                    if let finding = try ask(check, on: connection) { findings.append(finding) }
                } catch let error as PostgresError where !error.isConnectionLoss {
                    throw MigrationError(
                        .preflightRefused, "The check \(check.code) of \(script.stem) cannot be carried out: \(error)",
                        places: ["check \(check.code): \(check.title)"],
                        remedy: error.sqlState == "57014"
                            ? "it took more than a minute: apply gives it more time" : nil,
                        underlying: error)
                }
            }
        }
        let duration = clock.now - start
        return Preflight(
            checks: script.checks.count, findings: findings,
            milliseconds: Int(duration / .milliseconds(1)))
    }

    private static func ask(_ check: DataCheck, on connection: PostgresConnection) throws -> Finding? {
        var finding = Finding(check: check.code, title: check.title, remedy: check.remedy, count: 0, examples: [])
        // The line feed ends a comment at the query's end.
        let sql = """
            SELECT count(*) OVER (), o.k::text, o.v::text FROM (\(check.query)
            ) AS o(k, v) LIMIT 5
            """
        try connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))) { row in
                finding.count = try row.decode(0)
                let key = try row.decodeIfPresent(1, as: String.self) ?? "NULL"
                finding.examples.append("\(key): \(try row.decodeIfPresent(2, as: String.self) ?? "NULL")")
            })
        return finding.count == 0 ? nil : finding
    }
}
