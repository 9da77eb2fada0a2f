package import StrataClient
import StrataMigrations
import StrataModels
import StrataRepository

extension DatabaseDescription {
    /// Reads a schema in two round trips, whatever is in it, blocking the thread: what `drift` reads, then what else there is to know. Writes
    /// nothing and takes no lock on any table.
    ///
    /// - Returns: `nil` when there is no such schema.
    package static func read(schemaName: String, connection: PostgresConnection) throws -> DatabaseDescription? {
        let inspection = try CatalogInspection.read(schemaName: schemaName, connection: connection)
        guard inspection.exists else { return nil }
        let details = CatalogDetails(schemaName)
        try connection.run(try details.batch())
        return DatabaseDescription(inspection, details)
    }

    private init(_ inspection: CatalogInspection, _ details: CatalogDetails) {
        let lines = Dictionary(grouping: inspection.peculiarities) { $0.table ?? "" }
        let extensions = details.relations.compactMapValues(\.extensionName)
        let definitions = Dictionary(
            inspection.definition.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        func addsNothing(_ name: String, to parent: TableDefinition) -> Bool {
            guard let table = definitions[name] else { return true }
            return Set(table.columns.map(\.name)).isSubset(of: parent.columns.map(\.name))
                && table.foreignKeys.allSatisfy { own in
                    parent.foreignKeys.contains {
                        $0.columns == own.columns && $0.referencedTable == own.referencedTable
                    }
                }
        }
        // A table that was divided by hand: none of its heirs has columns or foreign keys of its own. It is read as one.
        let divided = details.relations.filter { name, relation in
            guard let parent = definitions[name] else { return false }
            return !relation.children.isEmpty && relation.children.allSatisfy { addsNothing($0, to: parent) }
        }
        let parts = details.relations.compactMapValues(\.parent).filter { divided[$0.value] != nil }
        func remarks(_ name: String) -> [String] {
            guard let relation = details.relations[name], divided[name] == nil else { return [] }
            return (relation.parent.map { ["it inherits from \($0), whose class does not have its rows"] } ?? [])
                + (relation.children.isEmpty
                    ? []
                    : [
                        "the rows of \(relation.children.joined(separator: ", ")), which inherit from it, are objects of classes of their own alone"
                    ])
        }
        self.init(
            tables: inspection.definition.tables.filter { extensions[$0.name] == nil && parts[$0.name] == nil }.map {
                definition in
                let relation = details.relations[definition.name]
                var definition = definition
                definition.partitioning?.period = relation?.period
                return Table(
                    definition.sorted, comment: relation?.comment, notes: details.columns[definition.name] ?? [:],
                    remarks: remarks(definition.name),
                    peculiarities: (lines[definition.name] ?? []).map(\.text).sorted())
            },
            // Sequences have no rows to read, and those of partitions are read with their table.
            others: inspection.otherRelations.filter { !["a sequence", "a partition"].contains($0.value) }
                .map { OtherRelation(name: $0.key, kind: $0.value) }
                + extensions.map { OtherRelation(name: $0.key, kind: "a table of the extension \($0.value)") }
                + parts.map {
                    OtherRelation(
                        name: $0.key,
                        kind: "a part of \($0.value), from which it inherits, and whose class has its rows")
                },
            enumerations: details.enumerations)
    }
}

/// Collects what the catalogs say beside the definition (manual, chapter 53).
private final class CatalogDetails {
    struct Relation {
        var comment: String?
        /// The extension that the table belongs to.
        var extensionName: String?
        /// The table that it inherits from, and those that inherit from it.
        var parent: String?
        var children: [String]
        /// How long all partitions are.
        var period: Schema.PartitionPeriod?
    }

    private let schemaName: String
    private(set) var relations: [String: Relation] = [:]
    private(set) var columns: [String: [String: DatabaseDescription.ColumnNotes]] = [:]
    private(set) var enumerations: [String: [String]] = [:]

    init(_ schemaName: String) {
        self.schemaName = schemaName
    }

