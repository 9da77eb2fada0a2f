/// A failure while talking to PostgreSQL: what failed, at which statement, and what can be done.
///
/// `description` never holds a password and never the values you stored. The server's `DETAIL` may quote values; it is in
/// ``detail`` and in `debugDescription` only.
public struct PostgresError: Error, Sendable {
    struct Fields: Sendable {
        var code: Code
        var message: String
        var server: ServerReport?
        var statementName: String?
        var statementText: String?
        var wasSent = false
        var underlying: (any Error)?
    }

    /// The fields live in one box, so that throwing the error costs one pointer.
    private final class Box: Sendable {
        let fields: Fields
        init(_ fields: Fields) { self.fields = fields }
    }

    private var box: Box

    var fields: Fields {
        get { box.fields }
        set { box = Box(newValue) }
    }

    init(_ fields: Fields) {
        box = Box(fields)
    }

    /// An error of the client itself, with a message that says what to do.
    package init(_ code: Code, _ message: String, wasSent: Bool = false, underlying: (any Error)? = nil) {
        box = Box(Fields(code: code, message: message, wasSent: wasSent, underlying: underlying))
    }

    /// What kind of failure this is.
    public var code: Code { box.fields.code }

    /// What happened, in the client's words. Never holds stored values or a password.
    public var message: String { box.fields.message }

    /// The server's primary message, as it sent it, when the server reported the error. Of a refused connection it has libpq's words
    /// before it.
    public var serverMessage: String? { box.fields.server?.message }

    /// The server's `DETAIL`. It may hold values the user stored: do not show it to other users.
    public var detail: String? { box.fields.server?.detail }

    /// The server's suggestion.
    public var hint: String? { box.fields.server?.hint }

    /// The five characters of the SQLSTATE, for example `23505`.
    public var sqlState: String? { box.fields.server?.sqlState }

    /// `ERROR`, `FATAL` or `PANIC`.
    public var severity: String? { box.fields.server?.severity }

    /// The constraint that was violated.
    public var constraint: String? { box.fields.server?.constraint }

    /// The PostgreSQL schema the error is about.
    public var schema: String? { box.fields.server?.schema }

    /// The table the error is about.
    public var table: String? { box.fields.server?.table }

    /// The column the error is about.
    public var column: String? { box.fields.server?.column }

    /// The data type the error is about.
    public var dataType: String? { box.fields.server?.dataType }

    /// Where in the SQL text the server found the error, in characters from 1.
    public var position: Int? { box.fields.server?.position }

    /// The server's `CONTEXT`: the call stack of functions and triggers. It may hold values the user stored.
    public var serverContext: String? { box.fields.server?.context }

    /// The name under which the failed statement is logged.
    public var statementName: String? { box.fields.statementName }

    /// The SQL text of the failed statement; parameters are not part of it.
    public var statementText: String? { box.fields.statementText }

    /// The error that led to this one.
    public var underlyingError: (any Error)? { box.fields.underlying }

    /// Whether the statement may have reached the server. When `false` it certainly did not run.
    public var wasSent: Bool { box.fields.wasSent }

    /// Whether the connection to the server was lost or could not be made.
    public var isConnectionLoss: Bool {
        code == .connectionFailed || code == .connectionLost || code == .outcomeUnknown
    }

    /// Whether the role lacks a right on what a statement names. One that may not connect at all is refused with the same SQLSTATE.
    package var lacksRight: Bool { sqlState == "42501" && !isConnectionLoss }

    /// Whether carrying out the same transaction again, from its beginning, may succeed and cannot do the work twice.
    ///
    /// True for serialization failures, deadlocks, lock timeouts, a server that shuts down, takes no writes any more or has no free
    /// connection, a pool of which no connection became free in time, and for connections lost before anything was sent. Never
    /// true when the outcome of a COMMIT is unknown.
    public var isRetryable: Bool {
        switch code {
        case .outcomeUnknown: return false
        case .connectionFailed, .poolAcquireTimeout, .readOnlyServer: return true
        case .stalePreparedStatement: return true
        case .connectionLost where !wasSent: return true
        default: break
        }
        switch sqlState {
        case "40001", "40P01", "55P03", "57P01", "57P02", "57P03", "53300": return true
        default: return false
        }
    }

    static func rowLimitExceeded(_ limit: Int) -> PostgresError {
        PostgresError(
            .rowLimitExceeded,
            "The statement gives more than \(limit) row\(limit == 1 ? "" : "s"), the limit for one call. Nothing of it was returned. Ask "
                + "for fewer (fetchLimit, pages), enumerate, or set a higher limit.", wasSent: true)
    }

    /// The same error, naming the statement it belongs to.
    package func naming(_ name: String?, sql: String?) -> PostgresError {
        var fields = box.fields
        fields.statementName = fields.statementName ?? name
        fields.statementText = fields.statementText ?? sql
        return PostgresError(fields)
    }
}
