/// What it means for the statements of a connection that the task is cancelled which sends them.
enum CancellationEffect {
    /// The server is asked to stop, and no more is sent.
    case stopsServer
    /// What runs comes to its end, and no more is sent.
    case sendsNoMore
    /// Nothing.
    case none
}

extension PostgresConnection {
    /// Lets what `body` has begun to run on this connection come to its end although the task is cancelled; what it has not
    /// begun then is not sent. Only ``cancel()`` asks the server to stop.
    package func withoutStopping<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await with(cancellationEffect == .none ? .none : .sendsNoMore, body)
    }

    /// Lets `body` send and receive all that it wants although the task is cancelled: what it does is another task's, which the
    /// connection has to be free of first.
    package func carryingThrough<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await with(.none, body)
    }

    private func with<Result>(_ effect: CancellationEffect, _ body: () async throws -> Result) async rethrows -> Result
    {
        let before = cancellationEffect
        cancellationEffect = effect
        defer { cancellationEffect = before }
        return try await body()
    }

    /// Throws `CancellationError` in a cancelled task, unless what is sent is another's.
    func checkCancellation() throws {
        if cancellationEffect != .none { try Task.checkCancellation() }
    }
}