    func batch() throws -> PostgresBatch {
        var batch = PostgresBatch()
        batch.add(
            PostgresStatement(
                Self.relationQuery, parameters: try PostgresParameters(schemaName), name: "read comments of tables"),
            onRow: { row in
                self.relations[try row.decode(0)] = Relation(
                    comment: try row.decodeIfPresent(1), extensionName: try row.decodeIfPresent(2),
                    parent: try row.decodeIfPresent(3), children: try row.decode(4, as: [String].self),
                    period: Self.period(
                        from: try row.decode(5, as: [PostgresTimestamp].self),
                        to: try row.decode(6, as: [PostgresTimestamp].self)))
            })
        batch.add(
            PostgresStatement(
                Self.columnQuery, parameters: try PostgresParameters(schemaName), name: "read comments of columns"),
            onRow: { row in
                self.columns[try row.decode(0), default: [:]][try row.decode(1)] = DatabaseDescription.ColumnNotes(
                    comment: try row.decodeIfPresent(2), domain: try row.decodeIfPresent(3), isLoose: try row.decode(4))
            })
        batch.add(
            PostgresStatement(Self.enumerationQuery, name: "read enum types"),
            onRow: { row in self.enumerations[try row.decode(0)] = try row.decode(1, as: [String].self) })
        return batch
    }

    /// The period that all partitions have, by where they begin and end; `nil` where they have none, or there are none.
    private static func period(from lower: [PostgresTimestamp], to upper: [PostgresTimestamp]) -> Schema
        .PartitionPeriod?
    {
        guard !lower.isEmpty, lower.count == upper.count else { return nil }
        return Schema.PartitionPeriod.allCases.first { period in
            zip(lower, upper).allSatisfy { period.start(of: $0) == $0 && period.end(of: $0) == $1 }
        }
    }

    private static let relationQuery = PreparedSQL(
        """
        SELECT c.relname::text, pg_catalog.obj_description(c.oid, 'pg_class'),
            e.extname::text, p.relname::text, h.children, b.lower, b.upper
        FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN LATERAL (
            SELECT x.extname FROM pg_catalog.pg_depend d
            JOIN pg_catalog.pg_extension x ON x.oid = d.refobjid
            WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.deptype = 'e'
                AND d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass LIMIT 1) e ON true
        LEFT JOIN LATERAL (
            SELECT f.relname FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class f ON f.oid = i.inhparent
            WHERE i.inhrelid = c.oid ORDER BY i.inhseqno LIMIT 1) p ON true
        CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(f.relname::text ORDER BY f.relname), '{}') AS children
            FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class f ON f.oid = i.inhrelid
            WHERE i.inhparent = c.oid AND NOT f.relispartition) h
        -- Bounds without an end, and a default partition, are no period.
        LEFT JOIN LATERAL (
            SELECT coalesce(array_agg(coalesce(substring(e.bound FROM 'FROM [(]''([^'']*)''[)]')::timestamptz, '-infinity') ORDER BY e.bound), '{}') AS lower,
                coalesce(array_agg(coalesce(substring(e.bound FROM 'TO [(]''([^'']*)''[)]')::timestamptz, 'infinity') ORDER BY e.bound), '{}') AS upper
            FROM pg_catalog.pg_partitioned_table o
            JOIN pg_catalog.pg_attribute a ON a.attrelid = o.partrelid AND a.attnum = o.partattrs[0]
                AND a.atttypid = 'pg_catalog.timestamptz'::pg_catalog.regtype
            JOIN pg_catalog.pg_inherits i ON i.inhparent = o.partrelid
            JOIN pg_catalog.pg_class f ON f.oid = i.inhrelid
            CROSS JOIN LATERAL (SELECT pg_catalog.pg_get_expr(f.relpartbound, f.oid) AS bound OFFSET 0) e
            WHERE o.partrelid = c.oid AND o.partstrat = 'r' AND o.partnatts = 1) b ON true
        WHERE n.nspname = $1::text AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        """)

    private static let columnQuery = PreparedSQL(
        """
        SELECT c.relname::text, a.attname::text, s.description,
            CASE WHEN t.typtype = 'd' THEN pg_catalog.format_type(a.atttypid, a.atttypmod) END,
            l.oid IS NOT NULL
        FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation AND NOT l.collisdeterministic
        LEFT JOIN pg_catalog.pg_description s
            ON s.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND s.objoid = c.oid AND s.objsubid = a.attnum
        WHERE n.nspname = $1::text AND c.relkind IN ('r', 'p') AND NOT c.relispartition
            AND (s.description IS NOT NULL OR t.typtype = 'd' OR l.oid IS NOT NULL)
        """)

    private static let enumerationQuery = PreparedSQL(
        """
        SELECT pg_catalog.format_type(e.enumtypid, NULL), pg_catalog.array_agg(e.enumlabel::text ORDER BY e.enumsortorder)
        FROM pg_catalog.pg_enum e GROUP BY e.enumtypid
        """)
}
