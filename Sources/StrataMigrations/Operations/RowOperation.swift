import StrataRepository

/// An operation that goes through the rows of a table, range by range, each range in a transaction of its own.
protocol RowOperation: PlannedOperation {
    /// The table whose keys are walked.
    var walked: (table: String, key: String) { get }
}

extension RowOperation {
    /// Rows in a range.
    private var batchSize: Int { 10_000 }

    func execution(_ sql: SchemaSQL) -> MigrationStep.Execution {
        let (table, key) = walked
        return .batches(table: table, key: key, size: batchSize, kind: sql.keyKind(key, of: table))
    }

    var lock: MigrationStep.Lock { .rowExclusive }
}
