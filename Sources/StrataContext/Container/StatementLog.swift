import Logging
import StrataClient

/// Writes statements to the logger of their context, or the container's: all of them at the level `debug`, slow ones at `warning`.
struct StatementLog: StatementLogging {
    private let logger: Logger
    private let slow: Duration?
    /// Finds out how slow statements are carried out; `nil` where nobody wants to know.
    private let plans: SlowStatementPlans?

    init(_ configuration: ModelConfiguration, _ logger: Logger, plans: SlowStatementPlans?) {
        self.logger = logger
        slow = configuration.slowStatement
        self.plans = plans
    }

    func writes(_ call: CallsInProgress?) -> Bool {
        slow != nil || (call?.logger ?? logger).logLevel <= .debug
    }

    func didComplete(_ statement: ObservedStatement) {
        let logger = statement.calls?.logger ?? logger
        let isSlow = slow.map { statement.duration >= $0 } ?? false
        let level = isSlow ? Logger.Level.warning : .debug
        guard level >= logger.logLevel else { return }
        var metadata: Logger.Metadata = [
            "statement": "\(statement.name ?? statement.sql)", "rows": "\(statement.rows)",
            "milliseconds": "\(statement.duration.millisecondsInWords)", "connection": "\(statement.connection)",
        ]
        if isSlow { metadata["sql"] = "\(statement.sql)" }
        if let state = statement.error?.sqlState { metadata["sqlState"] = "\(state)" }
        logger.log(level: level, isSlow ? "slow statement" : "statement", metadata: metadata)
        if isSlow { plans?.explain(statement, for: logger) }
    }
}

extension Duration {
    /// With three decimals, such as `0.412`.
    fileprivate var millisecondsInWords: String {
        let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
        let rest = "\(1000 + microseconds % 1000)".dropFirst()
        return "\(microseconds / 1000).\(rest)"
    }
}
