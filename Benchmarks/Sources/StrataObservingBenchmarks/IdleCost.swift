import Foundation
import PlainClient
import Strata

/// What observers use while nothing happens.
enum IdleCost {
    static func measure(_ url: String, observers count: Int, seconds: Int) async throws {
        let container = try await Main.container(url)
        let observers = (0..<count).map { _ in
            Task {
                for try await _ in container.history() {}
            }
        }
        try await Task.sleep(for: .seconds(2))
        guard let server = plain_open(url) else { throw CocoaError(.fileNoSuchFile) }
        defer { plain_close(server) }
        // The connections of the pool are idle; the one that listens works.
        let sessions = pids(server)
        let (ownStart, serverStart) = (processorTime("self"), sessions.map { processorTime("\($0)") })
        try await Task.sleep(for: .seconds(seconds))
        let own = processorTime("self") - ownStart
        let backends = zip(sessions, serverStart).reduce(0) { $0 + processorTime("\($1.0)") - $1.1 }
        func percent(_ time: Double) -> String { String(format: "%.2f %%", time / Double(seconds) * 100) }
        print(
            "\(count) idle observers for \(seconds) s: \(percent(own)) of a core in this process, \(percent(backends)) in the "
                + "server; \(sessions.count) connections, those of the container's pool among them")
        for observer in observers { observer.cancel() }
        await container.close()
    }

    private static func pids(_ connection: OpaquePointer) -> [Int64] {
        let others =
            "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
            + "AND backend_type = 'client backend'"
        return (0..<plain_number(connection, "SELECT count(*) \(others)")).map { index in
            plain_number(connection, "SELECT pid \(others) ORDER BY pid OFFSET \(index) LIMIT 1")
        }
    }

    /// Seconds of processor time, user and system (proc(5), fields 14 and 15).
    private static func processorTime(_ process: String) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return 0 }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
