package import StrataModels

/// A table whose partitions are looked after, and what has to be known of its class for that.
package struct PartitionedTable: Hashable, Sendable {
    package let entityName: String
    package let table: TableName
    package let column: String
    package let period: Schema.PartitionPeriod
    /// Whether the history is told that objects have gone with a partition.
    package let isRecorded: Bool

    /// `nil` where nothing says how long partitions are.
    package init?(_ entityName: String, _ table: TableName, _ partitioning: PartitioningDefinition?, isRecorded: Bool) {
        guard let partitioning, let period = partitioning.period else { return nil }
        self.entityName = entityName
        self.table = table
        column = partitioning.column
        self.period = period
        self.isRecorded = isRecorded
    }
}
