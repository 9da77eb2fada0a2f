import Logging
import Synchronization

/// Keeps what is logged, from a level on.
final class LineLog: LogHandler {
    private let kept = Mutex<[String]>([])
    private let lowest: Logger.Level

    init(_ lowest: Logger.Level = .notice) { self.lowest = lowest }

    var lines: [String] { kept.withLock { $0 } }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { lowest }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        kept.withLock { $0.append("\(event.message)") }
    }
}
