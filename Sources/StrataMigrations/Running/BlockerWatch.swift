import Foundation
import StrataClient
import StrataRepository
import Synchronization

/// Looks once a second, over a connection of its own, for whom a session waits. That session cannot ask while it waits.
///
/// It waits without end, so this also notices when nobody is there to answer it: its process is gone, or the server, or what is
/// before it, is silent here too. Then its connection is cut.
final class BlockerWatch: Sendable {
    private enum State { case watching, ending, ended }

    private let state = Mutex(State.watching)

    init(_ session: RunnerSession, step: String) {
        let (runner, waiting) = (session.runner, session.connection)
        // The server's own number: a pooler makes up another for the client.
        guard let process = try? session.requireLock() else {
            state.withLock { $0 = .ended }
            return
        }
        let thread = Thread { [self] in
            watch(process, of: waiting, for: step, runner)
            state.withLock { $0 = .ended }
        }
        thread.name = "strata.blockers"
        thread.start()
    }

    /// Returns when nothing more will be reported.
    func end() {
        state.withLock { if $0 == .watching { $0 = .ending } }
        while state.withLock({ $0 != .ended }) { Thread.sleep(forTimeInterval: 0.005) }
    }

    /// Errors end the watching and nothing else: the step does not depend on it.
    private func watch(
        _ process: Int32, of waiting: PostgresConnection, for step: String, _ runner: MigrationRunner
    ) {
        var session: RunnerSession?
        defer { session?.close() }
        while sleepASecond() {
            do {
                let open = try session ?? RunnerSession(runner)
                session = open
                guard try open.isThere(process) else { return waiting.abort() }
                let blockers = try open.blockers(of: process)
                if !blockers.isEmpty { runner.report(.stepWaiting(step: step, blockers: blockers)) }
            } catch let error as PostgresError where error.code == .timeout {
                return waiting.abort()
            } catch {
                return
            }
        }
    }

    private func sleepASecond() -> Bool {
        for _ in 0..<50 {
            guard state.withLock({ $0 == .watching }) else { return false }
            Thread.sleep(forTimeInterval: 0.02)
        }
        return true
    }
}

extension RunnerSession {
    fileprivate func isThere(_ process: Int32) throws -> Bool {
        try rows("SELECT FROM pg_catalog.pg_stat_activity WHERE pid = \(bind: process)") { _ in true }.first ?? false
    }

    fileprivate func blockers(of process: Int32) throws -> [MigrationSession] {
        try rows(
            """
            SELECT b.pid, a.usename::text, a.application_name, pg_catalog.host(a.client_addr), a.state, a.query, \
            EXTRACT(epoch FROM pg_catalog.clock_timestamp() - a.xact_start)::float8 \
            FROM pg_catalog.unnest(pg_catalog.pg_blocking_pids(\(bind: process))) AS b(pid) \
            LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid = b.pid LIMIT 3
            """, MigrationSession.init(row:))
    }
}
