import Foundation
import Strata
import StrataClient

/// A consumer of the history: what it was given, in the order it was given it.
struct CargoDeliveries: Sendable {
    private(set) var order: [String] = []
    /// The net changes of cargos, such as `U17`, by transaction.
    private(set) var changes: [String: Set<String>] = [:]
    private(set) var duplicates: [String] = []
    /// Those that changed a cold cargo.
    private(set) var withColdCargo: Set<String> = []
    /// Which rows exist, by entity and key, built from the history alone.
    private(set) var replica: Set<String> = []
    /// Inserts of what was there and deletes of what was not: signs of a wrong order.
    private(set) var contradictions: [String] = []

    mutating func take(_ transactions: [DefaultHistoryTransaction]) {
        for transaction in transactions { take(transaction) }
    }

    private mutating func take(_ transaction: DefaultHistoryTransaction) {
        let number = transaction.author ?? "\(transaction.transactionIdentifier)"
        if changes[number] != nil { duplicates.append(number) }
        order.append(number)
        var cargos: Set<String> = []
        for change in transaction.changes {
            let identifier = change.changedPersistentIdentifier
            let row = Self.row(identifier.entityName, Self.key(identifier))
            let letter: String
            switch change {
            case .insert:
                letter = "I"
                if !replica.insert(row).inserted { contradictions.append("\(number): \(row) inserted twice") }
            case .update: letter = "U"
            case .delete:
                letter = "D"
                if replica.remove(row) == nil {
                    contradictions.append("\(number): \(row) deleted, but it was not there")
                }
            }
            if identifier.entityName == "ColdCargo" { withColdCargo.insert(number) }
            if identifier.entityName != "CargoTag" { cargos.insert(letter + Self.key(identifier)) }
        }
        changes[number] = cargos
    }

    static func row(_ entity: String, _ key: String) -> String { "\(entity)#\(key)" }

    private static func key(_ identifier: PersistentIdentifier) -> String { "\(identifier.key)" }
}

/// The ways to read: each is an asynchronous function that runs until the writers have ended and it has caught up.
enum CargoReader {
    typealias HasEnded = @Sendable () -> Bool

    /// Asks again and again, `limit` transactions at a time, with pauses, from `predicate` only.
    static func polling(
        _ container: ModelContainer, limit: Int = 0, pause: Duration, until hasEnded: @escaping HasEnded,
        where predicate: Predicate<DefaultHistoryTransaction>? = nil
    ) async throws -> CargoDeliveries {
        var deliveries = CargoDeliveries()
        var token: DefaultHistoryToken?
        while true {
            let isOver = hasEnded()
            var page: HistoryPage
            repeat {
                page = try await ModelContext(container).fetchHistory(after: token, where: predicate, limit: limit)
                deliveries.take(page.transactions)
                token = page.token
            } while !page.isLast
            if isOver { return deliveries }
            try await Task.sleep(for: pause)
        }
    }

    /// Takes transactions as they arrive, up to the one that the test writes last.
    static func live(
        _ container: ModelContainer, from token: DefaultHistoryToken,
        last author: String
    ) async throws -> CargoDeliveries {
        var deliveries = CargoDeliveries()
        for try await transaction in container.history(after: token) {
            if transaction.author == author { break }
            deliveries.take([transaction])
        }
        return deliveries
    }

    /// Is stopped in the middle of its work over and over, and goes on with the token it wrote down as JSON.
    static func restarted(_ container: ModelContainer, until hasEnded: @escaping HasEnded) async throws
        -> CargoDeliveries
    {
        var deliveries = CargoDeliveries()
        var stored: Data?
        while true {
            let isOver = hasEnded()
            let start = try stored.map { try JSONDecoder().decode(DefaultHistoryToken.self, from: $0) }
            // A life of a few pages; the token is kept together with what was taken.
            var token = start
            var isLast = false
            for _ in 0..<3 where !isLast {
                let page = try await ModelContext(container).fetchHistory(after: token, limit: 7)
                deliveries.take(page.transactions)
                token = page.token
                isLast = page.isLast
            }
            stored = try token.map { try JSONEncoder().encode($0) }
            if isOver && isLast { return deliveries }
            try await Task.sleep(for: .milliseconds(30))
        }
    }

    /// The control: remembers the largest number it has seen, as readers without snapshots do.
    static func sequence(_ configuration: PostgresConfiguration, until hasEnded: @escaping HasEnded) async throws
        -> Set<String>
    {
        let connection = try await PostgresConnection.connect(configuration)
        defer { connection.close() }
        var seen: Set<String> = []
        var last: Int64 = 0
        while true {
            let isOver = hasEnded()
            let sql = "SELECT xid::text, seq FROM strata.history_change WHERE seq > \(last) ORDER BY seq"
            try await connection.run(
                PostgresBatch(
                    PostgresStatement(PreparedSQL(sql, isCached: false)),
                    onRow: { row in
                        seen.insert(try row.decode(0, as: String.self))
                        last = try row.decode(1, as: Int64.self)
                    }))
            if isOver { return seen }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
