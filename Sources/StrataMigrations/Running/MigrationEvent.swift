/// What the runner tells while it works, in the order in which it happens.
package enum MigrationEvent: Hashable, Sendable {
    /// The runner lock is ours, held by the server process with this number.
    case lockAcquired(pid: Int32)
    /// Another runner is at work; said about once a second.
    case waitingForRunner(holder: MigrationSession?, waited: Duration)
    case stageStarted(stage: String)
    /// All data checks of the stage found nothing.
    case checksPassed(stage: String, count: Int, duration: Duration)
    case stepStarted(step: String, title: String)
    /// The SQL of the step that has just been started.
    case statements(step: String, [String])
    /// It was done before: by an earlier run, or by someone else.
    case stepSkipped(step: String, title: String, reason: SkipReason)
    /// After each range of a backfill.
    case stepProgress(step: String, MigrationProgress)
    /// The step waits, and for whom.
    case stepWaiting(step: String, blockers: [MigrationSession])
    /// A lock could not be had, or a deadlock was broken; the step is tried again after a pause.
    case stepRetry(step: String, attempt: Int, limit: Int, reason: String, blockers: [MigrationSession])
    case stepFinished(step: String, title: String, rows: Int64?, duration: Duration)
    /// An invalid index, left by an interrupted build, was dropped.
    case indexRemoved(step: String, index: String)
    /// A step was taken back.
    case stepUndone(step: String, title: String)
    /// The version is reached.
    case stageFinished(stage: String, version: String)
    /// A phase was asked for that leaves these steps of the stage for later.
    case stageStopped(stage: String, pending: [String])

    package enum SkipReason: Hashable, Sendable {
        /// The ledger says so.
        case recorded
        /// The catalogs say so; it is recorded now.
        case found
    }
}

/// How far a backfill has come.
package struct MigrationProgress: Hashable, Sendable {
    package var rowsDone: Int64
    /// An estimate: the table may grow or shrink meanwhile.
    package var rowsTotal: Int64?
    /// Of this run.
    package var rowsPerSecond: Double
    package var timeLeft: Duration?

    package init(rowsDone: Int64, rowsTotal: Int64?, rowsPerSecond: Double, timeLeft: Duration?) {
        self.rowsDone = rowsDone
        self.rowsTotal = rowsTotal
        self.rowsPerSecond = rowsPerSecond
        self.timeLeft = timeLeft
    }
}
