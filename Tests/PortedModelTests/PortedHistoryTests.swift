import Foundation
import StrataTestSupport
import SwiftData
import Testing

@testable import PortedModels

@Suite struct PortedHistoryTests {
    /// A transaction of a store that is not ours.
    private struct OtherTransaction: HistoryTransaction {
        let id = 1
        let transactionIdentifier = 1
        let token = DefaultHistoryToken.beginning
        let timestamp = Date.distantPast
        let author: String? = nil
        let storeIdentifier = ""
        var changes: [HistoryChange] { [] }
        static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    @Test func `a watcher finds what an author did`() async throws {
        try await withPortedStore(LedgerEntry.self) { container in
            let watcher = LedgerWatcher(modelContainer: container)
            let context = ModelContext(container)
            context.author = "app"
            let (first, second) = (LedgerEntry(title: "A", amount: 1), LedgerEntry(title: "B", amount: 2))
            context.insert(first)
            context.insert(second)
            try context.save()
            let token = try #require(watcher.findTransactions(after: nil, author: "app").last?.token)
            first.amount = 3
            try context.save()
            context.delete(second)
            try context.save()
            context.author = "other"
            first.amount = 4
            try context.save()
            let news = watcher.findTransactions(after: token, author: "app")
            let (changed, gone) = watcher.titles(in: news)
            #expect(news.count == 2 && changed == [first.persistentModelID] && gone == ["B"])
        }
    }

    @Test func `history is fetched and deleted by code that is generic over it`() async throws {
        try await withPortedStore(LedgerEntry.self) { container in
            let context = ModelContext(container)
            context.insert(LedgerEntry(title: "A", amount: 1))
            try context.save()
            let transactions = try allTransactions(DefaultHistoryTransaction.self, in: context)
            #expect(transactions.count == 1)
            #expect(try latest(of: context) == transactions.first)
            #expect(Set(transactions) == Set(try context.fetchHistory(HistoryDescriptor())))
            #expect(ModelContext.historyType == DefaultHistoryTransaction.self)
            let first = try #require(transactions.first)
            #expect(!isEmpty(first.token) && first.token.tokenValue?.count == 1)
            if case .insert(let insert as DefaultHistoryInsert<LedgerEntry>)? = first.changes.first {
                #expect(numbers(of: insert).0 == first.transactionIdentifier)
            } else {
                Issue.record("there is no insert")
            }
            #expect { _ = try allTransactions(OtherTransaction.self, in: context) } throws: {
                ($0 as? SwiftDataError)?.code == .unsupportedFeature
            }
            #expect { try context.deleteHistory(HistoryDescriptor<OtherTransaction>()) } throws: {
                ($0 as? SwiftDataError)?.code == .unsupportedFeature
            }
            try forget(of: ModelContext(container))
        }
    }
}
