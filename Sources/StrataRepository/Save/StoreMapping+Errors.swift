import StrataClient

extension TableName {
    /// Whether it is the table that an error of the server names.
    func isNamed(by error: PostgresError) -> Bool {
        name == error.table && (error.schema == nil || schema == error.schema)
    }
}

extension StoreMapping {
    /// The class whose table an error of the server names. Of a partitioned table it names the partition.
    func entity(of error: PostgresError) -> EntityMapping? {
        let entities = entities.filter { error.schema == nil || $0.table.schema == error.schema }
        if let entity = entities.first(where: { $0.table.isNamed(by: error) }) { return entity.base }
        guard let table = error.table else { return nil }
        let divided = entities.filter { $0.entity.partition != nil }
        // Partitions that others have made have any name: the columns say whose they are.
        let columns = Set(error.keyColumns)
        return divided.first { PartitionName.isName(table, of: $0.table.name) }
            ?? divided.first { entity in
                !columns.isEmpty
                    && (columns == Set(entity.key.names)
                        || entity.uniqueSets.contains { Set($0.columns.flatMap(\.tableNames)) == columns })
            }
    }
}
