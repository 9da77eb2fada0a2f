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

    /// Reads what undoing needs of the objects that a save is about to delete, without blocking. The save reads what could not
    /// be read here, and notes why.
    func loadForUndo() async throws {
        guard unit.undoManager != nil, unit.lazyLoading == .allowed else { return }
        for session in unit.sessions {
            var seen = Set<ObjectIdentifier>()
            // What was read may be taken along by a rule, and then has to be read too.
            while true {
                let models = unit.unreadDeletions(in: session).filter { seen.insert(ObjectIdentifier($0)).inserted }
                guard !models.isEmpty else { break }
                let load = SnapshotLoadExecution(unit.unread(models), session: session)
                do {
                    try await perform(StoreCall(load, in: session, for: "load what is deleted").once.onPrimary)
                } catch let error as CancellationError {
                    throw error
                } catch {
                    break
                }
            }
        }
    }
}
