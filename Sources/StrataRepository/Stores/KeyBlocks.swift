package import StrataClient

/// The sequence of key blocks that all stores of a database share.
package enum KeyBlocks {
    private static let next = PreparedSQL(
        "SELECT nextval('\(LibrarySchema.keyBlock.schema).\(LibrarySchema.keyBlock.name)'::regclass) "
            + "FROM generate_series(1, $1::integer)")

    /// Reserves so many blocks; each is handed to the closure.
    package static func reserving(_ count: Int32, _ take: @escaping (Int64) -> Void) throws -> PostgresBatch {
        let statement = PostgresStatement(next, parameters: try PostgresParameters(count), name: "reserve keys")
        return PostgresBatch(statement) { row in take(try row.decode(0, as: Int64.self)) }
    }
}
