import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Synchronization
import Testing

/// Eight writers of all kinds, and readers of all kinds: nothing is missed, nothing comes twice, and what is built from
/// the history alone is what the tables hold.
///
/// In the suite the writers end after some hundred transactions; in the soak (`make soak`) twenty times after eight seconds.
@Suite(.serialized) struct HistoryEndToEndTests {
    private static let least: (transactions: Int, time: Duration) = isSoak ? (100, .seconds(8)) : (400, .zero)

    @Test(arguments: 1...(isSoak ? 20 : 2) as ClosedRange<UInt64>)
    func everyReaderGetsEveryTransactionOnce(seed: UInt64) async throws {
        let server = try TestServer.another(["max_connections": "100", "max_prepared_transactions": "64"])
        defer { server.stop() }
        let url = try #require(URL(string: server.url))
        let container = try await ModelContainer(
            for: Schema([Cargo.self, ColdCargo.self, CargoTag.self]), configurations: [ModelConfiguration(url: url)],
            logger: Logger(label: "test"))
        let configuration = try PostgresConfiguration(url: server.url)
        let beginning = try await container.currentHistoryToken()
        let ledger = CargoLedger()
        let end = ContinuousClock.now + Self.least.time
        // However slow the machine is: there is enough to miss something of.
        let isEnough: @Sendable () -> Bool = {
            ContinuousClock.now >= end && ledger.transactions.count > Self.least.transactions
        }
        let writers = Task {
            try await withThrowingTaskGroup { group in
                for number in 0..<6 {
                    group.addTask {
                        var writer = ForeignCargoWriter(number, configuration, ledger, seed: seed)
                        try await writer.run(until: isEnough)
                    }
                }
                for number in 6..<8 {
                    group.addTask {
                        var writer = LibraryCargoWriter(number, container, ledger, seed: seed)
                        try await writer.run(until: isEnough)
                    }
                }
                try await group.waitForAll()
            }
        }
        let flag = EndFlag()
        let hasEnded: CargoReader.HasEnded = { flag.isSet }
        let coldOnes = #Predicate<DefaultHistoryTransaction> { transaction in
            transaction.changes.contains { $0.changedPersistentIdentifier.entityName == "ColdCargo" }
        }

        async let live = CargoReader.live(container, from: beginning, last: "the end")
        async let eager = CargoReader.polling(container, pause: .milliseconds(10), until: hasEnded)
        async let paged = CargoReader.polling(container, limit: 3, pause: .milliseconds(10), until: hasEnded)
        async let sleepy = CargoReader.polling(container, pause: .seconds(3), until: hasEnded)
        async let filtered = CargoReader.polling(container, pause: .milliseconds(10), until: hasEnded, where: coldOnes)
        async let filteredPages = CargoReader.polling(
            container, limit: 2, pause: .milliseconds(25), until: hasEnded, where: coldOnes)
        async let restarted = CargoReader.restarted(container, until: hasEnded)
        async let control = CargoReader.sequence(configuration, until: hasEnded)

        try await writers.value
        flag.set()
        // Tells the reader that waits that nothing more comes.
        let last = ModelContext(container)
        last.author = "the end"
        let readers = [
            "eager": try await eager, "paged": try await paged, "sleepy": try await sleepy,
            "restarted": try await restarted,
        ]
        let parts = ["filtered": try await filtered, "filtered pages": try await filteredPages]
        let numbered = ledger.transactions.keys.filter { Int64($0) != nil }
        let missedByControl = Set(numbered).subtracting(try await control)
        let table = try await Self.table(configuration)
        last.insert(CargoTag(value: 0, cargo: nil))
        try await last.save()
        let all = readers.merging(["live": try await live]) { first, _ in first }

        // The control by transaction number; that it must fail is shown step by step in HistoryWaitingTests.
        var byNumber = CargoDeliveries()
        let everything = try await ModelContext(container).fetchHistory(after: beginning).transactions
        byNumber.take(everything.sorted { $0.transactionIdentifier < $1.transactionIdentifier })
        print(
            "history load: by transaction number \(byNumber.contradictions.count) changes contradict what is there, "
                + "and the replica is \(byNumber.replica.symmetricDifference(table).count) rows wrong")
        let counts = ledger.counts
        print(
            "history load: \(ledger.transactions.count) transactions (\(counts.prepared) prepared, \(counts.rolledBack) rolled back, "
                + "\(counts.savepoints) savepoints undone); a reader by number missed \(missedByControl.count)")
        #expect(ledger.transactions.count > 100)
        #expect(
            counts.prepared > 0 && counts.rolledBack > 0 && counts.savepoints > 0,
            "the load is as nasty as it should be")
        #expect(!missedByControl.isEmpty, "a reader by number misses some under this load, or the load proves nothing")
        for (name, deliveries) in all {
            Self.compare(deliveries, ledger.transactions, name)
            #expect(deliveries.replica == table, "\(name): the replica is the tables")
            #expect(deliveries.contradictions.isEmpty, "\(name)")
        }
        let cold = try #require(all["eager"]).withColdCargo
        for (name, deliveries) in parts {
            #expect(deliveries.duplicates.isEmpty, "\(name)")
            #expect(Set(deliveries.order) == cold, "\(name): those that match, and no others")
            for (number, changes) in deliveries.changes { #expect(ledger.transactions[number] == changes, "\(name)") }
        }
        await container.close()
    }

    private static func compare(_ deliveries: CargoDeliveries, _ truth: [String: Set<String>], _ name: String) {
        #expect(deliveries.duplicates.isEmpty, "\(name): nothing comes twice")
        let missed = Set(truth.keys).subtracting(deliveries.changes.keys)
        #expect(missed.isEmpty, "\(name): nothing is missed")
        let made = Set(deliveries.changes.keys).subtracting(truth.keys)
        #expect(made.isEmpty, "\(name): nothing is made up")
        let different = truth.filter { number, changes in
            deliveries.changes[number].map { $0 != changes } ?? false
        }
        #expect(different.isEmpty, "\(name): every transaction has the changes that were made")
    }

    /// What exists, as the tables have it.
    private static func table(_ configuration: PostgresConfiguration) async throws -> Set<String> {
        let connection = try await PostgresConnection.connect(configuration)
        defer { connection.close() }
        var rows: Set<String> = []
        let sql = "SELECT class, pk::text FROM public.cargo UNION ALL SELECT 'CargoTag', pk::text FROM public.cargo_tag"
        try await connection.run(
            PostgresBatch(
                PostgresStatement(PreparedSQL(sql, isCached: false)),
                onRow: { row in
                    rows.insert(
                        CargoDeliveries.row(try row.decode(0, as: String.self), try row.decode(1, as: String.self)))
                }))
        return rows
    }
}

/// Set once, when the writers have ended.
private final class EndFlag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
