import CLibPQ
import Foundation
import Logging
import Synchronization

/// One connection to the server.
///
/// It is used by one caller at a time: whoever has leased it from its pool, or opened it. Everything is sent with the
/// extended protocol, with parameters and results in binary form.
// Unchecked: the lease is exclusive, so libpq's structure and the fields below are touched by one caller at a time. What
// other threads may call (`cancel`, `abort`) or see (a wait) goes through `cancellation` and `patience`, which protect themselves.
package final class PostgresConnection: @unchecked Sendable {
    /// Unique in this process.
    package let id: Int
    package let configuration: PostgresConfiguration
    let logger: Logger
    let observer: (any PostgresObserver)?
    let cancellation: QueryCancellation
    private let notices: NoticeSink

    // Every batch reads and writes these; without the checks for overlapping access, as nothing of a caller's runs while one is changed.

    /// nil after ``close()``.
    @exclusivity(unchecked) var raw: OpaquePointer?
    @exclusivity(unchecked) var cache: StatementCache
    /// The connection cannot be used any more.
    @exclusivity(unchecked) var isBroken = false
    /// What was begun and has not ended, as far as the answers tell that have come: libpq forgets it with the connection.
    @exclusivity(unchecked) var openTransaction: OpenTransaction?
    /// The time that the call has which uses the connection now.
    var callLimit: CallLimit? {
        didSet { patience.setEnd(callLimit?.end) }
    }
    /// The settings that its statements find.
    @exclusivity(unchecked) var callSettings: CallSettings?
    /// The call that uses the connection now, where somebody observes calls.
    @exclusivity(unchecked) var call: CallsInProgress?
    /// The most rows that a statement may give to the call that uses the connection now; `nil` for any number.
    @exclusivity(unchecked) var rowLimit: Int?
    /// The server takes no writes, though it was to: the connection is of no use to those who come next.
    var leadsToStandby = false
    /// How long it waits.
    let patience: AnswerPatience
    /// The pool has looked at the socket just now.
    @exclusivity(unchecked) var isKnownAlive = false
    /// Where its pool finds it without a lock (``ParkedConnections``); -1 for nowhere.
    var place = -1
    /// How long it looks for an answer before it sleeps.
    @exclusivity(unchecked) var spin = SpinWait()
    /// A statement runs, or a cursor or a COPY has the connection.
    @exclusivity(unchecked) var isOccupied = false
    /// What it means for statements that their task is cancelled.
    var cancellationEffect = CancellationEffect.stopsServer
    /// Sent in front of the next batch: the BEGIN or SAVEPOINT of ``withTransaction(isolation:readOnly:_:)``.
    @exclusivity(unchecked) var deferredEntries: [PostgresBatch.Entry] = []
    var transactionDepth = 0
    var listensTo: Set<String> = []
    var pendingNotifications: [PostgresNotification] = []

    private static let lastID = Atomic<Int>(0)
    /// Distinguishes this process' prepared statements from others' behind a pooler.
    private static let processToken = String(UInt32.random(in: .min ... .max), radix: 36)

    init(
        raw: OpaquePointer, configuration: PostgresConfiguration, limits: AnswerLimits, logger: Logger,
        observer: (any PostgresObserver)?
    ) {
        let id = Self.lastID.add(1, ordering: .relaxed).newValue
        self.id = id
        self.raw = raw
        self.configuration = configuration
        self.observer = observer
        var logger = logger
        logger[metadataKey: "connection"] = "\(id)"
        self.logger = logger
        let limit = if case .named(let limit) = configuration.preparedStatements { limit } else { 0 }
        cache = StatementCache(limit: limit, prefix: "strata_\(Self.processToken)_\(id)")
        patience = AnswerPatience(silence: limits.silence)
        cancellation = QueryCancellation(connection: raw, grace: limits.cancellation, patience: patience)
        notices = NoticeSink(logger: logger)
        notices.attach(to: raw)
        AnswerWatch.shared.add(id, patience, cancellation)
    }

    deinit {
        close()
    }

    /// Ends the connection. Calling it again does nothing.
    package func close() {
        guard let raw else { return }
        AnswerWatch.shared.remove(id)
        cancellation.forgetSocket()
        self.raw = nil
        PQfinish(raw)
    }

    /// Cuts the connection from any thread. Whoever uses it gets `.connectionLost`.
    package func abort() { cancellation.abort() }

    /// Asks the server, from any thread, to stop the statement that runs; that call then throws `.cancelled`. When the server has
    /// not stopped after `AnswerLimits.cancellation`, the connection is closed.
    package func cancel() {
        cancellation.request()
    }

    /// For example 150020 for version 15.20.
    package var serverVersion: Int { raw.map { Int(PQserverVersion($0)) } ?? 0 }

    /// The process that serves this connection, as in `pg_stat_activity.pid`.
    package var backendID: Int32 { raw.map { PQbackendPID($0) } ?? 0 }

    package enum TransactionStatus: Sendable {
        case idle
        case active
        case inTransaction
        case failed
        case unknown
    }

    package var transactionStatus: TransactionStatus {
        // Of a lost connection libpq does not know any more.
        guard isUsable, let raw else { return openTransaction == nil ? .idle : .unknown }
        return switch PQtransactionStatus(raw) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_ACTIVE: .active
        case PQTRANS_INTRANS: .inTransaction
        case PQTRANS_INERROR: .failed
        default: .unknown
        }
    }

    /// Whether statements can be sent, as far as is known without asking the server.
    package var isUsable: Bool {
        guard let raw, !isBroken, !cancellation.hasCut else { return false }
        return PQstatus(raw) == CONNECTION_OK
    }

    /// Whether the idle connection is still alive. Looks at the socket only; costs no round trip.
    func looksAlive() -> Bool {
        guard isUsable, let raw else { return false }
        guard SocketPoll.hasInput(PQsocket(raw)) else { return true }
        // A notice, a notification, or the server's farewell.
        if PQconsumeInput(raw) == 0 || PQstatus(raw) != CONNECTION_OK { return false }
        collectNotifications()
        // After the farewell the socket stays readable: it is at its end.
        return !SocketPoll.hasInput(PQsocket(raw)) && PQstatus(raw) == CONNECTION_OK
    }

    /// Why the connection is of no use any more: what the server said when it ended the session, or libpq's own reason.
    ///
    /// - Parameter report: of a result. One that libpq made itself has no SQLSTATE, and knows less than the server's farewell.
    private func lossReport(_ report: ServerReport?) -> ServerReport {
        if let report, report.sqlState != nil { return report }
        return notices.farewell ?? report ?? ServerReport(message: latestMessage())
    }

    /// The error of a lost connection: with the server's own SQLSTATE where it said why.
    ///
    /// - Parameters:
    ///   - prefix: what could not be done, before the reason.
    ///   - report: of the result that told so, if one did.
    func lossError(_ prefix: String = "", report: ServerReport? = nil, wasSent: Bool) -> PostgresError {
        let report = lossReport(report)
        var fields = PostgresError.Fields(
            code: .connectionLost, message: prefix + report.messageWithAdvice, wasSent: wasSent)
        if report.sqlState != nil { fields.server = report }
        // Its end says nothing of why it was cut.
        if cancellation.hasCut, let reason = cancellation.reason { describeCut(because: reason, &fields) }
        return PostgresError(fields)
    }

    /// libpq's latest error text, without a line feed. It never contains a password.
    func latestMessage() -> String {
        raw.flatMap { PQerrorMessage($0) }.map { ServerReport.trimmed(String(cString: $0)) }
            ?? "the connection was closed"
    }

    /// The connection's pointer, or an error that says why it cannot be used.
    func requireUsable() throws(PostgresError) -> OpaquePointer {
        guard let raw else {
            throw PostgresError(.connectionUnavailable, "The connection was closed.")
        }
        guard !isOccupied else {
            throw PostgresError(
                .connectionUnavailable,
                "The connection is in use. A row closure, an open cursor or a COPY has it; use another connection.")
        }
        guard isUsable else {
            throw lossError("The connection was lost before: ", wasSent: false)
        }
        return raw
    }
}
