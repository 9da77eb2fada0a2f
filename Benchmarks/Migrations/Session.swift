import StrataClient

/// A connection for statements that are run once.
struct Session {
    private let connection: PostgresConnection

    init(_ configuration: PostgresConfiguration) throws {
        connection = try PostgresConnection.connect(configuration)
    }

    func close() { connection.close() }

    func execute(_ sql: String) throws {
        try connection.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))) { _ in })
    }

    func number(_ sql: String) throws -> Int64 {
        var number: Int64 = 0
        try connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))) { number = try $0.decode(0) })
        return number
    }
}
