/// An operation with all that it works on: what a step says and does follows from it.
protocol PlannedOperation: Sendable {
    var kind: MigrationOperation { get }
    /// One line for people: `add column trip.rating`.
    var title: String { get }
    /// The strongest lock on a table that is in use.
    var lock: MigrationStep.Lock { get }
    /// The tables the lock is taken on, without their schema.
    var tables: [String] { get }
    /// What it runs, without closing semicolons.
    func statements(_ sql: SchemaSQL) -> [String]

    // MARK: What most do without
    func execution(_ sql: SchemaSQL) -> MigrationStep.Execution
    /// Columns of the first of the tables that fit neither version until contract begins: see ``MigrationStep/columns``.
    var columns: [String] { get }
    /// A query of one boolean that says whether it has happened.
    func done(_ sql: SchemaSQL) -> String?
    /// The inverse, where nothing is lost by it.
    func undo(_ sql: SchemaSQL) -> [String]
    /// The index that a concurrent build makes.
    var index: String? { get }
    var notes: [String] { get }
    /// The check that it asks once more.
    var repeatedCheck: String? { get }
    /// Classes whose objects get a value for a new column without a statement that triggers could see.
    var silentlyFilled: [String] { get }
}

extension PlannedOperation {
    func execution(_ sql: SchemaSQL) -> MigrationStep.Execution { .transaction }
    var columns: [String] { [] }
    func done(_ sql: SchemaSQL) -> String? { nil }
    func undo(_ sql: SchemaSQL) -> [String] { [] }
    var index: String? { nil }
    var notes: [String] { [] }
    var repeatedCheck: String? { nil }
    var silentlyFilled: [String] { [] }
}
