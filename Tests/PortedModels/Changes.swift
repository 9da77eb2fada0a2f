import Foundation
import SwiftData

// How apps and widgets follow the history.

@Model
final class LedgerEntry {
    @Attribute(.preserveValueOnDeletion) var title: String
    var amount: Double
    init(title: String, amount: Double) {
        self.title = title
        self.amount = amount
    }
}

struct LedgerWatcher {
    let modelContainer: ModelContainer

    func findTransactions(after token: DefaultHistoryToken?, author: String) -> [DefaultHistoryTransaction] {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        if let token {
            descriptor.predicate = #Predicate { transaction in
                (transaction.token > token) && (transaction.author == author)
            }
        }
        let taskContext = ModelContext(modelContainer)
        do {
            return try taskContext.fetchHistory(descriptor)
        } catch {
            return []
        }
    }

    func titles(in transactions: [DefaultHistoryTransaction]) -> (Set<PersistentIdentifier>, [String]) {
        var changed: Set<PersistentIdentifier> = []
        var gone: [String] = []
        for transaction in transactions {
            for change in transaction.changes {
                switch change {
                case .insert(let insert as DefaultHistoryInsert<LedgerEntry>):
                    changed.insert(insert.changedPersistentIdentifier)
                case .update(let update as DefaultHistoryUpdate<LedgerEntry>):
                    let attributes: [any DefaultHistoryUpdate<LedgerEntry>.PropertyUpdate] = update.updatedAttributes
                    if attributes.contains(where: { $0 == \LedgerEntry.amount }) {
                        changed.insert(update.changedPersistentIdentifier)
                    }
                case .delete(let delete as DefaultHistoryDelete<LedgerEntry>):
                    if let title = delete.tombstone[\.title] as? String { gone.append(title) }
                default: break
                }
            }
        }
        return (changed, gone)
    }
}

/// For whichever transactions a store has.
func allTransactions<Transaction: HistoryTransaction>(
    _ type: Transaction.Type, in context: ModelContext
) throws -> [Transaction] {
    try context.fetchHistory(HistoryDescriptor<Transaction>())
}

func latest<Provider: HistoryProviding>(of provider: Provider) throws -> Provider.HistoryType? {
    try provider.fetchHistory(HistoryDescriptor<Provider.HistoryType>()).last
}

func forget<Provider: HistoryProviding>(of provider: Provider) throws {
    try provider.deleteHistory(HistoryDescriptor<Provider.HistoryType>())
}

/// A key to file a token under.
func isEmpty<Token: HistoryToken>(_ token: Token) -> Bool { token.tokenValue == nil }

func numbers<Insert: HistoryInsert>(of insert: Insert) -> (Insert.TransactionIdentifier, Insert.ChangeIdentifier) {
    (insert.transactionIdentifier, insert.changeIdentifier)
}
