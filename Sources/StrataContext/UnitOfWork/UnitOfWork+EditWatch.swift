import StrataModels

/// What observers of results are told of this context.
extension UnitOfWork {
    /// An object was edited for the first time, or one that is not saved yet.
    func noteEdit(of state: ModelState) {
        edits += 1
        if !editWatch.isEmpty, let model = state.model { editWatch.edited(type(of: model)._$descriptor) }
    }

    /// Something was edited that may have consequences for objects of any class: an insertion, a deletion, a rollback.
    func noteEdit() {
        edits += 1
        if !editWatch.isEmpty { editWatch.edited() }
    }
}
