#if Tracing
import StrataClient
public import StrataContext
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
/// The span of a call goes to the tracer that `InstrumentationSystem` has when it begins, and those of its statements go with it. Where that tracer
/// does not record the span of the call, because it records a part of the traces, there are no spans of its statements either.
public struct StoreTracing: StatementObserver {
    @TaskLocal private static var commentsSQL = false

    private let commentsAll: Bool
    private let statements = StatementSpans()
    private let calls = CallAttributes()
    private let active = ActiveTracer()

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

    /// A statement that is part of no call has been answered, or has failed: its span begins when it was sent, and ends.
    public func didComplete(_ statement: ObservedStatement) {
        statements.make(of: statement, in: ServiceContext.current ?? .topLevel, active.tracer)
    }
}

extension StoreTracing: CallObserver {
    package func didBegin(_ call: ObservedCall) -> any CallInProgress {
        let tracer = active.tracer
        let span = tracer.startSpan(call.name, ofKind: .internal)
        let comment = commentsAll || Self.commentsSQL ? TraceComment.text(of: span) : nil
        guard span.isRecording else {
            span.end()
            return comment == nil ? UnrecordedCall.withoutComment : UnrecordedCall(comment)
        }
        span.add(calls[call.name])
        return TracedCall(tracer: tracer, span: span, statements: statements, comment: comment)
    }

    package func willRepeat(after error: any Error) {}
}

private final class TracedCall: CallInProgress {
    /// The tracer of the span: its statements' spans go to it as well.
    private let tracer: any Tracer
    private let span: any Span
    private let statements: StatementSpans
    let comment: String?

    init(tracer: any Tracer, span: any Span, statements: StatementSpans, comment: String?) {
        self.tracer = tracer
        self.span = span
        self.statements = statements
        self.comment = comment
    }

    func didConnect() {
        span.addEvent("connection acquired")
    }

    func didComplete(_ statement: ObservedStatement) {
        statements.make(of: statement, in: span.context, tracer)
    }

    func didEnd(_ error: (any Error)?) {
        if let error { span.note(error) }
        span.end()
    }
}

/// A call whose trace nobody records: nothing is said of it, and none of its statements has a span.
private final class UnrecordedCall: CallInProgress {
    static let withoutComment = UnrecordedCall(nil)

    let comment: String?

    init(_ comment: String?) { self.comment = comment }

    func didConnect() {}
    func didComplete(_ statement: ObservedStatement) {}
    func didEnd(_ error: (any Error)?) {}
}

extension Span {
    /// A span that has no attributes yet takes these as they are: none is hashed.
    func add(_ added: SpanAttributes) {
        updateAttributes { attributes in
            if attributes.isEmpty { attributes = added } else { attributes.merge(added) }
        }
    }

    /// What failed, without the values that an error may hold: those are in its `debugDescription` and its details.
    func note(_ error: any Error) {
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
