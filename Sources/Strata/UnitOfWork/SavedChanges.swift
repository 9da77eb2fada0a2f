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

    /// Puts the objects back to what they were before the changes: the rows are what they were too.
    func undo(in unit: UnitOfWork) {
        for change in changed.reversed() { unit.restore(change.model, change.originals) }
        for model in inserted { unit.detach(model) }
        for model in deleted {
            guard let (session, entity) = unit.session(for: type(of: model)._$descriptor) else { continue }
            session.add(model, key: model._$state.key, entity: entity, phase: .registered)
        }
    }
}
