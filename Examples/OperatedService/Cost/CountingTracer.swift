import Synchronization
import Tracing

/// A tracer that does what each has to: its spans keep what they are told until they end. Then they are counted, and sent nowhere.
final class CountingTracer: Tracer {
    private let ended = Atomic(0)
    private let begun = Atomic(0)
    private let interval = Atomic(1)

    /// How many spans have ended.
    var count: Int { ended.load(ordering: .relaxed) }

    /// Records one trace of so many from now on.
    func record(oneOf interval: Int) { self.interval.store(interval, ordering: .relaxed) }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> CountedSpan {
        // The span of a call begins a trace here. That of a statement is a part of one that is recorded.
        let isRecorded = kind == .client || isNextRecorded()
        guard isRecorded else { return CountedSpan(context: context(), recording: nil) }
        let recording = Recording(operationName, begin: instant().nanosecondsSinceEpoch) { [self] in
            ended.add(1, ordering: .relaxed)
        }
        return CountedSpan(context: context(), recording: recording)
    }

    private func isNextRecorded() -> Bool {
        let interval = interval.load(ordering: .relaxed)
        return interval == 1 || begun.add(1, ordering: .relaxed).newValue % interval == 0
    }

    func forceFlush() {}
    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {}
    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}
}

/// One of its spans, which may record nothing.
struct CountedSpan: Span {
    let context: ServiceContext
    fileprivate let recording: Recording?

    var isRecording: Bool { recording != nil }
    var operationName: String {
        get { recording?.content.withLock { $0.name } ?? "" }
        nonmutating set { recording?.content.withLock { $0.name = newValue } }
    }
    var attributes: SpanAttributes {
        get { recording?.content.withLock { $0.attributes } ?? [:] }
        nonmutating set { recording?.content.withLock { $0.attributes = newValue } }
    }

    func setStatus(_ status: SpanStatus) { recording?.content.withLock { $0.status = status } }
    func addLink(_ link: SpanLink) {}
    func addEvent(_ event: SpanEvent) { recording?.content.withLock { $0.events.append(event) } }
    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {}
    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard let recording else { return }
        let end = instant().nanosecondsSinceEpoch
        recording.content.withLock { $0.end = end }
        recording.didEnd()
    }
}

/// What a span is told.
private final class Recording: Sendable {
    struct Content {
        var name: String
        var attributes: SpanAttributes = [:]
        var events: [SpanEvent] = []
        var status: SpanStatus?
        var end: UInt64?
    }

    let begin: UInt64
    let content: Mutex<Content>
    let didEnd: @Sendable () -> Void

    init(_ name: String, begin: UInt64, didEnd: @escaping @Sendable () -> Void) {
        self.begin = begin
        self.didEnd = didEnd
        content = Mutex(Content(name: name))
    }
}
