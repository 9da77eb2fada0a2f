import Foundation
import Logging
import Strata
import StrataClient
import StrataLocalServer
import StrataTestSupport
import Testing

extension ReplicaTests {
    /// What takes minutes: `make soak`.
    @Suite(.enabled(if: isSoak, "make soak"), .timeLimit(.minutes(10))) struct ReplicaSoakTests {
        @Test func `replay stops and goes on forty times, and what is read is no older than was promised`() async throws
        {
            try await ReplicaTests.readWhileReplayStops(rounds: 40)
        }

        /// Both standbys confirm each commit, so what was acknowledged is on the one that is promoted.
        @Test func `the primary dies under load, a standby takes over, and the other one follows it`() async throws {
            try await ReplicatedStore.with(standbys: 2) { store in
                let server = try PostgresConfiguration(url: store.primary.url)
                try await ReplicatedServers.run("ALTER SYSTEM SET synchronous_standby_names = 'ANY 2 (*)'", server)
                try await ReplicatedServers.run("SELECT pg_reload_conf()", server)
                let lag = Duration.seconds(1)
                let container = try await store.container(url: Self.urlOfAll(store)) {
                    $0.replication = .init(maximumLag: lag, catchUpTimeout: .milliseconds(250))
                }
                let load = ReplicaLoad(container, lag: lag, isTolerant: true)
                try await load.run(writers: 2, readers: 3) {
                    try await load.wait { $0.saved > $1.saved + 50 && $0.atStandby > $1.atStandby + 50 }
                    try Self.crash(store.primary)
                    let (new, other) = try await Self.order(store)
                    try await store.standbys[new].promote()
                    let directory = store.standbys[new].directory.path
                    try await store.execute(
                        "ALTER SYSTEM SET primary_conninfo = 'host=\(directory) port=5432 user=postgres'", on: other)
                    try await store.execute("SELECT pg_reload_conf()", on: other)
                    try await load.wait { $0.saved > $1.saved + 50 && $0.reads > $1.reads + 50 }
                    // It says which timeline it follows when it has written something.
                    try await store.execute("CHECKPOINT", on: new)
                    try await store.wait(for: "pg_last_wal_replay_lsn() IS NOT NULL", on: other)
                    try await store.execute("CHECKPOINT", on: other)
                    try await load.wait { $0.saved > $1.saved + 50 && $0.atStandby > $1.atStandby + 50 }
                }
                await container.close()
            }
            // Nothing of these is as it was.
            await ReplicatedServers.shared.stop()
        }

        /// One URL for all, as an operator writes it.
        private static func urlOfAll(_ store: ReplicatedStore) throws -> URL {
            let folders = [store.primary.socketDirectory.path] + store.standbys.map(\.directory.path)
            let hosts = folders.map { $0.replacing("/", with: "%2F") }.joined(separator: ",")
            let port = try PostgresConfiguration(url: store.primary.url).port ?? 5432
            return try #require(
                URL(
                    string: "postgresql:///\(store.database)?host=\(hosts)&port=\(port),5432,5432&user=postgres"
                        + "&target_session_attrs=read-write&connect_timeout=2"))
        }

        /// It ends as in a crash, and is not started again.
        private static func crash(_ server: LocalServer) throws {
            let file = server.dataDirectory.appendingPathComponent("postmaster.pid")
            let line = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").first
            let process = try #require(line.flatMap { Int32($0) })
            try #require(kill(process, SIGQUIT) == 0)
        }

        /// The standby that has received more, and the other one.
        private static func order(_ store: ReplicatedStore) async throws -> (new: Int, other: Int) {
            for standby in 0..<2 {
                try await store.wait(
                    for: "NOT EXISTS (SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming')", on: standby)
            }
            let connection = try await PostgresConnection.connect(store.standbys[0].configuration(database: "postgres"))
            defer { connection.close() }
            var place = ""
            try await connection.run(
                PostgresBatch(
                    PostgresStatement(PreparedSQL("SELECT pg_last_wal_receive_lsn()::text", isCached: false))
                ) { place = try $0.decode(0, as: String.self) })
            let isOtherFurther = try await ReplicatedServers.holds(
                "pg_last_wal_receive_lsn() > '\(place)'::pg_lsn", on: store.standbys[1])
            return isOtherFurther ? (1, 0) : (0, 1)
        }
    }
}
