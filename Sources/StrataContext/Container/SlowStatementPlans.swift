import Logging
import StrataClient
import Synchronization

/// Writes to the log how the server carries out statements that were slow, without carrying them out again.
///
/// The plan is asked for on another connection of the pool: the one that was slow may be in a transaction, which a failure would end. So
/// nothing of the caller waits for it, and what only the caller's session knows, such as a temporary table, is not found. One at a time,
/// and each text once in a while, so that a slow server is not asked more the slower it is. A comment with the trace of a call is no part of the text.
final class SlowStatementPlans: Sendable {
    /// How long a text is left alone after it was explained.
    private static let pause = Duration.seconds(60)
    /// The texts that are remembered; when there are more, those whose pause is over are forgotten, or all.
    private static let remembered = 256
    /// How long a statement that explains may take.
    private static let limit = Duration.seconds(2)

    private struct State {
        // Weak: the pool's connections know the log, and the log knows this.
        weak var pool: PostgresPool?
        var isBusy = false
        var explained: [String: ContinuousClock.Instant] = [:]
    }

    private let state = Mutex(State())

    /// Where plans are asked for.
    func attach(_ pool: PostgresPool) {
        state.withLock { $0.pool = pool }
    }

    /// Asks for the plan of a statement, in the background.
    func explain(_ statement: ObservedStatement, for logger: Logger) {
        let sql = statement.uncommentedSQL
        guard ["SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", "VALUES"].contains(statement.operation),
            let pool = begin(sql)
        else { return }
        // Detached: neither the time nor the cancellation of the call is that of its explanation.
        Task.detached { [self] in
            await explain(statement, sql, on: pool, for: logger)
            state.withLock { $0.isBusy = false }
        }
    }

    /// `nil` when this text, or another, was asked for just now.
    private func begin(_ sql: String) -> PostgresPool? {
        let now = ContinuousClock.now
        return state.withLock { state in
            guard !state.isBusy, let pool = state.pool else { return nil }
            if let last = state.explained[sql], last.duration(to: now) < Self.pause { return nil }
            if state.explained.count >= Self.remembered {
                state.explained = state.explained.filter { $0.value.duration(to: now) < Self.pause }
            }
            if state.explained.count >= Self.remembered { state.explained = [:] }
            state.explained[sql] = now
            state.isBusy = true
            return pool
        }
    }

    private func explain(
        _ statement: ObservedStatement, _ sql: String, on pool: PostgresPool, for logger: Logger
    ) async {
        let name: Logger.MetadataValue = "\(statement.name ?? sql)"
        do {
            let plan = try await pool.withConnection(for: "explain a slow statement") { connection in
                try await connection.genericPlan(
                    of: sql, types: statement.parameterTypes, within: Self.limit)
            }
            logger.warning(
                "plan of a slow statement",
                metadata: ["statement": name, "plan": "\(plan.joined(separator: "\n"))"])
        } catch let error as PostgresError {
            // Without the server's text, which may quote what is in the statement.
            logger.notice(
                "The plan of a slow statement could not be had.",
                metadata: ["statement": name, "reason": "\(error.sqlState ?? error.code.description)"])
        } catch {
            // The explanation was cancelled: by nobody, as it is a task of its own.
        }
    }
}
