extension StoreMapping {
    /// table → column → property (`Trip.name`), for messages about columns of the store's own schema.
    package var propertyNames: [String: [String: String]] { propertyNames(in: schemaName) }

    /// The same of another PostgreSQL schema.
    func propertyNames(in schemaName: String) -> [String: [String: String]] {
        var names: [String: [String: String]] = [:]
        for entity in entities where entity.table.schema == schemaName {
            for column in entity.tableColumns + entity.tableClasses.flatMap(\.ownGeneratedColumns).map(\.column) {
                names[entity.table.name, default: [:]][column.name] = column.propertyName
            }
        }
        for join in joinTables where join.table.schema == schemaName {
            for name in join.keyNames { names[join.table.name, default: [:]][name] = join.propertyName }
            for order in join.orders { names[join.table.name]?[order.position.name] = order.position.propertyName }
        }
        return names
    }

    /// table → columns in which parts of keys stand, of objects of the class or of those that it refers to, and no key of one column.
    func partColumns(in schemaName: String) -> [String: Set<String>] {
        var columns: [String: Set<String>] = [:]
        for entity in entities where entity.table.schema == schemaName && entity.base === entity && !entity.isView {
            let keys =
                [(entity.key, entity.key.names)]
                + entity.foreignKeys(in: self).map { ($0.target.key, $0.column.tableNames) }
            let single = Set(keys.filter(\.0.isSingle).flatMap(\.1))
            columns[entity.table.name] = Set(keys.flatMap(\.1)).subtracting(single)
        }
        for join in joinTables where join.table.schema == schemaName {
            columns[join.table.name] = Set([join.firstKey, join.secondKey].filter { !$0.isSingle }.flatMap(\.names))
        }
        return columns
    }
}
