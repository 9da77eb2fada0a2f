extension StoreMapping {
    /// table → column → property (`Trip.name`), for messages about columns of the store's own schema.
    package var propertyNames: [String: [String: String]] { propertyNames(in: schemaName) }

    /// The same of another PostgreSQL schema.
    func propertyNames(in schemaName: String) -> [String: [String: String]] {
        var names: [String: [String: String]] = [:]
        for entity in entities where entity.table.schema == schemaName {
            for column in entity.tableColumns {
                names[entity.table.name, default: [:]][column.name] = column.propertyName
            }
        }
        for join in joinTables where join.table.schema == schemaName {
            for name in join.keyNames { names[join.table.name, default: [:]][name] = join.propertyName }
            for order in join.orders { names[join.table.name]?[order.position.name] = order.position.propertyName }
        }
        return names
    }
}
