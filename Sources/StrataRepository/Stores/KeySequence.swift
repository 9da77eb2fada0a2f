package import StrataClient

/// A sequence of somebody else's table.
package enum KeySequence {
    private static let next = PreparedSQL(
        "SELECT pg_catalog.nextval($1::bigint::pg_catalog.regclass) FROM pg_catalog.generate_series(1, $2::integer)")

    /// Takes so many keys from a sequence; each is handed to the closure.
    ///
    /// - Parameter sequence: its `pg_class.oid`.
    package static func taking(_ count: Int32, of sequence: Int64, _ take: @escaping (Int64) -> Void) throws
        -> PostgresBatch
    {
        var parameters = try PostgresParameters(sequence)
        try parameters.append(count)
        let statement = PostgresStatement(next, parameters: parameters, name: "take keys of a sequence")
        return PostgresBatch(statement) { row in take(try row.decode(0, as: Int64.self)) }
    }
}
