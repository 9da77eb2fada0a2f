package import StrataClient
import StrataModels

/// The partitions of a class's table, in the order of time, and those that were detached and are still there. One round trip, and no lock but for sizes.
package final class PartitionInspection {
    /// What is written on a partition before it is detached: a table that says so is nobody's any more. A maintenance that was interrupted is taken up
    /// again by it.
    package static func mark(of table: String) -> String { "strata: no partition of \(table) any more, to be dropped" }

    private let table: TableName
    /// Whether sizes are read, which takes a lock of readers on each partition.
    private let measures: Bool
    /// By the clock of the server.
    package private(set) var now = PostgresTimestamp(microseconds: 0)
    package private(set) var partitions: [TablePartition] = []
    /// Whether the table is divided by ranges; `nil` where there is none of this name.
    package private(set) var isPartitioned: Bool?
    /// Whether the database has the tables of the history.
    package private(set) var hasHistory = false

    package init(_ table: TableName, measures: Bool = false) { (self.table, self.measures) = (table, measures) }

    package func add(to batch: inout PostgresBatch) throws {
        let name = SQLFragment.literal("\(SQLFragment.quoted(table.schema)).\(SQLFragment.quoted(table.name))")
        let kind: SQLFragment = """
            SELECT c.relkind = 'p', pg_catalog.to_regclass('strata.history_change') IS NOT NULL, pg_catalog.now() FROM pg_catalog.pg_class AS c WHERE c.oid = pg_catalog.to_regclass(\(raw: name))
            """
        batch.add(
            try kind.statement(name: "look for the partitioned table"),
            onResult: { _ in
                self.partitions = []
                self.isPartitioned = nil
            },
            onRow: { row in
                (self.isPartitioned, self.hasHistory) = (row.bool(0), row.bool(1))
                self.now = try row.decode(2)
            })
        // The catalogs print bounds in the zone of the session, and the session reads them back. The mark is written by whoever owns the table.
        let list: SQLFragment = """
            WITH found AS (
                SELECT c.oid, c.relnamespace, c.relname, pg_catalog.pg_get_expr(c.relpartbound, c.oid) AS bound,
                    CASE WHEN h.inhdetachpending THEN 'detaching' ELSE 'attached' END AS status,
                    coalesce(pg_catalog.obj_description(c.oid, 'pg_class') = \(bind: Self.mark(of: table.name)), false) AS is_marked
                FROM pg_catalog.pg_inherits AS h JOIN pg_catalog.pg_class AS c ON c.oid = h.inhrelid
                WHERE h.inhparent = pg_catalog.to_regclass(\(raw: name))
                UNION ALL
                SELECT c.oid, c.relnamespace, c.relname, NULL, 'detached', true
                FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname = \(bind: table.schema) AND c.oid = ANY (\(SchemaObjects.of(table.schema, .relations)))
                    AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                    AND pg_catalog.obj_description(c.oid, 'pg_class') = \(bind: Self.mark(of: table.name)))
            SELECT n.nspname::text, f.relname::text, f.status, coalesce(CASE WHEN \(bind: measures) THEN pg_catalog.pg_total_relation_size(f.oid) END, 0),
                f.bound = 'DEFAULT' OR f.bound IS NULL,
                CASE WHEN f.bound LIKE '%FROM (MINVALUE)%' THEN '-infinity'
                    ELSE substring(f.bound FROM 'FROM [(]''([^'']*)''[)]') END::timestamptz AS lower,
                CASE WHEN f.bound LIKE '%TO (MAXVALUE)%' THEN 'infinity'
                    ELSE substring(f.bound FROM 'TO [(]''([^'']*)''[)]') END::timestamptz, f.is_marked
            FROM found AS f JOIN pg_catalog.pg_namespace AS n ON n.oid = f.relnamespace
            ORDER BY lower NULLS FIRST, f.relname
            """
        batch.add(try list.statement(name: "list the partitions"), onRow: read)
    }

    private func read(_ row: PostgresRow) throws {
        let bounds =
            row.bool(4) ? nil : PartitionBounds(lower: try row.decode(5), upper: try row.decode(6))
        partitions.append(
            TablePartition(
                name: TableName(schema: try row.decode(0), name: try row.decode(1)), bounds: bounds,
                status: TablePartition.Status(rawValue: try row.decode(2)) ?? .attached, isMarked: row.bool(7),
                bytes: try row.decode(3)))
    }
}
