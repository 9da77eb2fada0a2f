import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

@Suite struct HistoryPredicateTests {
    @Test func `a predicate finds in the database what it finds in memory`() async throws {
        try await withChronicle { store in
            try await makeHistory(store)
            let context = ModelContext(store.container)
            let all = try await context.fetchHistory(HistoryDescriptor())
            #expect(all.count > 40)
            for (number, predicate) in try predicates(over: all).enumerated() {
                do {
                    let expected = try all.filter { try predicate.evaluate($0) }.map(\.id)
                    let found = try await context.fetchHistory(HistoryDescriptor(predicate: predicate)).map(\.id)
                    #expect(found == expected, "predicate \(number)")
                } catch {
                    Issue.record("predicate \(number): \(error)")
                }
            }
        }
    }

    @Test func `what cannot be asked is refused with a remedy`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            let refused: [HistoryPredicate] = [
                #Predicate { $0.resetEntities.isEmpty }, #Predicate { $0.unknownEntities.contains("Trip") },
                #Predicate { $0.changes.first?.changeIdentifier == 3 }, #Predicate { $0.context.isEmpty },
            ]
            for predicate in refused {
                #expect(
                    await code {
                        _ = try await context.fetchHistory(HistoryDescriptor(predicate: predicate))
                    } == .unsupportedPredicate)
            }
            #expect(
                await code {
                    _ = try await context.fetchHistory(HistoryDescriptor(sortBy: [SortDescriptor(\.changes.count)]))
                } == .unsupportedSortDescriptor)
        }
    }

    /// Twenty tokens, names, times … of the history itself, so that each condition is true for some and false for others.
    private func predicates(over all: Transactions) throws -> [HistoryPredicate] {
        let middle = all[all.count / 2]
        let (token, time, id) = (middle.token, middle.timestamp, middle.transactionIdentifier)
        let end = all[all.count - 3].token
        let store = middle.storeIdentifier
        let museums = Schema.entityNames(Chronicle.Museum.self)
        let sites = ["Site", "Museum", "Unknown"]
        let changed = middle.changes.first?.changedPersistentIdentifier
        let identifier = try #require(changed)
        let many = all.flatMap(\.changes).map(\.changedPersistentIdentifier).enumerated().filter { $0.offset % 7 == 0 }
            .map(\.element)
        let number = try #require(middle.changes.first?.changeIdentifier)
        let (author, process, actor) = ("Ada", all[0].processIdentifier, all[0].actor)
        let ids = all.map(\.id).enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        let after: HistoryPredicate = #Predicate { $0.token > token }
        let ofMuseums: HistoryPredicate = #Predicate {
            $0.changes.contains { museums.contains($0.changedPersistentIdentifier.entityName) }
        }
        return [
            #Predicate { $0.token > token }, #Predicate { $0.token <= token }, #Predicate { $0.token < token },
            #Predicate { $0.token >= token }, #Predicate { token < $0.token },
            #Predicate { $0.token > token && $0.token <= end }, #Predicate { !($0.token > token) },
            #Predicate { $0.token > token || $0.author == author },
            #Predicate { $0.author == author }, #Predicate { $0.author != author }, #Predicate { $0.author == nil },
            #Predicate { $0.author != nil && $0.timestamp > time }, #Predicate { $0.timestamp <= time },
            #Predicate { $0.transactionIdentifier == id }, #Predicate { $0.id > id },
            #Predicate { ids.contains($0.transactionIdentifier) }, #Predicate { $0.storeIdentifier == store },
            #Predicate { $0.storeIdentifier != store }, #Predicate { $0.processIdentifier == process },
            #Predicate { $0.processIdentifier == "" }, #Predicate { $0.bundleIdentifier == "importer" },
            #Predicate { $0.bundleIdentifier.hasPrefix("imp") }, #Predicate { $0.actor == actor },
            #Predicate { $0.role == nil }, #Predicate { $0.context["batch"] == "1" },
            #Predicate { $0.context["batch"] == nil }, #Predicate { $0.author?.hasPrefix("A") == true },
            #Predicate { $0.changes.isEmpty }, #Predicate { !$0.changes.isEmpty }, #Predicate { $0.changes.count > 1 },
            #Predicate { $0.changes.contains { $0.changedPersistentIdentifier == identifier } },
            #Predicate { $0.changes.contains { many.contains($0.changedPersistentIdentifier) } },
            #Predicate { $0.changes.contains { $0.changedPersistentIdentifier.entityName == "Museum" } },
            #Predicate { $0.changes.contains { $0.changedPersistentIdentifier.entityName != "Museum" } },
            #Predicate { $0.changes.contains { sites.contains($0.changedPersistentIdentifier.entityName) } },
            #Predicate { !$0.changes.contains { sites.contains($0.changedPersistentIdentifier.entityName) } },
            #Predicate { $0.changes.allSatisfy { $0.changedPersistentIdentifier.entityName == "Visit" } },
            #Predicate { $0.changes.contains { $0.changeIdentifier >= number } },
            #Predicate { $0.changes.contains { $0.changeIdentifier == number } },
            #Predicate { $0.changes.contains { $0.transactionIdentifier == id } },
            #Predicate { after.evaluate($0) && ofMuseums.evaluate($0) },
            #Predicate { after.evaluate($0) || !ofMuseums.evaluate($0) },
            #Predicate { $0.changes.contains { $0.changedPersistentIdentifier.storeIdentifier == store } },
            Predicate {
                PredicateExpressions.build_Equal(
                    lhs: PredicateExpressions.build_KeyPath(root: $0, keyPath: \.author),
                    rhs: PredicateExpressions.build_Arg("Ada" as String?))
            },
        ]
    }

    private func makeHistory(_ store: ModelStore) async throws {
        var random = SplitMix(seed: 7)
        let context = ModelContext(store.container)
        for number in 0..<30 {
            context.author = [nil, "Ada", "Bob"][number % 3]
            context.historyContext = number % 4 == 0 ? [:] : ["batch": "\(number % 3)"]
            for _ in 0...random.below(3) {
                switch random.below(3) {
                case 0: context.insert(Chronicle.Site(name: "s\(number)"))
                case 1: context.insert(Chronicle.Museum(name: "m\(number)"))
                default: context.insert(Chronicle.Visit(day: number))
                }
            }
            if number % 3 == 2, let first = try await context.fetch(FetchDescriptor<Chronicle.Site>()).first {
                first.note = "n\(number)"
                if number % 2 == 0 { context.delete(first) }
            }
            try await context.save()
        }
        let connection = try await store.database.connect()
        defer { connection.close() }
        try await run("SET application_name = 'importer'", on: connection)
        // Objects that come and go within a transaction, and rows of a subclass's table that go with the root's.
        for transaction in [
            ["INSERT INTO visit (pk, day) VALUES (5, 1)", "DELETE FROM visit WHERE pk = 5"],
            ["INSERT INTO site (pk, class, name, kind) VALUES (6, 'Site', 'x', 'art')"],
            ["INSERT INTO visit (pk, day) VALUES (7, 1)", "UPDATE site SET name = 'y' WHERE pk = 6"],
            [
                "DELETE FROM site WHERE pk = 6",
                "INSERT INTO site (pk, class, name, kind) VALUES (6, 'Site', 'z', 'art')",
            ],
            ["DELETE FROM site WHERE class = 'Museum' AND pk IN (SELECT min(pk) FROM museum)"],
            ["UPDATE museum SET rooms = rooms + 1"], ["UPDATE visit SET day = day + 1 WHERE pk = 7"],
            ["INSERT INTO visit (pk, day) VALUES (8, 1)", "DELETE FROM visit WHERE pk = 7"],
            ["DELETE FROM visit WHERE pk = 8"], ["UPDATE site SET note = 'all'"], ["DELETE FROM site"],
            ["INSERT INTO visit (pk, day) VALUES (9, 1)", "UPDATE visit SET day = 3 WHERE pk = 9"],
        ] {
            try await run("BEGIN", on: connection)
            for statement in transaction { try await run(statement, on: connection) }
            try await run("COMMIT", on: connection)
        }
    }
}

/// The same numbers in every run.
private struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((z ^ (z >> 31)) % UInt64(bound))
    }
}
