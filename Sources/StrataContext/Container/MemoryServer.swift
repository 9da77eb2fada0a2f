import Foundation
import StrataClient
import StrataLocalServer
import StrataRepository
import Synchronization

/// The private server of this process for stores in memory, where no server is named.
///
/// It starts with the first such store and ends with the process, in whatever way that ends. The tables of a schema are made
/// once, in a template; each store gets a copy of it, as a database of its own. Copies are made side by side.
final class MemoryServer: Sendable {
    private static let current = Mutex<MemoryServer?>(nil)

    private let server: LocalServer
    private let maintenance: PostgresConfiguration
    private let templates = Mutex<[Key: Template]>([:])
    private let counter = Atomic<Int>(0)

    /// What decides which tables a store has.
    private struct Key: Hashable {
        let classes: [ObjectIdentifier]
        let schemaName: String
        let recordsHistory: Bool

        init(_ mapping: StoreMapping) {
            classes = mapping.entities.map { ObjectIdentifier($0.descriptor) }
            schemaName = mapping.schemaName
            recordsHistory = mapping.recordsHistory
        }
    }

    private init() throws {
        // Each store has a pool. Copies of a store that few rows were written to are small.
        server = try LocalServer.temporary(
            options: LocalServer.Options(
                settings: ["max_connections": "500"], directory: MemoryFolder.find(free: 1 << 30)))
        maintenance = try PostgresConfiguration(url: server.url)
    }

    /// A database with the tables of `mapping`, empty and for one store. Blocks.
    static func database(for mapping: StoreMapping) throws -> MemoryDatabase {
        let running = try running()
        do {
            return try running.copy(for: mapping)
        } catch let error as PostgresError where error.isConnectionLoss {
            // Somebody has ended the server; its stores are lost, and the next one gets a new server.
            current.withLock { if $0 === running { $0 = nil } }
            return try Self.running().copy(for: mapping)
        }
    }

    private static func running() throws -> MemoryServer {
        try current.withLock { current in
            if let current { return current }
            let new = try MemoryServer()
            current = new
            return new
        }
    }

    private func copy(for mapping: StoreMapping) throws -> MemoryDatabase {
        let template = templates.withLock { templates in
            let key = Key(mapping)
            let template = templates[key] ?? Template()
            templates[key] = template
            return template
        }
        let source = try template.name { try makeTemplate(mapping) }
        return MemoryDatabase(configuration: try makeDatabase("memory", copying: source), server: self)
    }

    /// - Returns: the name of a database to which nobody is connected.
    private func makeTemplate(_ mapping: StoreMapping) throws -> String {
        let configuration = try makeDatabase("template", copying: "template0")
        let connection = try PostgresConnection.connect(configuration)
        defer { connection.close() }
        try connection.run(DatabaseCopies.silencing)
        _ = try StorePreparation.create(mapping, on: connection)
        return configuration.database ?? ""
    }

    private func makeDatabase(_ kind: String, copying source: String) throws -> PostgresConfiguration {
        let name = "\(kind)_\(counter.add(1, ordering: .relaxed).newValue)"
        try run(DatabaseCopies.creating(name, from: source))
        var configuration = maintenance
        configuration.database = name
        return configuration
    }

    /// Drops a database with the sessions that are left in it. A server that is gone has dropped it already.
    fileprivate func drop(_ database: String) {
        try? run(DatabaseCopies.dropping(database))
    }

    private func run(_ batch: PostgresBatch) throws {
        let connection = try PostgresConnection.connect(maintenance)
        defer { connection.close() }
        try connection.run(batch)
    }

    /// A template, filled by the first who needs it while others wait.
    private final class Template: Sendable {
        private let filled = Mutex<String?>(nil)

        func name(fill: () throws -> String) throws -> String {
            try filled.withLock { filled in
                if let filled { return filled }
                let name = try fill()
                filled = name
                return name
            }
        }
    }
}

/// A database of a store in memory.
struct MemoryDatabase: Sendable {
    let configuration: PostgresConfiguration
    fileprivate let server: MemoryServer

    /// Ends the sessions that are left, and drops the database. Blocks.
    func drop() { server.drop(configuration.database ?? "") }
}
