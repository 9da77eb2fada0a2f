package import Foundation
package import StrataModels

/// Which transactions of one store to read.
package struct HistoryRequest {
    package var predicate: Predicate<DefaultHistoryTransaction>?
    package var sortBy: [SortDescriptor<DefaultHistoryTransaction>]
    /// 0 for all.
    package var limit: Int
    /// How much a page looks at.
    package var window = HistoryWindow.standard
    /// Whether the connection has a transaction open: what that has changed itself is not history yet.
    package var isInsideTransaction: Bool
    /// Whether nothing but the reading of history comes after it in the transaction: the planner may be told how to read.
    package var endsTransaction: Bool

    package init(
        predicate: Predicate<DefaultHistoryTransaction>?, sortBy: [SortDescriptor<DefaultHistoryTransaction>] = [],
        limit: Int = 0, isInsideTransaction: Bool = false, endsTransaction: Bool = false
    ) {
        self.predicate = predicate
        self.sortBy = sortBy
        self.limit = limit
        self.isInsideTransaction = isInsideTransaction
        self.endsTransaction = endsTransaction || !isInsideTransaction
    }
}

/// A store, as far as its history is concerned.
package struct HistoryStore: Sendable {
    package let mapping: StoreMapping
    package let identifier: String
    /// By the index of the entity.
    package let identities: [EntityIdentity]
    package let registry: HistoryRegistryCache

    package init(
        mapping: StoreMapping, identifier: String, identities: [EntityIdentity], registry: HistoryRegistryCache
    ) {
        self.mapping = mapping
        self.identifier = identifier
        self.identities = identities
        self.registry = registry
    }
}
