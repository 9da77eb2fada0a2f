// Definitions as SQL. Names are always quoted, schemas always written.

extension SQLFragment {
    /// A string constant. Correct under `standard_conforming_strings` on (the default) and off.
    package static func literal(_ text: String) -> String {
        let quoted = "'" + doubling("'", in: text) + "'"
        return text.unicodeScalars.contains("\\") ? "E" + doubling("\\", in: quoted) : quoted
    }

    fileprivate static func list(_ columns: [String]) -> String {
        "(" + columns.map { quoted($0) }.joined(separator: ", ") + ")"
    }
}

extension TableDefinition {
    /// `CREATE TABLE` with all constraints but the foreign keys in `later`, which need tables that do not exist yet.
    package func creation(in schema: String, later: Set<String> = []) -> SQLFragment {
        var lines = columns.map(\.clause)
        if let primaryKey { lines.append(primaryKey.clause) }
        lines += uniques.map(\.clause)
        lines += checks.map(\.clause)
        lines += foreignKeys.filter { !later.contains($0.name) }.map { $0.clause(in: schema) }
        let body = lines.map { "    " + $0 }.joined(separator: ",\n")
        return
            "CREATE TABLE \(TableName(schema: schema, name: name)) (\n\(raw: body)\n)\(raw: partitioning?.clause ?? "")"
    }

    /// What `CREATE TABLE` cannot say of columns: `ALTER TABLE … SET STORAGE` for each that asks for it (from PostgreSQL 16 on it can), and the comment
    /// of each that the server computes.
    package func columnStatements(in schema: String) -> [SQLFragment] {
        let table = TableName(schema: schema, name: name)
        let storages: [SQLFragment] = columns.compactMap { column in
            column.storage.map { storage in
                "ALTER TABLE \(table) ALTER COLUMN \(identifier: column.name) SET STORAGE \(raw: storage.rawValue.uppercased())"
            }
        }
        return storages + columns.compactMap { column in column.mark.map { $0.comment(on: column.name, of: table) } }
    }

    package func addition(of foreignKey: ForeignKeyDefinition, in schema: String) -> SQLFragment {
        "ALTER TABLE \(TableName(schema: schema, name: name)) ADD \(raw: foreignKey.clause(in: schema))"
    }

    package func creation(of index: IndexDefinition, in schema: String, concurrently: Bool = false) -> SQLFragment {
        let kind = (index.isUnique ? "UNIQUE " : "") + "INDEX" + (concurrently ? " CONCURRENTLY" : "")
        var sql: SQLFragment =
            "CREATE \(raw: kind) \(identifier: index.name) ON \(TableName(schema: schema, name: name))"
        if let fullText = index.fullText {
            let columns = index.columns.map { "\(identifier: $0)" as SQLFragment }
            sql.append(" USING gin ((\(fullText.vector(of: columns))))")
        } else if index.isTrigram, let column = index.columns.first {
            sql.append(
                " USING gin ((\(TrigramIndex.fold("\(identifier: column)"))) \(raw: TrigramIndex.operatorClass))")
        } else {
            let (method, operatorClass) = index.access
            if method != "btree" { sql.append(raw: " USING \(method)") }
            let keys = index.keys.map { key in operatorClass.map { "\(key.sql) \($0)" } ?? key.sql }
            sql.append(raw: " (" + keys.joined(separator: ", ") + ")")
            if !index.included.isEmpty { sql.append(raw: " INCLUDE " + SQLFragment.list(index.included)) }
            if index.nullsNotDistinct { sql.append(raw: " NULLS NOT DISTINCT") }
        }
        if let predicate = index.predicate { sql.append(raw: " WHERE (\(predicate.sql))") }
        return sql
    }
}

extension DefinitionMark {
    /// `COMMENT ON COLUMN …`.
    package func comment(on column: String, of table: TableName) -> SQLFragment {
        "COMMENT ON COLUMN \(table).\(identifier: column) IS \(raw: SQLFragment.literal(description))"
    }
}

extension ColumnDefinition {
    /// `"name" text NOT NULL`, as in `CREATE TABLE` and `ADD COLUMN`.
    package var clause: String {
        var text = SQLFragment.quoted(name) + " \(type)"
        if let collation { text += " COLLATE " + SQLFragment.quoted(collation) }
        if !isNullable { text += " NOT NULL" }
        if let generation { text += " GENERATED ALWAYS AS (\(generation.sql)) STORED" }
        if let defaultExpression { text += " DEFAULT \(defaultExpression)" }
        if let identity {
            text += " GENERATED \(identity.isAlways ? "ALWAYS" : "BY DEFAULT") AS IDENTITY"
            text += " (MINVALUE \(identity.minimum) MAXVALUE \(identity.maximum))"
        }
        return text
    }
}

extension PrimaryKeyDefinition {
    package var clause: String { "CONSTRAINT \(SQLFragment.quoted(name)) PRIMARY KEY \(SQLFragment.list(columns))" }
}

extension UniqueDefinition {
    package var clause: String {
        "CONSTRAINT \(SQLFragment.quoted(name)) UNIQUE \(nullsNotDistinct ? "NULLS NOT DISTINCT " : "")\(SQLFragment.list(columns))"
            + timing
    }

    /// ` DEFERRABLE INITIALLY DEFERRED`; empty for what is checked row by row.
    package var timing: String {
        (isDeferrable ? " DEFERRABLE" : "") + (isInitiallyDeferred ? " INITIALLY DEFERRED" : "")
    }
}

extension CheckDefinition {
    package var clause: String { "CONSTRAINT \(SQLFragment.quoted(name)) CHECK (\(condition.text))" }
}

extension CheckDefinition.Condition {
    fileprivate var text: String {
        switch self {
        case .isOneOf(let column, let values):
            "\(SQLFragment.quoted(column)) IN (\(values.map { SQLFragment.literal($0) }.joined(separator: ", ")))"
        case .expression(let expression): expression.sql
        }
    }
}

extension ForeignKeyDefinition {
    package func clause(in schema: String) -> String {
        let target = SQLFragment.quoted(referencedSchema ?? schema) + "." + SQLFragment.quoted(referencedTable)
        let text =
            "CONSTRAINT \(SQLFragment.quoted(name)) FOREIGN KEY \(SQLFragment.list(columns)) "
            + "REFERENCES \(target) \(SQLFragment.list(referencedColumns))"
        if onDelete == .noAction { return text }
        return text + " ON DELETE \(onDelete.rawValue)" + (emptied.map { " \(SQLFragment.list($0))" } ?? "")
    }
}

extension SequenceDefinition {
    package func creation(in schema: String) -> SQLFragment {
        """
        CREATE SEQUENCE \(TableName(schema: schema, name: name)) AS bigint \
        MINVALUE \(raw: "\(minimum)") MAXVALUE \(raw: "\(maximum)") START WITH \(raw: "\(start)")
        """
    }
}
