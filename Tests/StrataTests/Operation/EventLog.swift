import Logging
import Synchronization

/// Keeps what is logged with its metadata, those of the logger included.
struct EventLog: LogHandler {
    struct Event: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: Logger.Metadata

        /// A text of the metadata; empty where there is none.
        subscript(key: String) -> String { metadata[key].map { "\($0)" } ?? "" }
    }

    /// What all copies of a handler share.
    final class Kept: Sendable {
        private let events = Mutex<[Event]>([])
        var all: [Event] { events.withLock { $0 } }
        func keep(_ event: Event) { events.withLock { $0.append(event) } }
        func forget() { events.withLock { $0 = [] } }
    }

    let kept = Kept()
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    init(_ lowest: Logger.Level) { logLevel = lowest }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        kept.keep(
            Event(
                level: event.level, message: "\(event.message)",
                metadata: metadata.merging(event.metadata ?? [:]) { $1 }))
    }

    var logger: Logger { Logger(label: "test") { _ in self } }
}
