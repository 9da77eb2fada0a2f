import Synchronization
import Tracing

/// A tracer that does what each has to: its spans keep what they are told until they end. Then they are counted, and sent nowhere.
final class CountingTracer: Tracer {
    private let ended = Atomic(0)

    /// How many spans have ended.
    var count: Int { ended.load(ordering: .relaxed) }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> CountedSpan {
        CountedSpan(operationName, context(), begin: instant().nanosecondsSinceEpoch) { [self] in
            ended.add(1, ordering: .relaxed)
        }
    }

    func forceFlush() {}
    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {}
    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}
}

/// One of its spans.
final class CountedSpan: Span {
    private struct Content {
        var name: String
        var attributes: SpanAttributes = [:]
        var events: [SpanEvent] = []
        var status: SpanStatus?
        var end: UInt64?
    }

    let context: ServiceContext
    private let begin: UInt64
    private let content: Mutex<Content>
    private let didEnd: @Sendable () -> Void

    init(_ name: String, _ context: ServiceContext, begin: UInt64, didEnd: @escaping @Sendable () -> Void) {
        (self.context, self.begin, self.didEnd) = (context, begin, didEnd)
        content = Mutex(Content(name: name))
    }

    var isRecording: Bool { true }
    var operationName: String {
        get { content.withLock { $0.name } }
        set { content.withLock { $0.name = newValue } }
    }
    var attributes: SpanAttributes {
        get { content.withLock { $0.attributes } }
        set { content.withLock { $0.attributes = newValue } }
    }

    func setStatus(_ status: SpanStatus) { content.withLock { $0.status = status } }
    func addLink(_ link: SpanLink) {}
    func addEvent(_ event: SpanEvent) { content.withLock { $0.events.append(event) } }
    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {}
    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        content.withLock { $0.end = end }
        didEnd()
    }
}
