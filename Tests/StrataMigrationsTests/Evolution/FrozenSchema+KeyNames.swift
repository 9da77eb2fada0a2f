import StrataMigrations
import StrataRepository

extension FrozenSchema {
    /// The same with other names for the keys of all hierarchies, and for the columns that name classes; `nil` where there are views.
    var withOtherKeyNames: FrozenSchema? {
        guard database.views.isEmpty else { return nil }
        var schema = self
        for root in entities where root.parent == nil {
            let tables = Set(family(of: root).map(\.table))
            let taken = Set(database.tables.filter { tables.contains($0.name) }.flatMap { $0.columns.map(\.name) })
            let key = taken.contains("id") ? "No. of \(root.name)" : "id"
            let classColumn = taken.contains("kind") ? "kind of \(root.name)" : "kind"
            for index in schema.database.tables.indices {
                schema.database.tables[index].name(key, classColumn, of: tables)
            }
        }
        schema.database = schema.database.sorted
        return schema
    }
}

extension TableDefinition {
    fileprivate mutating func name(_ key: String, _ classColumn: String, of tables: Set<String>) {
        for index in foreignKeys.indices where tables.contains(foreignKeys[index].referencedTable) {
            foreignKeys[index].referencedColumns = [key]
        }
        guard tables.contains(name), let oldKey = keyColumn else { return }
        let oldClass = self.classColumn
        for index in columns.indices {
            if columns[index].name == oldKey { columns[index].name = key }
            if columns[index].name == oldClass { columns[index].name = classColumn }
        }
        primaryKey?.columns = [key]
        for index in foreignKeys.indices where foreignKeys[index].columns == [oldKey] {
            foreignKeys[index].columns = [key]
            foreignKeys[index].name = Naming.joined(name, key, "fkey")
        }
        for index in checks.indices {
            guard case .isOneOf(oldClass, let values) = checks[index].condition else { continue }
            checks[index] = CheckDefinition(
                name: Naming.joined(name, classColumn, "check"),
                condition: .isOneOf(column: classColumn, values: values))
        }
    }
}
