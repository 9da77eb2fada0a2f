/// The deletion of a `Model`.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete {
    /// The number of the change: unique in its store, growing within a transaction.
    public let changeIdentifier: Int64
    /// The transaction that made the change.
    public let transactionIdentifier: Int64
    /// The object that was deleted.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The values of its properties that are marked `.preserveValueOnDeletion`.
    public let tombstone: HistoryTombstone<Model>

    package init(
        _ identifier: PersistentIdentifier, number: Int64, transaction: Int64, tombstone: HistoryTombstone<Model>
    ) {
        changedPersistentIdentifier = identifier
        changeIdentifier = number
        transactionIdentifier = transaction
        self.tombstone = tombstone
    }
}
