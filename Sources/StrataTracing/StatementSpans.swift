#if Tracing
import StrataClient
import Tracing

/// Makes the spans of statements. What is known of a statement's attributes is made once.
final class StatementSpans: Sendable {
    private let known = ObservedStatementCache<StatementAttributes>()

    /// Makes the span of a statement that has been answered, or has failed: it begins when the statement was sent, and ends.
    func make(of statement: ObservedStatement, in context: ServiceContext, _ tracer: any Tracer) {
        let end = DefaultTracerClock.now
        let span = tracer.startSpan(
            statement.name ?? statement.operation, context: context, ofKind: .client,
            at: DefaultTracerClock.Timestamp(
                nanosecondsSinceEpoch: end.nanosecondsSinceEpoch - UInt64(statement.nanoseconds)))
        defer { span.end(at: end) }
        guard span.isRecording else { return }
        span.add(known.value(of: statement) { StatementAttributes(of: statement) }[rows: statement.rows])
        if let error = statement.error { span.note(error) }
    }
}

/// The attributes of a statement, which differ by the number of its rows only. Those of none and of one row, which most statements of a service
/// have, are kept as a whole: a dictionary that is added to is copied.
private final class StatementAttributes: Sendable {
    private let common: SpanAttributes
    private let whole: (ofNone: SpanAttributes, ofOne: SpanAttributes)?

    init(of statement: ObservedStatement) {
        var attributes: SpanAttributes = [
            "db.system.name": "postgresql", "db.operation.name": .string(statement.operation),
            "db.query.summary": .string(statement.name ?? statement.operation),
            "db.query.text": .string(statement.sql),
        ]
        if let entity = statement.entity { attributes["db.collection.name"] = entity }
        common = attributes
        // Of a statement that is sent once nothing is kept.
        whole =
            statement.error == nil && statement.prepared.isCached
            ? (Self.adding(0, to: attributes), Self.adding(1, to: attributes)) : nil
    }

    subscript(rows rows: Int) -> SpanAttributes {
        switch rows {
        case 0: whole?.ofNone ?? Self.adding(rows, to: common)
        case 1: whole?.ofOne ?? Self.adding(rows, to: common)
        default: Self.adding(rows, to: common)
        }
    }

    private static func adding(_ rows: Int, to common: SpanAttributes) -> SpanAttributes {
        var attributes = common
        attributes.set("db.response.returned_rows", value: .int64(Int64(rows)))
        return attributes
    }
}
#endif
