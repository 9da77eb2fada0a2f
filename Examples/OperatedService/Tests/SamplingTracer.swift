import Synchronization
import Tracing

/// A tracer that records no span, as one that samples does with most traces. It notes what it is asked for.
final class SamplingTracer: Tracer {
    /// Names of spans as they begin, with `/` before them as they end.
    let notes = Mutex<[String]>([])

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> UnrecordedSpan {
        note(operationName)
        return UnrecordedSpan(tracer: self, context: context(), name: operationName)
    }

    fileprivate func note(_ text: String) { notes.withLock { $0.append(text) } }

    func forceFlush() {}
    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier { injector.inject("00-unsampled-00", forKey: "traceparent", into: &carrier) }
    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}
}

struct UnrecordedSpan: Span {
    fileprivate let tracer: SamplingTracer
    let context: ServiceContext
    fileprivate let name: String
    var isRecording: Bool { false }

    var operationName: String {
        get { name }
        nonmutating set { tracer.note("name of \(name)") }
    }
    var attributes: SpanAttributes {
        get { [:] }
        nonmutating set { tracer.note("attributes of \(name)") }
    }

    func setStatus(_ status: SpanStatus) { tracer.note("status of \(name)") }
    func addLink(_ link: SpanLink) {}
    func addEvent(_ event: SpanEvent) { tracer.note("event of \(name)") }
    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {}
    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) { tracer.note("/\(name)") }
}
