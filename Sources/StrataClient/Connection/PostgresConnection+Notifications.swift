import CLibPQ

extension PostgresConnection {
    /// Subscribes to a channel. Not for connections behind a transaction pooler, which never delivers.
    package func listen(_ channel: String) throws {
        try run(PostgresBatch(Self.listening(to: channel)))
        listensTo.insert(channel)
    }

    /// Subscribes to a channel. Not for connections behind a transaction pooler, which never delivers.
    package func listen(_ channel: String) async throws {
        try await run(PostgresBatch(Self.listening(to: channel)))
        listensTo.insert(channel)
    }

    package func unlisten(_ channel: String) throws {
        try run(PostgresBatch(Self.notListening(to: channel)))
        listensTo.remove(channel)
    }

    package func unlisten(_ channel: String) async throws {
        try await run(PostgresBatch(Self.notListening(to: channel)))
        listensTo.remove(channel)
    }

    /// The next notification, or nil when none came in time. Blocks this thread.
    package func waitForNotification(timeout: Duration?) throws -> PostgresNotification? {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            let raw = try requireUsable()
            if let first = takeNotification() { return first }
            let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
            guard SocketPoll.wait(PQsocket(raw), forWriting: false, timeout: rest) else { return nil }
            try receiveInput(raw)
        }
    }

    /// The next notification, or nil when none came in time. Throws `CancellationError` when the task is cancelled.
    package func waitForNotification(timeout: Duration?) async throws -> PostgresNotification? {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            let raw = try requireUsable()
            if let first = takeNotification() { return first }
            let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
            switch await SocketReadiness.shared.waitForReading(PQsocket(raw), timeout: rest) {
            case .ready: try receiveInput(raw)
            case .timedOut: return nil
            case .cancelled: throw CancellationError()
            }
        }
    }

    private func takeNotification() -> PostgresNotification? {
        collectNotifications()
        return pendingNotifications.isEmpty ? nil : pendingNotifications.removeFirst()
    }

    private func receiveInput(_ raw: OpaquePointer) throws {
        guard PQconsumeInput(raw) != 0, PQstatus(raw) == CONNECTION_OK else {
            isBroken = true
            throw lossError(wasSent: false)
        }
    }

    private static func listening(to channel: String) -> PostgresStatement {
        PostgresStatement(PreparedSQL("LISTEN \(quotedIdentifier(channel))", isCached: false))
    }

    private static func notListening(to channel: String) -> PostgresStatement {
        PostgresStatement(PreparedSQL("UNLISTEN \(quotedIdentifier(channel))", isCached: false))
    }
}
