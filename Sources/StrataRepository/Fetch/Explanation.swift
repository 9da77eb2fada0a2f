package import StrataClient

/// What is sent around `EXPLAIN`.
package enum Explanation {
    /// Until the transaction ends the server reads tables from end to end only where it has no other way.
    package static let avoidingSequentialScans = PostgresStatement("SELECT set_config('enable_seqscan', 'off', true)")

    /// The names of the indexes of all primary keys.
    package static let keyIndexes = PostgresStatement(
        """
        SELECT relation.relname FROM pg_catalog.pg_index AS index JOIN pg_catalog.pg_class AS relation ON relation.oid = index.indexrelid \
        WHERE index.indisprimary
        """)
}
