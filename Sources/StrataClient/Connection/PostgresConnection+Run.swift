import CLibPQ

extension PostgresConnection {
    /// Sends the batch in one flush and hands out its rows as they arrive; blocks this thread until the last answer.
    ///
    /// The first error ends the batch and is thrown with the statement it belongs to. A transaction that the batch began is
    /// then rolled back; the connection stays usable unless it was lost. What a closure throws is rethrown after the rest
    /// was read: statements behind it were already sent and may have been carried out.
    ///
    /// Throws ``PostgresError``, or what a closure threw.
    package func run(_ batch: consuming PostgresBatch) throws {
        guard !batch.isEmpty else { return }
        try send(batch)
    }

    /// Sends the batch, also one that has nothing but what was put off.
    func send(_ batch: consuming PostgresBatch) throws {
        var run = try BatchRun(self, batch)
        drive(&run)
        cancellation.endAndWait()
        isOccupied = false
        if let failure = run.failure { throw failure }
    }

    /// Sends the batch in one flush and hands out its rows as they arrive, on the caller's isolation; no thread is blocked.
    ///
    /// As the blocking twin. In addition, cancelling the task asks the server to stop; when it has, the call throws
    /// `CancellationError`. When the statements were complete by then, it returns as usual.
    package func run(_ batch: consuming PostgresBatch) async throws {
        guard !batch.isEmpty else { return }
        try await send(batch)
    }

    /// Sends the batch, also one that has nothing but what was put off.
    func send(_ batch: consuming PostgresBatch) async throws {
        if batch.runsToEnd { return try await runToEnd(batch) }
        try checkCancellation()
        #if os(Linux)
        // A transaction that is open may hold locks, which the others wait for or pass over: it is not kept waiting.
        if openTransaction == nil {
            await SocketExecutor.letOthersGoFirst()
            try checkCancellation()
        }
        #endif
        var run = try BatchRun(self, batch)
        if cancellationEffect == .isHeardAround { await driveHeard(&run) } else { await driveCancellably(&run) }
        isOccupied = false
        if let failure = run.failure {
            if Task.isCancelled, (failure as? PostgresError)?.code == .cancelled { throw CancellationError() }
            throw failure
        }
    }

    /// Takes the notifications that came along with answers.
    func collectNotifications() {
        guard let raw else { return }
        while let notification = PQnotifies(raw) {
            pendingNotifications.append(
                PostgresNotification(
                    channel: notification.pointee.relname.map { String(cString: $0) } ?? "",
                    payload: notification.pointee.extra.map { String(cString: $0) } ?? "",
                    backendID: notification.pointee.be_pid))
            PQfreemem(notification)
        }
    }

    /// One round trip that does nothing, to see whether the server answers.
    package func ping() throws {
        try run(PostgresBatch(PostgresStatement(Self.emptyQuery)))
    }

    /// One round trip that does nothing, to see whether the server answers.
    package func ping() async throws {
        try await run(PostgresBatch(PostgresStatement(Self.emptyQuery)))
    }

    private static let emptyQuery = PreparedSQL("", isCached: false)
}
