import StrataClient
import StrataTestSupport

extension PostgresConnection {
    func execute(_ sql: String) async throws {
        try await run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
    }
}

extension TestDatabase {
    /// The first column of each row.
    func texts(_ sql: String) async throws -> [String] {
        let connection = try await connect()
        defer { connection.close() }
        var texts: [String] = []
        let statement = PostgresStatement(PreparedSQL(sql, isCached: false))
        try await connection.run(PostgresBatch(statement) { texts.append(try $0.decode(0, as: String.self)) })
        return texts
    }
}
