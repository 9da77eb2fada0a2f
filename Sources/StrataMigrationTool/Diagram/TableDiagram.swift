package import StrataMigrations
import StrataRepository

/// The tables of a frozen schema as a Mermaid entity-relationship diagram. A subclass's table shares its key with the
/// superclass's: `||--o|`.
package struct TableDiagram {
    package let schema: FrozenSchema

    package init(_ schema: FrozenSchema) {
        self.schema = schema
    }

    package var mermaid: String {
        var lines = ["erDiagram"]
        for table in schema.database.tables {
            lines.append("    \(Self.name(table.name)) {")
            lines += table.columns.map { "        " + line($0, of: table) }
            lines.append("    }")
        }
        for table in schema.database.tables {
            lines += table.foreignKeys.map { "    " + edge($0, of: table) }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func line(_ column: ColumnDefinition, of table: TableDefinition) -> String {
        var keys: [String] = []
        if table.primaryKey?.columns.contains(column.name) == true { keys.append("PK") }
        if table.foreignKeys.contains(where: { $0.columns.contains(column.name) }) { keys.append("FK") }
        if table.isUnique(column.name) { keys.append("UK") }
        var text = "\(Self.word(column.type.description)) \(Self.word(column.name))"
        if !keys.isEmpty { text += " " + keys.joined(separator: ", ") }
        return column.isNullable ? text + " \"nullable\"" : text
    }

    private func edge(_ key: ForeignKeyDefinition, of table: TableDefinition) -> String {
        let isNullable = key.columns.contains { table.column(named: $0)?.isNullable == true }
        let isUnique =
            table.primaryKey?.columns == key.columns || table.uniques.contains { $0.columns == key.columns }
        let ends = "\(isNullable ? "|o" : "||")--\(isUnique ? "o|" : "o{")"
        let label = key.columns.joined(separator: ", ").replacing("\"", with: "'")
        return "\(Self.name(key.referencedTable)) \(ends) \(Self.name(table.name)) : \"\(label)\""
    }

    private static func name(_ name: String) -> String { "\"" + name.replacing("\"", with: "'") + "\"" }

    /// Mermaid's attributes are words: `numeric(10,2)` and `bigint[]` are, a blank is not.
    private static func word(_ text: String) -> String {
        String(text.map { $0.isLetter || $0.isNumber || "_-()[]".contains($0) ? $0 : "_" })
    }
}
