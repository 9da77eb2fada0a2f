package import StrataClient
package import StrataModels

/// What a save did, for the context to apply to its objects.
package final class SaveResult {
    /// New objects that stand for a row that was there before: they take its key.
    package var rekeyed: [(model: any PersistentModel, key: RowKey)] = []
    /// New objects that had the unique values of another new object: the winner stands for both.
    package var merged: [(loser: any PersistentModel, winner: any PersistentModel)] = []
    /// Properties whose value in the database is another than in memory, because the policy let the database win.
    package var stale: [(model: any PersistentModel, slots: SlotSet)] = []
    /// Changed objects whose row was gone, where the policy lets the database win.
    package var gone: [any PersistentModel] = []
    /// Objects that went to an owner whose relationship they know nothing of: to no other owner any more.
    package var taken: [TakenTarget] = []
    /// Rows that went with this save, those that were asked for included; empty where no delete rule takes anything along.
    package var doomed: [(root: EntityMapping, key: RowKey)] = []
    /// Rows that got a date of deletion by a delete rule.
    package var softlyDeleted: [SoftlyDeletedRow] = []
    /// The place in the history after the save's own transaction, if it was asked for.
    package var moment = HistoryMoment()
    /// Rows written and deleted by this save itself, not counting what foreign keys took along.
    package var insertedCount = 0
    package var updatedCount = 0
    package var deletedCount = 0

    package init() {}

    /// Whether the objects are as they were, but for what was written of them.
    package var isPlain: Bool {
        rekeyed.isEmpty && merged.isEmpty && stale.isEmpty && gone.isEmpty && taken.isEmpty && doomed.isEmpty
            && softlyDeleted.isEmpty
    }
}
