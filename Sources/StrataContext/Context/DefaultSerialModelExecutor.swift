import Dispatch

/// Runs the work of one ``ModelActor``, one piece after the other, on a queue of its own.
///
/// A thread is used while there is work, and none while the actor waits. Synchronous calls of the context block that thread
/// and no thread of Swift's pool.
///
/// `@unchecked Sendable`, because the context is given to work on the executor's queue only, one piece at a time.
public final class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
    /// The context, for work that this executor runs.
    ///
    /// The compiler cannot see whether that is so, so it is checked: elsewhere the program ends with a message.
    public var modelContext: ModelContext {
        guard isCurrent else {
            // Not an error that is thrown: a getter of SwiftData's, and whoever went on would race with the actor.
            fatalError(
                "The modelContext of a ModelActor's executor was asked for outside of the actor. Use it in the actor's own "
                    + "methods and pass identifiers or snapshots, or make a ModelContext(container) where you are.")
        }
        return context
    }

    private static let current = DispatchSpecificKey<ObjectIdentifier>()
    private let context: ModelContext
    private let queue = DispatchQueue(label: "strata.model-actor")

    /// An executor for this context, which nobody else uses from now on.
    public init(modelContext: sending ModelContext) {
        context = modelContext
        queue.setSpecific(key: Self.current, value: ObjectIdentifier(self))
        modelContext.turns = IsolationTurns(of: self)
    }

    /// Whether this thread runs work of this executor.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self) }

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
