import Foundation
import Strata
import StrataLocalServer

/// A private server with PostgreSQL's own durability, and the databases on it.
final class BenchmarkServer {
    private let server: LocalServer
    private let postgres: Plain
    private let history: Bool
    private let connections: Int

    /// - Parameters:
    ///   - fsync: `false` for a server that never waits for the disk.
    ///   - connections: of Strata's pools.
    init(fsync: Bool = true, history: Bool, connections: Int) throws {
        self.connections = connections
        let durability = fsync ? "on" : "off"
        server = try LocalServer.temporary(
            options: LocalServer.Options(settings: [
                "fsync": durability, "synchronous_commit": durability, "full_page_writes": durability,
                // Vacuum runs between the measurements, not in them.
                "shared_buffers": "2GB", "autovacuum": "off", "max_connections": "200",
            ]))
        postgres = try Plain(server.url)
        self.history = history
    }

    deinit { server.stop() }

    /// Makes a database with the tables of these classes.
    func database(_ name: String, _ types: [any PersistentModel.Type], history: Bool? = nil) throws -> Database {
        try postgres.execute("CREATE DATABASE \(name)")
        return try Database(
            server.url(database: name), types, history: history ?? self.history,
            connections: connections)
    }

    /// A database of so many trips.
    func trips(_ name: String, count: Int, related: Bool) throws -> Database {
        let database = try database(name, [Trip.self, BusinessTrip.self, PersonalTrip.self])
        try TripData.fill(database, trips: count, related: related)
        return database
    }

    /// A database of so many sales.
    func sales(_ name: String, count: Int) throws -> Database {
        let database = try database(name, [Sale.self])
        try QueryData.fillSales(database, count: count)
        return database
    }

    /// The same database, seen through a relay that counts round trips.
    func relayed(_ name: String, through relay: Relay) throws -> Database {
        try Database(
            relay.url(database: name), admin: server.url(database: name),
            [Trip.self, BusinessTrip.self, PersonalTrip.self], history: history, connections: connections)
    }

    func relay() throws -> Relay { try Relay(to: server.socketDirectory) }

    /// What it calls itself.
    var version: String { get throws { String(try postgres.number("SHOW server_version_num")) } }
}
