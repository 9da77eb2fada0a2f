import Dispatch

/// Runs the work of one ``ModelActor``, one piece after the other, on a queue of its own.
///
/// A thread is used while there is work, and none while the actor waits. Synchronous calls of the context block that thread
/// and no thread of Swift's pool.
///
/// `@unchecked Sendable`: the context is the only part that is not; it comes in disconnected (`sending`), and only work on
/// `queue`, one piece at a time, touches it.
public final class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
    /// The context, for work that this executor runs.
    public let modelContext: ModelContext
    private let queue = DispatchQueue(label: "strata.model-actor")

    /// An executor for this context, which nobody else uses from now on.
    public init(modelContext: sending ModelContext) {
        self.modelContext = modelContext
        modelContext.turns = IsolationTurns(of: self)
    }

    /// Runs a piece of the actor's work after those that wait already.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// This executor, as actors ask for it.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Traps, as Swift's own executors do, when it is called by anything that this executor does not run.
    public func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Runs something in the actor's isolation, after the work that waits already.
    func run(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}
