/// What is known of a store once its tables were found to fit.
package struct StoreIdentity: Hashable, Sendable {
    /// Names the store for ever: the `storeIdentifier` of its objects' identifiers. A dump keeps it when it is restored.
    package let identifier: String
    /// What does not stop Strata but costs time, one line each; for the log.
    package let advice: [String]

    /// The store's number in its database; `nil` where the library's tables are older than the history.
    package let number: Int32?

    package init(identifier: String, number: Int32? = nil, advice: [String] = []) {
        self.identifier = identifier
        self.number = number
        self.advice = advice
    }
}
