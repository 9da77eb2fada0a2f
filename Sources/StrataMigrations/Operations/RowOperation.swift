import StrataRepository

/// An operation that goes through the rows of a table, range by range, each range in a transaction of its own.
protocol RowOperation: PlannedOperation {
    /// The table whose keys are walked.
    var walked: (table: String, key: String) { get }
}

extension RowOperation {
    /// Rows in a range.
    private var batchSize: Int { 10_000 }

    var execution: MigrationStep.Execution { .batches(table: walked.table, key: walked.key, size: batchSize) }
    var lock: MigrationStep.Lock { .rowExclusive }
}
