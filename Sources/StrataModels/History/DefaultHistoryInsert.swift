/// The insertion of a `Model`.
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert, Hashable {
    /// The number of the change: unique in its store, growing within a transaction.
    public let changeIdentifier: Int64
    /// The transaction that made the change.
    public let transactionIdentifier: Int64
    /// The object.
    public let changedPersistentIdentifier: PersistentIdentifier

    package init(_ identifier: PersistentIdentifier, number: Int64, transaction: Int64) {
        changedPersistentIdentifier = identifier
        changeIdentifier = number
        transactionIdentifier = transaction
    }
}
