import StrataModels

/// A closure of the plan.
struct RunClosure: PlannedOperation {
    var closure: StageClosure
    /// Of the classes that it sees.
    var version: Schema.Version

    var kind: MigrationOperation { .runClosure }
    var title: String { "run \(closure.rawValue) with version \(version)" }
    func execution(_ sql: SchemaSQL) -> MigrationStep.Execution { .closure(closure) }
    var lock: MigrationStep.Lock { .none }
    var tables: [String] { [] }

    func statements(_ sql: SchemaSQL) -> [String] { [] }
}
