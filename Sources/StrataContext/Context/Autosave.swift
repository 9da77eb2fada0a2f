import Logging
import StrataModels

/// Saves a context after its edits: once for all edits of one piece of work.
final class Autosave {
    private unowned let context: ModelContext
    private let turns: IsolationTurns
    /// Whether a save is coming.
    private var isPlanned = false
    /// How many of all errors that held it back were logged.
    private var loggedErrors = 0

    init(of context: ModelContext, turns: IsolationTurns) {
        self.context = context
        self.turns = turns
    }

    /// Something changed, so there will be something to save.
    func edited() {
        guard !isPlanned else { return }
        isPlanned = true
        let context = WeakReference(context)
        turns.later { context.object?.unit.autosave?.save() }
    }

    fileprivate func save() {
        isPlanned = false
        // A transaction saves when its block does; a save that is under way comes first; and an error that a getter could not
        // throw is for somebody who calls `save()`.
        guard context.hasChanges, !context.unit.transaction.isOpen, !context.unit.isSaving else { return }
        logErrors()
        guard context.unit.errors.own.isEmpty else { return }
        do {
            try context.save()
        } catch {
            context.container.logger.error(
                "Autosave failed; the changes stay unsaved until the next edit or save", metadata: ["error": "\(error)"]
            )
        }
    }

    /// Nothing is saved until somebody has looked at these: they are in the log, once.
    private func logErrors() {
        let fresh = context.unit.errors.count - loggedErrors
        loggedErrors = context.unit.errors.count
        for error in context.unit.errors.own.suffix(fresh) {
            context.container.logger.error(
                "Autosave waits: a getter or setter met an error. The changes stay unsaved until save() has thrown it",
                metadata: ["error": "\(error)"])
        }
    }
}
