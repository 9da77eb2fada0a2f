/// What it means for the statements of a connection that the task is cancelled which sends them.
enum CancellationEffect {
    /// The server is asked to stop, and no more is sent.
    case stopsServer
    /// The same, and ``PostgresConnection/stopping(_:_:)`` around the statements has one listener for all of them.
    case isHeardAround
    /// What runs comes to its end, and no more is sent.
    case sendsNoMore
    /// Nothing.
    case none
}

extension PostgresConnection {
    /// Runs `body`. When its task is cancelled, whatever runs on the connections then is stopped, whichever task has asked for it.
    ///
    /// The statements that the task itself sends in turn need no listener of their own. The connections are the caller's until `body` returns.
    package static func stopping<Result>(
        _ connections: [PostgresConnection], _ body: () async throws -> Result
    ) async rethrows -> Result {
        let before = connections.map(\.cancellationEffect)
        for connection in connections where connection.cancellationEffect == .stopsServer {
            connection.cancellationEffect = .isHeardAround
        }
        defer { for (connection, effect) in zip(connections, before) { connection.cancellationEffect = effect } }
        return try await withCancellationHandler {
            try await body()
        } onCancel: {
            for connection in connections { connection.cancel() }
        }
    }

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
