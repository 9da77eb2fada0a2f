import StrataClient
import StrataRepository

/// Names and conditions as the statements of a stage write them, in one PostgreSQL schema.
struct SchemaSQL: Hashable, Sendable {
    let schemaName: String
    /// What columns that can hold keys have, by table, under all names that they have while a stage runs: of several of one name, the last version's.
    private let kinds: [String: [String: RowKey.Kind]]

    /// - Parameter versions: what the stage leads from and to.
    init(schemaName: String, _ versions: [DatabaseDefinition] = []) {
        self.schemaName = schemaName
        var kinds: [String: [String: RowKey.Kind]] = [:]
        for table in versions.flatMap(\.tables) {
            for column in table.columns {
                guard let kind = Self.keyKind(column.type) else { continue }
                for name in [table.name, InterimName.old(table.name), InterimName.new(table.name)] {
                    for column in [column.name, InterimName.old(column.name), InterimName.new(column.name)] {
                        kinds[name, default: [:]][column] = kind
                    }
                }
            }
        }
        self.kinds = kinds
    }

    /// What keys of a type are; `nil` for types of no keys.
    static func keyKind(_ type: ColumnType) -> RowKey.Kind? {
        guard !type.isList else { return nil }
        if type.isInteger { return .integer }
        return switch type.base {
        case .uuid: .uuid
        case .timestamptz: .date
        case .text, .other("varchar"): .text
        default: nil
        }
    }

    func quoted(_ name: String) -> String { SQLFragment.quoted(name) }

    /// A table, index or function with its schema.
    func table(_ name: String) -> String { quoted(schemaName) + "." + quoted(name) }

    /// `("a", "b")`.
    func list(_ columns: [String]) -> String { "(" + columns.map { quoted($0) }.joined(separator: ", ") + ")" }

    /// A key in a subquery, where it is called `pk` whatever the table calls it.
    func selectedKey(_ column: String, of alias: String? = nil) -> String {
        let name = (alias.map { $0 + "." } ?? "") + quoted(column)
        return column == Naming.key ? name : "\(name) AS \(quoted(Naming.key))"
    }

    /// What a column has, as a person is told; of several columns one text.
    func shown(_ columns: [String], of alias: String) -> String {
        let values = columns.map { "\(alias).\(quoted($0))" }
        return values.count == 1 ? "\(values[0])::text" : "concat_ws(', ', \(values.joined(separator: ", ")))"
    }

    /// What follows `JOIN` for rows with the same key.
    func sameKey(_ column: String, _ other: String, _ alias: String = "s", _ otherAlias: String = "t") -> String {
        sameKey([column], [other], alias, otherAlias)
    }

    /// The same of all columns of a key.
    func sameKey(_ columns: [String], _ others: [String], _ alias: String, _ otherAlias: String) -> String {
        if columns == others { return "USING \(list(columns))" }
        return "ON "
            + zip(columns, others).map { "\(alias).\(quoted($0)) = \(otherAlias).\(quoted($1))" }
            .joined(separator: " AND ")
    }

    /// What the keys in a column are.
    func keyKind(_ column: String, of table: String) -> RowKey.Kind {
        kinds[table]?[column] ?? .integer
    }

    /// The part of a batch's condition that limits it to the range of keys, which stand in a column of a table. Of texts, of which none is the
    /// last, an empty end means the last that there is.
    func range(_ column: String, of table: String, as alias: String? = nil) -> String {
        let key = (alias.map { $0 + "." } ?? "") + quoted(column)
        let kind = keyKind(column, of: table)
        if kind == .text {
            let last = "(SELECT max(\(quoted(column))) FROM \(self.table(table)))"
            return """
                \(key) BETWEEN current_setting('strata.batch_first') \
                AND coalesce(nullif(current_setting('strata.batch_last'), ''), \(last))
                """
        }
        // What stands there is in UTC, and the session in any zone.
        if kind == .date {
            func moment(_ setting: String) -> String {
                "current_setting('strata.batch_\(setting)')::timestamp AT TIME ZONE 'UTC'"
            }
            return "\(key) BETWEEN \(moment("first")) AND \(moment("last"))"
        }
        let type = kind.type
        return
            "\(key) BETWEEN current_setting('strata.batch_first')::\(type) AND current_setting('strata.batch_last')::\(type)"
    }

    /// `ALTER TABLE "public"."trip" ` with what it does.
    func alter(_ name: String, _ action: String) -> String { "ALTER TABLE \(table(name)) \(action)" }

    /// The same that does several things under one lock, in lines of at most 110 columns.
    func alter(_ name: String, _ actions: [String]) -> String {
        var lines: [String] = []
        for action in actions {
            if let last = lines.last, last.count + action.count < 108 {
                lines[lines.count - 1] = last + ", " + action
            } else {
                lines.append(lines.isEmpty ? alter(name, action) : "    " + action)
            }
        }
        return lines.joined(separator: ",\n")
    }

    /// An `ALTER TABLE` of one column.
    func alter(_ name: String, column: String, _ action: String) -> String {
        alter(name, "ALTER COLUMN \(quoted(column)) \(action)")
    }

    func dropConstraint(_ name: String, of tableName: String) -> String {
        alter(tableName, "DROP CONSTRAINT \(quoted(name))")
    }
}

// MARK: - Questions to the catalogs

extension SchemaSQL {
    /// The object's number as a catalog has it, NULL where there is none of this name.
    private func registered(_ name: String) -> String { "to_regclass(\(SQLFragment.literal(table(name))))" }

    func exists(_ name: String) -> String { "SELECT \(registered(name)) IS NOT NULL" }

    func isGone(_ name: String) -> String { "SELECT \(registered(name)) IS NULL" }

    func hasColumns(_ columns: [String], in tableName: String) -> String {
        let found = "FROM pg_catalog.pg_attribute WHERE attrelid = \(registered(tableName))"
        let names = columns.map { SQLFragment.literal($0) }
        guard names.count > 1 else {
            return "SELECT EXISTS (SELECT 1 \(found) AND attname = \(names.joined()) AND NOT attisdropped)"
        }
        return """
            SELECT count(*) = \(names.count) \(found) AND attname IN (\(names.joined(separator: ", "))) \
            AND NOT attisdropped
            """
    }

    func isRequired(_ column: String, in tableName: String) -> String {
        """
        SELECT attnotnull FROM pg_catalog.pg_attribute WHERE attrelid = \(registered(tableName)) \
        AND attname = \(SQLFragment.literal(column))
        """
    }

    func hasConstraint(_ name: String, on tableName: String) -> String {
        """
        SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = \(registered(tableName)) \
        AND conname = \(SQLFragment.literal(name)))
        """
    }

    func hasPolicy(_ name: String, on tableName: String) -> String {
        """
        SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_policy WHERE polrelid = \(registered(tableName)) \
        AND polname = \(SQLFragment.literal(name)))
        """
    }

    func isValidIndex(_ name: String) -> String {
        """
        SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = \(registered(name)) \
        AND indisvalid)
        """
    }

    func hasTrigger(_ name: String, on tableName: String) -> String {
        """
        SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = \(registered(tableName)) \
        AND tgname = \(SQLFragment.literal(name)))
        """
    }
}
