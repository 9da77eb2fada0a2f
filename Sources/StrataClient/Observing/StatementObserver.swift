/// Is told of every statement that a container's connections have carried out: for metrics, traces and tests.
///
/// ```swift
/// struct SlowFetches: StatementObserver {
///     func didComplete(_ statement: ObservedStatement) {
///         if statement.duration > .seconds(1) { print(statement.name ?? statement.sql, statement.rows) }
///     }
/// }
/// let container = try await ModelContainer(
///     for: Schema([Trip.self]), configurations: [ModelConfiguration()], observers: [SlowFetches()])
/// ```
///
/// It is called on the thread that has read the answer, while the caller waits: within the task of an asynchronous call, so
/// that task-local values such as a trace's context are those of the caller. It must be quick, must not block, and cannot use
/// the container. Prepared statements' preparation and clean-up are not told.
public protocol StatementObserver: Sendable {
    /// A statement has been answered, or has failed.
    func didComplete(_ statement: ObservedStatement)
}
