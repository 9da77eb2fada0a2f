package import StrataClient

/// Databases that are copied from a template and dropped when they are of no more use.
package enum DatabaseCopies {
    /// The files are most often in memory: copying them is faster than writing their pages to the log.
    package static func creating(_ name: String, from template: String) -> PostgresBatch {
        batch("CREATE DATABASE \(SQLFragment.quoted(name)) TEMPLATE \(SQLFragment.quoted(template)) STRATEGY file_copy")
    }

    /// Drops a database with the sessions that are left in it.
    package static func dropping(_ name: String) -> PostgresBatch {
        batch("DROP DATABASE IF EXISTS \(SQLFragment.quoted(name)) WITH (FORCE)")
    }

    /// From here on the session is not told of schemas that are there already, for example: nobody can do anything about it.
    package static var silencing: PostgresBatch { batch("SET client_min_messages = warning") }

    private static func batch(_ sql: String) -> PostgresBatch {
        PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false)))
    }
}
