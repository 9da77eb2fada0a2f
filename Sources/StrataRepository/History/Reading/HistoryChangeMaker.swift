import StrataModels

/// Makes changes of one class.
protocol HistoryChangeMaking: Sendable {
    func insert(_ identifier: PersistentIdentifier, _ number: Int64, _ transaction: Int64) -> HistoryChange
    func update(
        _ identifier: PersistentIdentifier, _ number: Int64, _ transaction: Int64, _ slots: SlotSet, _ names: [String]
    ) -> HistoryChange
    func delete(
        _ identifier: PersistentIdentifier, _ number: Int64, _ transaction: Int64,
        _ values: [(slot: Int, json: StoredJSON)]
    ) -> HistoryChange
}

struct HistoryChangeMaker<Model: PersistentModel>: HistoryChangeMaking {
    func insert(_ identifier: PersistentIdentifier, _ number: Int64, _ transaction: Int64) -> HistoryChange {
        .insert(DefaultHistoryInsert<Model>(identifier, number: number, transaction: transaction))
    }

    func update(
        _ identifier: PersistentIdentifier, _ number: Int64, _ transaction: Int64, _ slots: SlotSet, _ names: [String]
    ) -> HistoryChange {
        .update(
            DefaultHistoryUpdate<Model>(
                identifier, number: number, transaction: transaction, slots: slots, unknownNames: names))
    }

    func delete(
        _ identifier: PersistentIdentifier, _ number: Int64, _ transaction: Int64,
        _ values: [(slot: Int, json: StoredJSON)]
    ) -> HistoryChange {
        .delete(
            DefaultHistoryDelete<Model>(
                identifier, number: number, transaction: transaction, tombstone: HistoryTombstone(values)))
    }
}

extension ModelDescriptor {
    /// Makes changes of this class.
    var historyChangeMaker: any HistoryChangeMaking {
        let type: any PersistentModel.Type = self.type
        return Self.maker(of: type)
    }

    private static func maker<Model: PersistentModel>(of type: Model.Type) -> any HistoryChangeMaking {
        HistoryChangeMaker<Model>()
    }
}
