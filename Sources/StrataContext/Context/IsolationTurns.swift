/// How something is run in the isolation of a context, after the work that is under way there.
struct IsolationTurns {
    /// The main actor's.
    static let main = IsolationTurns(executor: nil)

    /// `nil` for the main actor. Weak, because the executor keeps the context that keeps this.
    private weak var executor: DefaultSerialModelExecutor?
    private let isMain: Bool

    init(of executor: DefaultSerialModelExecutor) {
        self.init(executor: executor)
    }

    private init(executor: DefaultSerialModelExecutor?) {
        self.executor = executor
        isMain = executor == nil
    }

    /// Whether this thread runs something else than the executor's work. Of the main actor that is not known.
    var isElsewhere: Bool {
        guard let executor else { return false }
        return !executor.isCurrent
    }

    /// Runs work later; never, when the executor is gone, as nothing can be done in its isolation any more.
    func later(_ work: @escaping @Sendable () -> Void) {
        if isMain {
            Task { @MainActor in work() }
        } else {
            executor?.run(work)
        }
    }
}
