package import StrataModels

/// What is known of a store once its tables were found to fit.
package struct StoreIdentity: Hashable, Sendable {
    /// Names the store for ever: the `storeIdentifier` of its objects' identifiers. A dump keeps it when it is restored.
    package let identifier: String
    /// What does not stop Strata but costs time, one line each; for the log.
    package let advice: [String]

    /// The store's number in its database; `nil` where the library's tables are older than the history.
    package let number: Int32?
    /// What keeps changes from being recorded.
    package let history: [HistoryFinding]
    /// Whether what Strata keeps for itself is older than this release.
    package let hasOldLibrary: Bool
    /// Whether the database records other classes and properties than the models have, though the tables fit.
    package let hasOtherHistory: Bool
    /// Whether none of its tables was there before.
    package let isNew: Bool

    package init(
        identifier: String, number: Int32? = nil, advice: [String] = [], history: [HistoryFinding] = [],
        hasOldLibrary: Bool = false,
        hasOtherHistory: Bool = false, isNew: Bool = false
    ) {
        self.isNew = isNew
        self.identifier = identifier
        self.number = number
        self.advice = advice
        self.history = history
        self.hasOldLibrary = hasOldLibrary
        self.hasOtherHistory = hasOtherHistory
    }
}
