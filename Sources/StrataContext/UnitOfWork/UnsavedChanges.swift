import Foundation
import StrataModels
import StrataRepository

/// What the next save of a context writes.
///
/// Objects are listed when they become unsaved; one whose phase has moved on stays listed until the next save. What is written for every
/// object goes without the checks for overlapping access.
final class UnsavedChanges {
    /// In order.
    @exclusivity(unchecked) var inserted: [any PersistentModel] = []
    @exclusivity(unchecked) var changed: [any PersistentModel] = []
    @exclusivity(unchecked) var deleted: [any PersistentModel] = []
    /// Changes by predicate, in order.
    @exclusivity(unchecked) var bulkChanges: [BulkChange] = []
    /// Which objects were given to which others since the last save.
    @exclusivity(unchecked) var claims = TargetClaims()
    /// The date of what was softly deleted since the last save, which gives it its own.
    @exclusivity(unchecked) var deletionDate: Date?
    /// The object that becomes one of another class with the next save.
    @exclusivity(unchecked) var classChange: ClassChange?

    /// The date of something that is softly deleted now.
    func timeOfDeletion() -> Date {
        let date = deletionDate ?? .now
        deletionDate = date
        return date
    }

    /// Everything that may be unsaved, some of it twice.
    var all: [any PersistentModel] { inserted + changed + deleted }

    var isEmpty: Bool {
        // Whether a list is empty is asked first: a list that is looked through is held meanwhile.
        bulkChanges.isEmpty && classChange == nil
            && (inserted.isEmpty || !inserted.contains { Self.isInserted($0._$state) })
            && (changed.isEmpty || !changed.contains { Self.isChanged($0._$state) })
            && (deleted.isEmpty || !deleted.contains { Self.isDeleted($0._$state) })
    }

    var insertedModels: [any PersistentModel] { Self.current(inserted, Self.isInserted) }
    var changedModels: [any PersistentModel] { Self.current(changed, Self.isChanged) }
    var deletedModels: [any PersistentModel] { Self.current(deleted, Self.isDeleted) }

    private static func isInserted(_ state: ModelState) -> Bool { state.phase == .inserted }
    private static func isChanged(_ state: ModelState) -> Bool {
        state.phase == .registered && !state.changedSlots.isEmpty
    }
    private static func isDeleted(_ state: ModelState) -> Bool { state.phase == .deleted }

    private static func current(
        _ models: [any PersistentModel], _ isCurrent: (ModelState) -> Bool
    ) -> [any PersistentModel] {
        let collection = ModelState.newCollection()
        func stays(_ model: any PersistentModel) -> Bool { isCurrent(model._$state) && model._$state.joins(collection) }
        // Mostly all of them: then nothing is copied.
        guard let first = models.firstIndex(where: { !stays($0) }) else { return models }
        return models[..<first] + models[(first + 1)...].filter(stays)
    }

    /// Inserted and changed objects of a class and its subclasses.
    func models(of descriptor: ModelDescriptor) -> [any PersistentModel] {
        if inserted.isEmpty && changed.isEmpty { return [] }
        return (insertedModels + changedModels).filter { type(of: $0)._$descriptor.inherits(from: descriptor) }
    }

    /// Forgets what was saved; what was changed while the save was under way stays unsaved.
    func removeSaved(by saves: [PendingSave]) {
        Self.keep(&inserted, Self.isInserted)
        Self.keep(&changed, Self.isChanged)
        Self.keep(&deleted, Self.isDeleted)
        if saves.contains(where: \.changesClass) { classChange = nil }
        bulkChanges.removeAll { change in saves.contains { $0.carriesOut(change) } }
        forgetClaimsOfNobody()
    }

    /// Forgets everything but what saves under way are writing.
    func removeAll(butThoseOf saves: [PendingSave]) {
        inserted.removeAll { !$0._$state.isUnderWay }
        changed.removeAll { !$0._$state.isUnderWay }
        deleted.removeAll { !$0._$state.isUnderWay }
        bulkChanges.removeAll { change in !saves.contains { $0.carriesOut(change) } }
        classChange = nil
        deletionDate = nil
        forgetClaimsOfNobody()
    }

    private func forgetClaimsOfNobody() {
        if inserted.isEmpty, changed.isEmpty { claims = TargetClaims() }
    }

    /// Keeps the objects that are still what they are listed as. Mostly none is, and the save shares the array: taking objects
    /// out of it would copy all of them first.
    private static func keep(_ models: inout [any PersistentModel], _ isCurrent: (ModelState) -> Bool) {
        if models.contains(where: { isCurrent($0._$state) }) {
            models.removeAll { !isCurrent($0._$state) }
        } else {
            models = []
        }
    }
}
