/// A question that was asked before the stage, once more: old code may have written since.
struct VerifyAgain: PlannedOperation {
    var check: DataCheck
    /// What must hold as well by now, as ` AND …`.
    var condition: String

    var kind: MigrationOperation { .verifyAgain }
    var title: String { "verify once more: " + check.title }
    func execution(_ sql: SchemaSQL) -> MigrationStep.Execution { .verify }
    var lock: MigrationStep.Lock { .none }
    var tables: [String] { [] }
    var repeatedCheck: String? { check.code }
    var notes: [String] { ["repeats check \(check.code)"] }

    func statements(_ sql: SchemaSQL) -> [String] { [check.query + condition] }
}
