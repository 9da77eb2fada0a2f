import Logging
import StrataClient

/// Writes statements to the container's logger: all of them at the level `debug`, slow ones at `warning`.
struct StatementLog: StatementObserver {
    private let logger: Logger
    private let slow: Duration?

    /// `nil` where nothing would be written: then no statement is measured.
    init?(_ configuration: ModelConfiguration, _ logger: Logger) {
        guard configuration.slowStatement != nil || logger.logLevel <= .debug else { return nil }
        self.logger = logger
        slow = configuration.slowStatement
    }

    func didComplete(_ statement: ObservedStatement) {
        let isSlow = slow.map { statement.duration >= $0 } ?? false
        let level = isSlow ? Logger.Level.warning : .debug
        guard level >= logger.logLevel else { return }
        let milliseconds =
            statement.duration.components.seconds * 1000
            + statement.duration.components.attoseconds / 1_000_000_000_000_000
        var metadata: Logger.Metadata = [
            "statement": "\(statement.name ?? statement.sql)", "rows": "\(statement.rows)",
            "milliseconds": "\(milliseconds)", "connection": "\(statement.connection)",
        ]
        if isSlow { metadata["sql"] = "\(statement.sql)" }
        if let state = statement.error?.sqlState { metadata["sqlState"] = "\(state)" }
        logger.log(level: level, isSlow ? "slow statement" : "statement", metadata: metadata)
    }
}
