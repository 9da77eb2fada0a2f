/// What runs the work of a ``ModelActor`` and holds its context.
public protocol ModelExecutor: Executor {
    /// The context. Only what this executor runs may touch it; from outside, ask the actor.
    var modelContext: ModelContext { get }
}

/// A model executor that runs one piece of work at a time, as an actor needs it.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}
