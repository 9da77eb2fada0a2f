import StrataClient
import StrataModels

/// What one save wrote, so that it can be undone in memory when the transaction around it is rolled back.
struct SavedChanges {
    struct Change {
        let model: any PersistentModel
        let originals: [OriginalValue]
    }

    var inserted: [any PersistentModel] = []
    var changed: [Change] = []
    var deleted: [any PersistentModel] = []
    /// New objects that took over a row, with the key they had.
    var rekeyed: [(model: any PersistentModel, key: RowKey)] = []
    /// Objects of another class that took over a row.
    var converted: [any PersistentModel] = []
    /// Objects that stood for such a row until then.
    var displaced: [any PersistentModel] = []
    /// What was told of updates by predicate.
    var updates: [UpdateByPredicate] = []

    /// Others stand for rows now: what is put back leads to them.
    mutating func replace(_ moves: ReplacedObjects) {
        changed = changed.map { change in
            Change(model: change.model, originals: change.originals.map { moves.redirect($0, of: change.model) })
        }
    }

    /// Puts the objects back to what they were before the changes: the rows are what they were too.
    func undo(in unit: UnitOfWork) {
        for update in updates { update.forget() }
        for change in changed.reversed() { unit.restore(change.model, change.originals) }
        unit.detach(inserted + converted)
        for (model, key) in rekeyed {
            model._$state.rekey(to: key)
            type(of: model)._$descriptor.keyProperty?.setKey(key, of: model)
        }
        // What a delete rule took along before it ever had a row has none now.
        let new = Set(inserted.map { ObjectIdentifier($0) })
        for model in deleted + displaced where !new.contains(ObjectIdentifier(model)) {
            guard let (session, entity) = unit.session(for: type(of: model)._$descriptor) else { continue }
            session.add(model, key: model._$state.key, entity: entity, phase: .registered)
        }
    }
}
