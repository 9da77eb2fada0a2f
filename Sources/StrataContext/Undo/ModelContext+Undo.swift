extension ModelContext {
    /// Notes the changes of this context, and takes them back; `nil`, as to begin with, for none.
    ///
    /// A manager that is given to a second context leaves the first. While there is one, deleting an object and saving that
    /// reads first what was not fetched of it.
    public var undoManager: ModelUndoManager? {
        get { unit.undoManager }
        set {
            guard newValue !== unit.undoManager else { return }
            unit.undoManager?.unit = nil
            if let other = newValue?.unit { other.undoManager = nil }
            newValue?.removeAllActions()
            newValue?.unit = unit
            unit.undoManager = newValue
        }
    }

    /// Ends the group of changes that ``ModelUndoManager/undo()`` takes back together. Otherwise changes take effect when they are
    /// made.
    public func processPendingChanges() {
        unit.undoManager?.closeGroup()
    }
}
