#if Tracing
import StrataClient
public import StrataContext
import Synchronization
import Tracing

/// Spans of a container for swift-distributed-tracing: one for each fetch, save and lazy load, and in it one for each
/// statement, in the words of OpenTelemetry's conventions for databases.
///
/// ```swift
/// let container = try await ModelContainer(
///     for: Schema([Trip.self]), configurations: [configuration], observers: [StoreTracing()])
/// ```
///
/// They are children of the span that the task of the call is in (`ServiceContext.current`), also where the call blocks a
/// thread. The span of a statement has the attributes `db.system.name`, `db.operation.name`, `db.collection.name` (the class),
/// `db.query.summary` (the statement's name, for example `fetch Trip`), `db.query.text` (with `$1`, `$2` … in place of values),
/// `db.response.returned_rows`, and of a failure `db.response.status_code` (the SQLSTATE) and `error.type`. No value of a
/// statement is in any of them.
///
/// The span of a call goes to the tracer that `InstrumentationSystem` has when it begins, and those of its statements go with it.
public struct StoreTracing: StatementObserver {
    @TaskLocal private static var commentsSQL = false

    private let commentsAll: Bool
    /// A statement's attributes differ by the number of its rows only, those of a call by its name.
    private let statements = ObservedStatementCache<KnownAttributes>()
    private let calls = KnownCalls()

    /// An observer that makes spans.
    ///
    /// - Parameter sqlComments: whether statements carry the trace in a comment (``withSQLComments(_:)``), in all calls.
    public init(sqlComments: Bool = false) {
        commentsAll = sqlComments
    }

    /// Statements of the calls that `body` makes carry the trace in a comment at their end, as sqlcommenter writes it, for the logs of
    /// the server: `/*traceparent='00-…'*/`.
    ///
    /// A statement with a comment of its own is another text in each request, so it is sent without being prepared by name, and
    /// the server plans it each time. That is for requests that somebody looks at, or a sample of them.
    public static func withSQLComments<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $commentsSQL.withValue(
            true,
            operation: {
                _ = isolation
                return try await body()
            }, isolation: isolation)
    }

    /// A statement has been answered, or has failed: its span begins when it was sent, and ends.
    public func didComplete(_ statement: ObservedStatement) {
        let call = statement.calls?.first(of: TracedCall.self)
        let context = call?.span.context ?? ServiceContext.current ?? .topLevel
        let end = DefaultTracerClock.now
        let span = (call?.tracer ?? InstrumentationSystem.tracer).startSpan(
            statement.name ?? statement.operation, context: context, ofKind: .client,
            at: DefaultTracerClock.Timestamp(
                nanosecondsSinceEpoch: end.nanosecondsSinceEpoch - UInt64(statement.nanoseconds)))
        defer { span.end(at: end) }
        guard span.isRecording else { return }
        var attributes =
            statements.value(of: statement) {
                var attributes: SpanAttributes = [
                    "db.system.name": "postgresql", "db.operation.name": .string(statement.operation),
                    "db.query.summary": .string(statement.name ?? statement.operation),
                    "db.query.text": .string(statement.sql),
                ]
                if let entity = statement.entity { attributes["db.collection.name"] = entity }
                return KnownAttributes(attributes)
            }.attributes
        attributes.set("db.response.returned_rows", value: .int64(Int64(statement.rows)))
        span.add(attributes)
        if let error = statement.error { span.note(error) }
    }
}

extension StoreTracing: CallObserver {
    package func didBegin(_ call: ObservedCall) -> any CallInProgress {
        let tracer = InstrumentationSystem.tracer
        let span = tracer.startSpan(call.name, ofKind: .internal)
        if span.isRecording {
            span.add(calls.attributes(of: call.name))
        }
        return TracedCall(
            tracer: tracer, span: span, comment: commentsAll || Self.commentsSQL ? TraceComment.text(of: span) : nil)
    }

    package func willRepeat(after error: any Error) {}
}

private final class KnownAttributes: Sendable {
    let attributes: SpanAttributes
    init(_ attributes: SpanAttributes) { self.attributes = attributes }
}

/// The attributes of calls by their names, of which there are as many as a program has classes.
private final class KnownCalls: Sendable {
    private let known = Mutex<[String: SpanAttributes]>([:])

    func attributes(of name: String) -> SpanAttributes {
        known.withLock { known in
            if let attributes = known[name] { return attributes }
            let attributes: SpanAttributes = ["db.system.name": "postgresql", "db.query.summary": .string(name)]
            known[name] = attributes
            return attributes
        }
    }
}

private final class TracedCall: CallInProgress {
    /// The tracer of the span: its statements' spans go to it as well.
    let tracer: any Tracer
    let span: any Span
    let comment: String?

    init(tracer: any Tracer, span: any Span, comment: String?) {
        self.tracer = tracer
        self.span = span
        self.comment = comment
    }

    func didConnect() {
        span.addEvent("connection acquired")
    }

    func didEnd(_ error: (any Error)?) {
        if let error { span.note(error) }
        span.end()
    }
}

extension Span {
    /// A span that has no attributes yet takes these as they are: none is hashed.
    fileprivate func add(_ added: SpanAttributes) {
        updateAttributes { attributes in
            if attributes.isEmpty { attributes = added } else { attributes.merge(added) }
        }
    }

    /// What failed, without the values that an error may hold: those are in its `debugDescription` and its details.
    fileprivate func note(_ error: any Error) {
        switch error {
        case let error as PostgresError:
            attributes["error.type"] = error.sqlState ?? "\(error.code)"
            if let state = error.sqlState { attributes["db.response.status_code"] = state }
            setStatus(SpanStatus(code: .error, message: "\(error.code)"))
        case let error as SwiftDataError:
            attributes["error.type"] = "\(error.code)"
            if let state = error.sqlState { attributes["db.response.status_code"] = state }
            setStatus(SpanStatus(code: .error, message: "\(error.code)"))
        default:
            attributes["error.type"] = "\(type(of: error))"
            setStatus(SpanStatus(code: .error))
        }
    }
}
#endif
