package import StrataClient
package import StrataRepository

/// Rows of hierarchies whose class and parts do not agree: what the tables alone cannot keep from happening, and what makes an
/// object unreadable or half of one.
package struct ClassRowInspection {
    /// `~ rows of trip: 4 are of class BusinessTrip, and have no row in business_trip: pk 1, 2, 3, …`
    package private(set) var lines: [String] = []
    /// Hierarchies that were not looked through, and why.
    package private(set) var unread: [String] = []

    /// Looks through the hierarchies of a version, blocking the thread: one query each, in a transaction of its own that reads only
    /// and takes no longer than `limit`. Hierarchies without their tables are left out: that is a difference of its own.
    ///
    /// - Parameter milliseconds: the limit for each of the queries.
    package init(
        _ version: FrozenSchema, schemaName: String, found: DatabaseDefinition, limit milliseconds: Int,
        on connection: PostgresConnection
    ) throws {
        for root in version.entities where root.parent == nil && !version.children(of: root).isEmpty {
            let hierarchy = ClassRows(version, root: root, schemaName: schemaName)
            guard hierarchy.isThere(in: found) else { continue }
            do {
                lines += try hierarchy.lines(limit: milliseconds, on: connection)
            } catch let error as PostgresError where error.sqlState == "57014" {
                unread.append(
                    "rows of \(root.table): not all looked at, since that takes more than \(milliseconds / 1000) seconds"
                )
            } catch let error as PostgresError where error.lacksRight {
                unread.append("rows of \(root.table): not looked at, since the role may not read them")
            }
        }
    }
}

/// One hierarchy: the table with the classes, and the tables of subclasses.
private struct ClassRows {
    private struct Part {
        var table: String
        var key: KeyColumns
        /// The classes whose rows have a part here.
        var classes: [String]
    }

    private enum Fault: Int32 {
        case unknownClass, missingPart, foreignPart
    }

    /// Examples of each fault, and faults of a hierarchy.
    private static let (keyLimit, lineLimit) = (3, 20)

    private let root: String
    private let key: KeyColumns
    private let classColumn: String
    private let schemaName: String
    private let classes: [String]
    private let parts: [Part]

    init(_ version: FrozenSchema, root: FrozenEntity, schemaName: String) {
        func key(_ table: String) -> KeyColumns {
            let definition = version.database.table(named: table)
            return KeyColumns(
                (definition?.primaryKey?.columns ?? [Naming.key]).map { name in
                    KeyColumns.Part(
                        name: name,
                        kind: definition?.column(named: name).flatMap { SchemaSQL.keyKind($0.type) } ?? .integer)
                })
        }
        (self.root, self.schemaName, self.key) = (root.table, schemaName, key(root.table))
        classColumn = version.database.table(named: root.table)?.classColumn ?? Naming.discriminator
        let family = version.family(of: root)
        classes = family.map(\.discriminator)
        parts = family.dropFirst().filter { $0.table != root.table }.map { entity in
            Part(table: entity.table, key: key(entity.table), classes: version.family(of: entity).map(\.discriminator))
        }
    }

    func isThere(in definition: DatabaseDefinition) -> Bool {
        func has(_ table: String, _ columns: [String]) -> Bool {
            columns.allSatisfy { definition.table(named: table)?.column(named: $0) != nil }
        }
        return has(root, [classColumn] + key.names) && parts.allSatisfy { has($0.table, $0.key.names) }
    }

    func lines(limit milliseconds: Int, on connection: PostgresConnection) throws -> [String] {
        let statement = try query.statement(name: "inspect rows of \(root)")
        var lines: [String] = []
        try connection.withTransaction(readOnly: true) { _ in
            let setting: SQLFragment =
                "SELECT pg_catalog.set_config('statement_timeout', \(bind: "\(milliseconds)"), true)"
            try connection.run(PostgresBatch(try setting.statement()))
            lines = []
            try connection.run(PostgresBatch(statement) { row in lines.append(try line(row)) })
        }
        return lines
    }

    // MARK: The query

    /// Each table is read once for each of its questions: faults, counted, with the first keys.
    private var query: SQLFragment {
        """
        SELECT f.n, f.class, f.part, count(*), pg_catalog.string_agg(f.pk::text, ', ' ORDER BY f.pk) \
        FILTER (WHERE f.place <= \(bind: Int64(Self.keyLimit))) FROM (\
        SELECT g.n, g.pk, g.class, g.part, pg_catalog.row_number() OVER (PARTITION BY g.n, g.class, g.part ORDER BY g.pk) \
        FROM (\(faults)) AS g (n, pk, class, part)) AS f (n, pk, class, part, place) \
        GROUP BY f.n, f.class, f.part ORDER BY f.n, f.class, f.part LIMIT \(bind: Int64(Self.lineLimit))
        """
    }

    private var faults: SQLFragment {
        let rows = TableName(schema: schemaName, name: root)
        let name: SQLFragment = "r.\(identifier: classColumn)"
        let shown: SQLFragment = key.value(of: "r")
        var selects: [SQLFragment] = [
            "SELECT \(bind: Fault.unknownClass.rawValue)::integer, \(shown), \(name), ''::text FROM \(rows) AS r WHERE \(name) NOT IN (\(list(classes)))"
        ]
        for part in parts {
            let table = TableName(schema: schemaName, name: part.table)
            let partShown: SQLFragment = part.key.value(of: "p")
            selects.append(
                """
                SELECT \(bind: Fault.missingPart.rawValue)::integer, \(shown), \(name), \(bind: part.table)::text FROM \(rows) AS r \
                WHERE \(name) IN (\(list(part.classes))) AND NOT EXISTS (SELECT FROM \(table) AS p WHERE \(part.key.isEqual(to: key, of: "r", "p")))
                """)
            selects.append(
                """
                SELECT \(bind: Fault.foreignPart.rawValue)::integer, \(partShown), \(name), \(bind: part.table)::text FROM \(table) AS p \
                LEFT JOIN \(rows) AS r ON \(key.isEqual(to: part.key, of: "p", "r")) WHERE \(name) IS NULL OR \(name) NOT IN (\(list(part.classes)))
                """)
        }
        return selects.joined(separator: " UNION ALL ")
    }

    private func list(_ names: [String]) -> SQLFragment {
        names.map { "\(bind: $0)" as SQLFragment }.joined(separator: ", ")
    }

    // MARK: Its rows

    private func line(_ row: PostgresRow) throws -> String {
        let name = try row.decodeIfPresent(1, as: String.self)
        let part = try row.decode(2, as: String.self)
        let count = try row.decode(3, as: Int64.self)
        let keys = try row.decode(4, as: String.self) + (count > Self.keyLimit ? ", …" : "")
        let (are, have) = count == 1 ? ("is", "has") : ("are", "have")
        guard let name else {
            return "~ rows of \(part): \(count) \(have) no row in \(root): \(key.description) \(keys)"
        }
        let beginning = "~ rows of \(root): \(count) \(are) of class \(name), "
        return switch Fault(rawValue: try row.decode(0, as: Int32.self)) {
        case .missingPart: "\(beginning)and \(have) no row in \(part): \(key.description) \(keys)"
        case .foreignPart: "\(beginning)and \(have) a row in \(part): \(key.description) \(keys)"
        case .unknownClass, nil: "\(beginning)which is none: \(key.description) \(keys)"
        }
    }
}
