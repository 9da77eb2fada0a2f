import ArgumentParser
import Foundation
import Strata
import StrataClient
import StrataLocalServer
import StrataModels

/// What reading costs: the recommended design's SQL with its rows decoded by hand, and Strata, in turn on one server.
struct Read: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Measures reads of a long history, through Strata and by hand.")

    @Option(help: "Transactions in the history, of five changes each.") var transactions: Int64 = 1_000_000
    @Option(help: "Changes of the largest transaction.") var largest: Int64 = 1_000_000
    @Option(help: "Rounds; the median of each counts.") var rounds = 7
    @Option(help: "Only questions that contain this.") var only: String?

    func run() throws {
        // Parallel workers are processes of their own, whose time would be missing.
        let settings = [
            "max_wal_size": "8GB", "shared_buffers": "1GB", "autovacuum": "off", "fsync": "off",
            "max_parallel_workers_per_gather": "0",
        ]
        let server = try LocalServer.temporary(options: .init(settings: settings))
        defer { server.stop() }
        guard let url = URL(string: server.url) else { throw CocoaError(.fileNoSuchFile) }
        let container = try ModelContainer(for: Past.models, configurations: ModelConfiguration(url: url))
        let context = ModelContext(container)
        let connection = try PostgresConnection.connect(try PostgresConfiguration(url: server.url))
        defer { connection.close() }
        for setting in ["synchronous_commit = off", "jit = off"] { try connection.execute("SET \(setting)") }
        for statement in Recording.tables { try connection.execute(statement) }
        let past = try PastChanges(transactions, through: connection)
        let rare = try connection.number("SELECT id::bigint FROM strata.history_entity WHERE name = 'Audit'")
        let newest: DefaultHistoryToken = try container.currentHistoryToken()

        print(
            "\("milliseconds".cell(36))\("by hand: server, client".cell(26))\("Strata: server, client".cell(26))"
                + "ratio: server, both")
        for question in Question.all(transactions) where only.map(question.name.contains) ?? true {
            let start = past.end - question.behind
            let plain = try PlainReading(question, after: start, rare: rare)
            let descriptor = Self.descriptor(question, after: newest.moved(to: start))
            let byHand = Meter(connection.backendID)
            // The container's own connection: the one that is not ours.
            _ = try context.fetchHistory(descriptor)
            let meter = Meter(
                Int32(
                    try connection.number(
                        "SELECT pid::bigint FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = "
                            + "'client backend' ORDER BY state_change DESC LIMIT 1")))
            var counts: [Int] = []
            for _ in 0..<rounds {
                try byHand.measure {
                    counts = [
                        try plain.fetch(through: connection).prefix(question.limit > 0 ? question.limit : .max)
                            .reduce(0) { $0 + $1.changes.count }
                    ]
                }
                try meter.measure {
                    counts.append(try context.fetchHistory(descriptor).reduce(0) { $0 + $1.changes.count })
                }
            }
            guard counts.allSatisfy({ $0 == counts[0] }) else {
                throw ValidationError("\(question.name): not the same changes: \(counts)")
            }
            print(
                question.name.cell(36) + byHand.description.cell(26) + meter.description.cell(26)
                    + String(format: "%.2f, %.2f", meter.server / byHand.server, meter.both / byHand.both))
        }
        try readLargest(context, connection, newest)
    }

    /// One transaction of very many changes, and what memory it takes to read it.
    private func readLargest(
        _ context: ModelContext, _ connection: PostgresConnection, _ token: DefaultHistoryToken
    ) throws {
        guard largest > 0 else { return }
        try connection.execute(
            "INSERT INTO note (pk, text) SELECT g, 'note ' || g FROM generate_series(1, \(largest)) AS g")
        let before = Meter.memory()
        let began = ContinuousClock.now
        do {
            let page = try context.fetchHistory(after: token, limit: 1)
            let count = page.transactions.reduce(0) { $0 + $1.changes.count }
            print(
                "One transaction of \(count) changes: \(ContinuousClock.now - began), "
                    + "\((Meter.memory() - before) / 1_048_576) MB at most")
        } catch {
            print("One transaction of \(largest) changes: \(error)")
        }
    }

    private static func descriptor(
        _ question: Question, after token: DefaultHistoryToken
    ) -> HistoryDescriptor<DefaultHistoryTransaction> {
        let rare = ["Audit"]
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        descriptor.predicate =
            switch question.filter {
            case .none: #Predicate { $0.token > token }
            case .author: #Predicate { $0.token > token && $0.author == "import" }
            case .entity:
                #Predicate {
                    $0.token > token
                        && $0.changes.contains { rare.contains($0.changedPersistentIdentifier.entityName) }
                }
            }
        if question.isNewestFirst {
            descriptor.predicate = nil
            descriptor.sortBy = [SortDescriptor(\.transactionIdentifier, order: .reverse)]
        }
        descriptor.fetchLimit = UInt64(question.limit)
        return descriptor
    }
}

extension DefaultHistoryToken {
    /// The place before this transaction, as if all earlier ones had ended and no other.
    fileprivate func moved(to transaction: Int64) -> DefaultHistoryToken {
        DefaultHistoryToken(
            positions.mapValues {
                HistoryPosition(generation: $0.generation, base: HistorySnapshot(end: transaction))
            })
    }
}

extension String {
    fileprivate func cell(_ width: Int) -> String { padding(toLength: width, withPad: " ", startingAt: 0) }
}
