#if Hummingbird
public import Strata

extension ServerSentEvent {
    /// What a transaction of the history did to objects of a class and its subclasses: which, how, and which properties.
    ///
    /// ```json
    /// {"changes": [{"change": "update", "class": "BusinessTrip", "object": "BusinessTrip.17.6f96…", "properties": ["perdiem"]}]}
    /// ```
    /// Its `id` is the transaction's token, where a client goes on that was away. No values, nothing of other classes, no
    /// author. `reset` says that objects changed without a record, and must be read anew. The name is `change`.
    /// - Throws: what the encoder throws.
    public init<T: PersistentModel>(_ transaction: DefaultHistoryTransaction, of type: T.Type) throws {
        let changes = transaction.changes.compactMap { Change($0, of: type) }
        try self.init(
            json: Body(changes: changes, reset: transaction.resetEntities.isEmpty ? nil : true),
            id: transaction.token.description, name: "change")
    }

    private struct Body: Encodable {
        let changes: [Change]
        let reset: Bool?
    }

    private struct Change: Encodable {
        let change: String
        let `class`: String
        let object: String
        let properties: [String]?

        /// `nil` for an object of another class.
        init?<T: PersistentModel>(_ change: HistoryChange, of type: T.Type) {
            switch change {
            case .insert(let insert):
                guard Self.isOne(insert, of: type) else { return nil }
                (self.change, properties) = ("insert", nil)
            case .update(let update):
                guard Self.isOne(update, of: type) else { return nil }
                (self.change, properties) = ("update", update.updatedPropertyNames)
            case .delete(let delete):
                guard Self.isOne(delete, of: type) else { return nil }
                (self.change, properties) = ("delete", nil)
            }
            `class` = change.changedPersistentIdentifier.entityName
            object = change.changedPersistentIdentifier.urlPathComponent
        }

        private static func isOne<C: HistoryInsert, T>(_: C, of _: T.Type) -> Bool { C.Model.self is T.Type }
        private static func isOne<C: HistoryUpdate, T>(_: C, of _: T.Type) -> Bool { C.Model.self is T.Type }
        private static func isOne<C: HistoryDelete, T>(_: C, of _: T.Type) -> Bool { C.Model.self is T.Type }
    }
}
#endif
