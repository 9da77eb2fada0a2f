/// How patient a runner is, and what it may leave out.
package struct RunnerOptions: Sendable {
    /// How long to wait for another runner to end; zero does not wait.
    package var waitForRunner: Duration
    /// How often a step is tried when a lock cannot be had or a deadlock was broken.
    package var attempts: Int
    /// Pause after each range of a backfill, to leave the disks to others.
    package var batchPause: Duration
    /// Codes of data checks whose findings are accepted.
    package var allowedChecks: Set<String>
    /// Tables of the PostgreSQL schema that belong to others; a database that holds no other ones counts as empty.
    package var ignoredTables: Set<String>
    /// The frozen forms of versions, by the stage's number; kept with the record of the version.
    package var descriptions: [Int: FrozenSchema]
    /// Called after each step was recorded; what it throws ends the run as a crash would.
    package var afterStep: (@Sendable (_ step: String) throws -> Void)?

    package init(
        waitForRunner: Duration = .seconds(60), attempts: Int = 20, batchPause: Duration = .zero,
        allowedChecks: Set<String> = [], ignoredTables: Set<String> = [], descriptions: [Int: FrozenSchema] = [:],
        afterStep: (@Sendable (String) throws -> Void)? = nil
    ) {
        self.waitForRunner = waitForRunner
        self.attempts = attempts
        self.batchPause = batchPause
        self.allowedChecks = allowedChecks
        self.ignoredTables = ignoredTables
        self.descriptions = descriptions
        self.afterStep = afterStep
    }
}
