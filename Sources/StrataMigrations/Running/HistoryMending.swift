import StrataRepository

/// Makes the triggers of a schema's history fit, with the patience of a step: they are made on tables in use.
struct HistoryMending {
    private let session: RunnerSession
    private let statement: String

    /// - Parameter description: what to record from now on; `nil` for what the database has been told before.
    init(_ session: RunnerSession, _ description: HistoryDescription?) {
        self.session = session
        let call = description.map { HistoryCall.describe($0) } ?? .sync
        statement = call.statement(in: session.schemaName)
    }

    /// - Parameter body: what belongs into the same transaction.
    func run(_ body: () throws -> Void = {}) throws {
        let step = MigrationStep(
            id: "history", phase: .contract, operation: .recordHistory, title: "fit the history's triggers",
            lock: .accessExclusive,
            statements: [statement])
        let run = StepRun(session, step: step, stage: StageName("history"), number: 0, record: nil)
        do {
            try run.retrying { attempt in
                try session.transaction {
                    try session.set(attempt, history: .on)
                    try session.whileStep(mayTake: attempt.statementTimeout) { try session.execute(statement) }
                    try body()
                }
            }
        } catch {
            throw MigrationError(error, in: step, of: StageName("history"))
        }
    }
}
