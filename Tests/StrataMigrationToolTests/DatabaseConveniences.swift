import StrataClient
import StrataTestSupport

extension PostgresConnection {
    func execute(_ sql: String) async throws {
        try await run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
    }
}
