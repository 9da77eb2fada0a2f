import CLibPQ
import Logging
import Synchronization

/// Hands the server's notices to the logger.
final class NoticeSink: Sendable {
    private let logger: Logger
    private let last = Mutex<ServerReport?>(nil)

    /// Why the server has ended the session, when it said so between two answers: libpq takes that for a notice.
    var farewell: ServerReport? { last.withLock { $0 } }

    init(logger: Logger) {
        self.logger = logger
    }

    /// The connection must keep the sink alive as long as it may receive.
    func attach(to connection: OpaquePointer) {
        PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context else { return }
                Unmanaged<NoticeSink>.fromOpaque(context).takeUnretainedValue().receive(ServerReport(result))
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func receive(_ report: ServerReport) {
        if report.isFatal { last.withLock { $0 = report } }
        let level: Logger.Level =
            switch report.severity {
            case "WARNING": .warning
            case "NOTICE": .info
            default: .debug
            }
        logger.log(
            level: level, "PostgreSQL: \(report.publicMessage)", metadata: ["sqlState": "\(report.sqlState ?? "")"])
    }
}
