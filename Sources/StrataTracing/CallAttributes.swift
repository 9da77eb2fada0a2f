#if Tracing
import Synchronization
import Tracing

/// The attributes of calls by their names, of which there are as many as a program has classes.
final class CallAttributes: Sendable {
    private let known = Mutex<[String: SpanAttributes]>([:])

    subscript(name: String) -> SpanAttributes {
        known.withLock { known in
            if let attributes = known[name] { return attributes }
            let attributes: SpanAttributes = ["db.system.name": "postgresql", "db.query.summary": .string(name)]
            known[name] = attributes
            return attributes
        }
    }
}
#endif
