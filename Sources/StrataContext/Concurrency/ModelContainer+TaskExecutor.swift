import StrataClient

extension ModelContainer {
    /// Runs tasks on threads that wait for the database's answers themselves: more work a second where many tasks at once do
    /// little but ask the database.
    ///
    /// On Swift's own threads an answer wakes two threads, one that waits for all sockets and one that goes on with the task;
    /// here it is one. There is a thread for each processor, for the whole process. As with Swift's own, whoever computes for
    /// long, or blocks (a lazily loaded relationship does), keeps others from their turn. Elsewhere than on Linux these are
    /// Swift's own threads.
    ///
    /// ```swift
    /// try await withTaskExecutorPreference(ModelContainer.taskExecutor) {
    ///     try await handle(request)
    /// }
    /// ```
    ///
    /// A task that prefers an executor hands the preference on to its child tasks (SE-0417). Code of the main actor stays on the main
    /// thread: from there, start a `Task(executorPreference:)`.
    public static var taskExecutor: any TaskExecutor {
        #if os(Linux)
        SocketExecutor.shared ?? globalConcurrentExecutor
        #else
        globalConcurrentExecutor
        #endif
    }
}
