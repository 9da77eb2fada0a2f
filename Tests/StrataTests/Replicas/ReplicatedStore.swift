import Foundation
import Logging
import Strata
import StrataClient
import StrataLocalServer
import StrataTestSupport
import Testing

@Model final class Consignment {
    @Attribute(.unique) var number: Int
    var weight: Int
    @Relationship(deleteRule: .cascade, inverse: \ConsignmentPiece.consignment) var pieces: [ConsignmentPiece] = []
    init(_ number: Int, weight: Int = 0) {
        self.number = number
        self.weight = weight
    }
}

@Model final class ConsignmentPiece {
    var label: String
    var consignment: Consignment?
    init(_ label: String, of consignment: Consignment) {
        self.label = label
        self.consignment = consignment
    }
}

/// A database on a primary and its standbys, and containers of it.
final class ReplicatedStore: Sendable {
    static let schema = Schema([Consignment.self, ConsignmentPiece.self])

    let database: String
    let primary: LocalServer
    let standbys: [StandbyServer]
    /// Knows no replicas.
    let writer: ModelContainer

    init(database: String, primary: LocalServer, standbys: [StandbyServer]) async throws {
        self.database = database
        self.primary = primary
        self.standbys = standbys
        let url = try #require(URL(string: primary.url(database: database)))
        writer = try await ModelContainer(
            for: Self.schema, configurations: [ModelConfiguration(url: url)], logger: Logger(label: "test"))
    }

    static func with(standbys count: Int, _ body: (ReplicatedStore) async throws -> Void) async throws {
        let store = try await ReplicatedServers.shared.store(standbys: count)
        do { try await body(store) } catch {
            await store.writer.close()
            throw error
        }
        await store.writer.close()
    }

    var url: URL {
        get throws { try #require(URL(string: primary.url(database: database))) }
    }

    func url(_ standby: Int) throws -> URL {
        try #require(URL(string: standbys[standby].url(database: database)))
    }

    /// A container with these replicas, or with all standbys.
    func container(
        url: URL? = nil, replicas: [URL]? = nil, log: LineLog = LineLog(.error),
        observer: (any PostgresObserver)? = nil, allowsSave: Bool = true,
        _ configure: (inout ModelConfiguration) -> Void = { _ in }
    ) async throws -> ModelContainer {
        var configuration = ModelConfiguration(
            url: try url ?? self.url, replicas: try replicas ?? standbys.indices.map { try self.url($0) },
            allowsSave: allowsSave)
        // A machine that does much else may be slow to carry out the log.
        configuration.replication.catchUpTimeout = .seconds(20)
        configure(&configuration)
        return try await ModelContainer(
            opening: Self.schema, configurations: [configuration], logger: Logger(label: "test") { _ in log },
            observer: observer)
    }

    func insert(_ numbers: Int...) async throws {
        let context = ModelContext(writer)
        for number in numbers { context.insert(Consignment(number)) }
        try await context.save()
    }

    // MARK: Replay

    /// Runs a statement on a standby.
    func execute(_ sql: String, on standby: Int = 0) async throws {
        try await ReplicatedServers.run(sql, standbys[standby].configuration(database: "postgres"))
    }

    /// Waits until a condition is true on a standby.
    func wait(for condition: String, on standby: Int = 0) async throws {
        try await waitUntil { try await ReplicatedServers.holds(condition, on: standbys[standby]) }
    }

    func pause(_ standby: Int = 0) async throws {
        try await execute("SELECT pg_wal_replay_pause()", on: standby)
        try await wait(for: "pg_get_wal_replay_pause_state() = 'paused'", on: standby)
    }

    func resume(_ standby: Int = 0) async throws { try await execute("SELECT pg_wal_replay_resume()", on: standby) }

    /// Waits until a standby shows everything that was committed by now.
    func waitForReplay(_ standby: Int = 0) async throws {
        let context = ModelContext(writer)
        // A commit: what reads and the server itself write to the log is sent no earlier.
        _ = try await context.fetch(String.self, sql: "SELECT pg_logical_emit_message(true, '', '')::text")
        // The end of the log, not the place of the next record: that may lie behind a page's header.
        let place = try await context.fetch(String.self, sql: "SELECT pg_current_wal_lsn()::text")[0]
        try await wait(for: "pg_last_wal_replay_lsn() >= '\(place)'::pg_lsn", on: standby)
    }
}

extension ModelContext {
    /// Whether this context reads from a standby.
    var isAtStandby: Bool {
        get async throws { try await fetch(Bool.self, sql: "SELECT pg_is_in_recovery()") == [true] }
    }

    /// The folder of the server that this context reads from.
    var server: String {
        get async throws { try await fetch(String.self, sql: "SELECT current_setting('data_directory')")[0] }
    }

    var consignments: Int {
        get async throws { try await fetchCount(FetchDescriptor<Consignment>()) }
    }
}
