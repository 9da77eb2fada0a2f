import StrataModels

extension EntityMapping {
    /// How `#Partition` divides the table; `nil` for a table that is one.
    package var partitioning: PartitioningDefinition? {
        guard let partition = entity.partition, let slot = descriptor.property(named: partition.name)?.slot,
            let column = columns[slot]
        else { return nil }
        return PartitioningDefinition(column: column.name, period: partition.period)
    }
}
