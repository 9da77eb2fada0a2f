/// What runs the work of a ``ModelActor`` and holds its context.
public protocol ModelExecutor: Executor {
    /// The context, for what this executor runs. Nothing else may touch it, which the compiler cannot see to here:
    /// ``DefaultSerialModelExecutor`` checks it, and other executors should.
    var modelContext: ModelContext { get }
}

/// A model executor that runs one piece of work at a time, as an actor needs it.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}
