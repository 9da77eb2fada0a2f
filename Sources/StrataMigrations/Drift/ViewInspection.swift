package import StrataClient
import StrataModels
import StrataRepository

/// Views that do not show what a version says: the server is asked to print both.
package struct ViewInspection {
    /// `~ view city_statistics: it shows SELECT …, expected SELECT …`
    package private(set) var lines: [String] = []
    /// What could not be looked at.
    package private(set) var unread: [String] = []

    private static let scratch = "strata_expected_view"

    /// Makes each view of a version as a temporary one, in a transaction that is rolled back, and compares what PostgreSQL prints
    /// of both; three round trips a view. Blocks the thread. Views that are missing are no business of this.
    package init(_ version: FrozenSchema, schemaName: String, on connection: PostgresConnection) throws {
        for view in version.database.views { try inspect(view, schemaName, connection) }
    }

    private mutating func inspect(
        _ view: ViewDefinition, _ schemaName: String, _ connection: PostgresConnection
    ) throws {
        var begin = PostgresBatch()
        begin.begin()
        try connection.run(begin)
        var printed: (found: String?, expected: String?) = (nil, nil)
        var failure: PostgresError?
        do {
            try connection.run(try comparison(view, schemaName) { printed = $0 })
        } catch let error as PostgresError where !error.isConnectionLoss { failure = error }
        try connection.run(PostgresBatch(PostgresStatement("ROLLBACK", name: "forget the expected view")))
        if let failure {
            let text = "view \(view.name): what it should show cannot be made: \(failure.message)"
            if failure.lacksRight { unread.append(text) } else { lines.append("~ " + text) }
        } else if let found = printed.found, found != printed.expected {
            lines.append(
                "~ view \(view.name): it shows \(SQLTokenizer.onOneLine(found)), expected "
                    + SQLTokenizer.onOneLine(printed.expected ?? ""))
        }
    }

    private func comparison(
        _ view: ViewDefinition, _ schemaName: String, _ take: @escaping ((String?, String?)) -> Void
    ) throws -> PostgresBatch {
        let make: SQLFragment =
            "CREATE TEMPORARY VIEW \(identifier: Self.scratch) AS\n\(raw: view.selection(in: schemaName))"
        let found = SQLFragment.quoted(schemaName) + "." + SQLFragment.quoted(view.name)
        let print: SQLFragment = """
            SELECT pg_catalog.pg_get_viewdef(pg_catalog.to_regclass(\(bind: found))), \
            pg_catalog.pg_get_viewdef(pg_catalog.to_regclass(\(bind: "pg_temp." + Self.scratch)))
            """
        var batch = PostgresBatch()
        batch.add(try make.statement(name: "make the expected view"))
        batch.add(
            try print.statement(name: "print the views"),
            onRow: { row in take((try row.decodeIfPresent(0), try row.decodeIfPresent(1))) })
        return batch
    }
}
