import StrataClient

/// Another program: writes the tables with SQL of its own, over a few keys that all writers fight for, with savepoints,
/// rollbacks and two-phase commits.
struct ForeignCargoWriter {
    let number: Int
    let configuration: PostgresConfiguration
    let ledger: CargoLedger
    var random: SeededGenerator
    private var prepared = 0

    static let keys = 60

    init(_ number: Int, _ configuration: PostgresConfiguration, _ ledger: CargoLedger, seed: UInt64) {
        self.number = number
        self.configuration = configuration
        self.ledger = ledger
        random = SeededGenerator(seed &+ UInt64(number) &* 7919)
    }

    mutating func run(until hasEnded: @Sendable () -> Bool) async throws {
        let connection = try await PostgresConnection.connect(configuration)
        defer { connection.close() }
        while !hasEnded() {
            do {
                try await transaction(on: connection)
            } catch let error as PostgresError where ["40P01", "40001", "55P03"].contains(error.sqlState ?? "") {
                // Somebody had to give way; nothing of it is in.
                try await connection.run("ROLLBACK")
                ledger.rolledBack()
            }
        }
    }

    private mutating func transaction(on connection: PostgresConnection) async throws {
        try await connection.run("BEGIN")
        // Half of them have their number long before they write.
        if Bool.random(using: &random) {
            _ = try await connection.value("SELECT pg_current_xact_id()::text")
            try await pause(milliseconds: 20)
        }
        var changes: Set<String> = []
        // Ascending keys, so that writers seldom lock each other out in a circle.
        let keys = Set(
            (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 1...Self.keys, using: &random) })
        for key in keys.sorted() {
            if Int.random(in: 0..<100, using: &random) < 30 {
                try await connection.run("SAVEPOINT attempt")
                let change = try await write(key, on: connection)
                if Int.random(in: 0..<100, using: &random) < 40 {
                    try await connection.run("ROLLBACK TO SAVEPOINT attempt")
                    ledger.undidSavepoint()
                } else {
                    try await connection.run("RELEASE SAVEPOINT attempt")
                    if let change { changes.insert(change) }
                }
            } else if let change = try await write(key, on: connection) {
                changes.insert(change)
            }
            try await pause(milliseconds: 10)
        }
        try await end(changes, on: connection)
    }

    /// Inserts, changes or deletes one cargo, whichever is possible; what it did, if anything.
    private mutating func write(_ key: Int, on connection: PostgresConnection) async throws -> String? {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2:
            let isCold = Bool.random(using: &random)
            let inserted = try await connection.value(
                "INSERT INTO cargo (pk, class, code, version) VALUES (\(key), '\(isCold ? "ColdCargo" : "Cargo")', \(key), 0) "
                    + "ON CONFLICT DO NOTHING RETURNING pk::text")
            guard inserted != nil else { return nil }
            if isCold { try await connection.run("INSERT INTO cold_cargo (pk, pages) VALUES (\(key), 1)") }
            try await connection.run("INSERT INTO cargo_tag (value, cargo) VALUES (1, \(key)), (2, \(key))")
            return "I\(key)"
        case 3...4:
            let deleted = try await connection.value("DELETE FROM cargo WHERE pk = \(key) RETURNING pk::text")
            return deleted.map { "D" + $0 }
        case 5:
            // Only the subclass's row.
            let updated = try await connection.value(
                "UPDATE cold_cargo SET pages = pages + 1 WHERE pk = \(key) RETURNING pk::text")
            return updated.map { "U" + $0 }
        case 6:
            // Nothing changes: nothing is recorded.
            try await connection.run("UPDATE cargo SET version = version WHERE pk = \(key)")
            return nil
        default:
            let updated = try await connection.value(
                "UPDATE cargo SET version = version + 1 WHERE pk = \(key) RETURNING pk::text")
            return updated.map { "U" + $0 }
        }
    }

    private mutating func end(_ changes: Set<String>, on connection: PostgresConnection) async throws {
        let chance = Int.random(in: 0..<100, using: &random)
        guard chance >= 8 else {
            try await connection.run("ROLLBACK")
            return ledger.rolledBack()
        }
        let transaction = try await connection.value("SELECT pg_current_xact_id_if_assigned()::text")
        if chance < 18 {
            prepared += 1
            let name = "cargo_\(number)_\(prepared)"
            try await connection.run("PREPARE TRANSACTION '\(name)'")
            try await pause(milliseconds: 150)
            if chance == 17 {
                try await connection.run("ROLLBACK PREPARED '\(name)'")
                return ledger.rolledBack()
            }
            try await connection.run("COMMIT PREPARED '\(name)'")
        } else {
            try await connection.run("COMMIT")
        }
        if let transaction, !changes.isEmpty { ledger.committed(transaction, changes, wasPrepared: chance < 18) }
    }

    private mutating func pause(milliseconds: Int) async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...milliseconds, using: &random)))
    }
}

extension PostgresConnection {
    /// The first column of the first row, as text.
    fileprivate func value(_ sql: String) async throws -> String? {
        var value: String?
        try await run(
            PostgresBatch(
                PostgresStatement(PreparedSQL(sql, isCached: false)),
                onRow: { value = try $0.decodeIfPresent(0, as: String.self) }))
        return value
    }
}
