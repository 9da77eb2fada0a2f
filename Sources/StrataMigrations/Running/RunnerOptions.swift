/// How patient a runner is, and what it may leave out.
package struct RunnerOptions: Sendable {
    /// How long to wait for another runner to end; zero does not wait.
    package var waitForRunner: Duration
    /// How often a step is tried when a lock cannot be had or a deadlock was broken.
    package var attempts: Int
    /// Milliseconds instead of each step's own limit of waiting for a lock. Steps without a limit keep none: a concurrent
    /// build that gives up leaves an invalid index.
    package var lockTimeout: Int?
    /// Milliseconds instead of each step's own limit of a statement, besides what it waits for locks; steps without a limit keep
    /// none.
    package var statementTimeout: Int?
    /// Rows of a range of a backfill at most, instead of what the step says.
    package var batchSize: Int?
    /// Stop after so many steps. What lies between the closures of a custom stage is run together.
    package var stepLimit: Int?
    /// Refuse to go on when the scripts of stages that are complete are not what was run.
    package var verifiesAppliedStages: Bool
    /// Pause after each range of a backfill, to leave the disks to others.
    package var batchPause: Duration
    /// How long the server may leave a statement without an answer, beyond the time that the statement may take.
    package var silence: Duration
    /// Codes of data checks whose findings are accepted.
    package var allowedChecks: Set<String>
    /// Tables of the PostgreSQL schema that belong to others; a database that holds no other ones counts as empty.
    package var ignoredTables: Set<String>
    /// The frozen forms of versions, by the stage's number; kept with the record of the version.
    package var descriptions: [Int: FrozenSchema]
    /// Whether names without a schema are looked for in the schema first that is worked on, as in a tenant's.
    package var searchesSchema = false
    /// Called after each step was recorded; what it throws ends the run as a crash would.
    package var afterStep: (@Sendable (_ step: String) throws -> Void)?

    package init(
        waitForRunner: Duration = .seconds(60), attempts: Int = 20, lockTimeout: Int? = nil,
        statementTimeout: Int? = nil, batchSize: Int? = nil, stepLimit: Int? = nil, verifiesAppliedStages: Bool = false,
        batchPause: Duration = .zero, silence: Duration = .seconds(60), allowedChecks: Set<String> = [],
        ignoredTables: Set<String> = [],
        descriptions: [Int: FrozenSchema] = [:],
        afterStep: (@Sendable (String) throws -> Void)? = nil
    ) {
        self.waitForRunner = waitForRunner
        self.attempts = attempts
        self.lockTimeout = lockTimeout
        self.statementTimeout = statementTimeout
        self.batchSize = batchSize
        self.stepLimit = stepLimit
        self.verifiesAppliedStages = verifiesAppliedStages
        self.batchPause = batchPause
        self.silence = silence
        self.allowedChecks = allowedChecks
        self.ignoredTables = ignoredTables
        self.descriptions = descriptions
        self.afterStep = afterStep
    }
}

extension RunnerOptions {
    func lockTimeout(of step: MigrationStep) -> Int { step.lockTimeout == 0 ? 0 : lockTimeout ?? step.lockTimeout }

    /// Milliseconds for a lock behind which nobody waits: longer than the server needs to make its autovacuum give way
    /// (`deadlock_timeout`, one second unless it was changed), where nobody has said how long.
    func approachTimeout(of step: MigrationStep) -> Int {
        step.lockTimeout == 0 ? 0 : lockTimeout ?? max(step.lockTimeout, 5000)
    }

    func statementTimeout(of step: MigrationStep) -> Int {
        step.statementTimeout == 0 ? 0 : statementTimeout ?? step.statementTimeout
    }
}
