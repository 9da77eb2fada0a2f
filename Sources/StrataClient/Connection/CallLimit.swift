/// The time that a call has: all its round trips together.
struct CallLimit {
    let limit: Duration
    let end: MonotonicTime

    init(_ limit: Duration) {
        self.limit = limit
        end = .now + limit
    }

    /// What is left, in milliseconds as the server takes them (at least 1: to it, 0 is no limit); `nil` when it is over.
    fileprivate var millisecondsLeft: Int? {
        let rest = MonotonicTime.now.duration(to: end)
        return rest > .zero ? rest.serverMilliseconds : nil
    }
}

extension PostgresConnection {
    /// Gives what `body` does on this connection a time, all its round trips together; without a limit, the time that there is.
    ///
    /// The server is told with the statements, and told again to be sure when the time is over; if it does not stop, the
    /// connection is closed. No round trip.
    package func within<Result>(_ limit: Duration?, _ body: () throws -> Result) rethrows -> Result {
        guard let limit else { return try body() }
        let before = callLimit
        callLimit = CallLimit(limit)
        defer { callLimit = before }
        return try body()
    }

    /// Gives what `body` does on this connection a time, all its round trips together; without a limit, the time that there is.
    package func within<Result>(_ limit: Duration?, _ body: () async throws -> Result) async rethrows -> Result {
        guard let limit else { return try await body() }
        let before = callLimit
        callLimit = CallLimit(limit)
        defer { callLimit = before }
        return try await body()
    }

    /// Gives each answer that `body` waits for on this connection another time; `nil` for any.
    ///
    /// For statements that take as long as they take, or whose time the server has been told already.
    package func waiting<Result>(upTo silence: Duration?, _ body: () throws -> Result) rethrows -> Result {
        let before = patience.silence
        patience.silence = silence
        defer { patience.silence = before }
        return try body()
    }

    /// The statements, with one in front of them that tells the server how long they may take.
    ///
    /// Throws `.timeout`, with nothing sent, when the time is over. What only ends a transaction is sent all the same.
    func limiting(_ entries: [PostgresBatch.Entry]) throws(PostgresError) -> [PostgresBatch.Entry] {
        guard callLimit != nil || openTransaction?.limit == .told,
            entries.contains(where: { [.statement, .autocommit, .commit].contains($0.role) })
        else { return entries }
        var limited = entries
        limited.insert(try limitEntry(), at: Self.placeBeforeStatements(entries))
        return limited
    }

    private func limitEntry() throws(PostgresError) -> PostgresBatch.Entry {
        guard let callLimit else {
            openTransaction?.limit = .takenBack
            guard let limit = configuration.limits.statement else {
                return PostgresBatch.Entry(statement: PostgresStatement(Self.unlimited).storingNothing)
            }
            return try limitEntry(limit.serverMilliseconds)
        }
        guard let milliseconds = callLimit.millisecondsLeft else {
            throw PostgresError(.timeout, "\(overTime(callLimit)) Nothing more was sent.", wasSent: false)
        }
        openTransaction?.limit = .told
        return try limitEntry(milliseconds)
    }

    private func limitEntry(_ milliseconds: Int) throws(PostgresError) -> PostgresBatch.Entry {
        var parameters = PostgresParameters()
        try parameters.append("\(milliseconds)")
        return PostgresBatch.Entry(statement: PostgresStatement(Self.limited, parameters: parameters).storingNothing)
    }

    private static let limited = PreparedSQL("SELECT pg_catalog.set_config('statement_timeout', $1, true)")
    private static let unlimited = PreparedSQL("SET LOCAL statement_timeout TO DEFAULT", isCached: false)

    // MARK: Errors

    /// What the server reported, in the words of the time that was given.
    func error(_ report: ServerReport) -> PostgresError {
        let reason = cancellation.reason
        var error = PostgresError(report: report, stoppedBecause: reason)
        if error.sqlState == "25006", isToWrite {
            leadsToStandby = true
            error.fields.code = .readOnlyServer
            error.fields.message +=
                ". The server takes no writes: it is a standby, or its default_transaction_read_only is on. Name all servers in the URL "
                + "with target_session_attrs=read-write; new connections look for the one that writes."
            return error
        }
        guard error.code == .timeout else { return error }
        if let callLimit {
            error.fields.message = "\(overTime(callLimit)) The server has stopped the statement."
        } else if reason == .silence {
            error.fields.message = "\(silent) It was asked to stop the statement, and did."
        }
        return error
    }

    /// Whether nobody here has said that the transaction only reads.
    private var isToWrite: Bool { !configuration.readOnly && openTransaction?.isReadOnly != true }

    /// The connection was cut here, because the server did not do what it was asked.
    func describeCut(because reason: QueryCancellation.Reason, _ fields: inout PostgresError.Fields) {
        let end =
            "The server did not stop within \(cancellation.grace.seconds), so the connection was closed. Look at the server, "
            + "or at the pooler before it."
        switch reason {
        case .caller:
            fields.code = .cancelled
            fields.message = "The call was cancelled. \(end)"
        case .callLimit:
            fields.code = .timeout
            fields.message = callLimit.map { "\(overTime($0)) \(end)" } ?? end
        case .silence:
            fields.code = .timeout
            fields.message = "\(silent) \(end)"
        }
    }

    private func overTime(_ call: CallLimit) -> String {
        "The call took longer than its time of \(call.limit.seconds)."
    }

    private var silent: String {
        "The server gave no sign for \(patience.silence?.seconds ?? "too long"), the limit for an answer."
    }
}

extension Duration {
    /// As the server takes times: whole milliseconds, at least 1 (to it, 0 is no limit).
    var serverMilliseconds: Int { min(max(1, wholeMilliseconds), Int(Int32.max)) }

    /// `2.5 s`; `0.15 s`.
    var seconds: String {
        let parts: Double = self < .seconds(1) ? 1000 : 10
        return "\((timeInterval * parts).rounded() / parts) s"
    }
}
