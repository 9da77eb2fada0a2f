/// What was carried over, compared with what it comes from.
struct Verify: PlannedOperation {
    /// `Trip.rating`, `the rows of trip`.
    var subject: String
    /// Each lists what is not the same.
    var queries: [String]
    var tables: [String]

    var kind: MigrationOperation { .verify }
    var title: String { "verify \(subject)" }
    func execution(_ sql: SchemaSQL) -> MigrationStep.Execution { .verify }
    var lock: MigrationStep.Lock { .none }

    func statements(_ sql: SchemaSQL) -> [String] { queries }
}
