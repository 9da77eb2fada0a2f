extension StoreMapping {
    /// table → column → property (`Trip.name`), for messages about columns.
    package var propertyNames: [String: [String: String]] {
        var names: [String: [String: String]] = [:]
        for entity in entities {
            for column in entity.tableColumns {
                names[entity.table.name, default: [:]][column.name] = column.propertyName
            }
        }
        for join in joinTables {
            names[join.table.name] = [join.firstColumn: join.propertyName, join.secondColumn: join.propertyName]
            for order in join.orders { names[join.table.name]?[order.position.name] = order.position.propertyName }
        }
        return names
    }
}
