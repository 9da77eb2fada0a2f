public import Foundation
public import StrataModels
import StrataRepository

/// Changes of many objects that are not read.
extension ModelContext {
    /// Changes properties of all objects of a class that match, with the next save, in one statement, without loading them.
    ///
    /// ```swift
    /// let update = try context.update(
    ///     model: Trip.self, where: #Predicate { $0.destination == "Kyoto" }, .add(10, to: \.price), .set(\.note, to: nil))
    /// try await context.save()
    /// print(update.count!)
    /// ```
    ///
    /// It means what fetching the objects, unsaved ones included, and setting their properties means:
    /// - Objects without unsaved changes are changed by the server, as their rows are by then, so nobody's change is lost and
    ///   no ``conflictPolicy`` is asked. Those in memory read the properties again when they are next touched after the save.
    /// - New objects, and those with unsaved changes, are changed in memory at once, and saved as any other.
    /// - What is edited after this call, and before the save, wins over the update.
    /// - A property marked `.modificationDate` is set to the time of the save, unless it is named.
    ///
    /// Fetches before the save find the objects by their new values. The update belongs to the save's transaction: `rollback()` takes
    /// it back, an error of the save keeps it, and the history has its changes with this context's author. An undo takes
    /// it back from no object; one of an earlier edit is an edit that follows the update, and wins over it. No round trip of its own.
    /// - Parameters:
    ///   - type: the class. Its subclasses' objects are changed too.
    ///   - predicate: which objects; `nil` for all of the class.
    ///   - includeSubclasses: whether objects of subclasses that match are changed too.
    ///   - includeDeleted: whether softly deleted objects that match are changed too (``FetchDescriptor/includeDeleted``).
    ///   - reportsIdentifiers: whether ``UpdateByPredicate/identifiers`` is wanted.
    ///   - first: what is changed.
    ///   - more: further changes, each of another property.
    /// - Returns: what became of it, when the changes are saved.
    /// - Throws: ``SwiftDataError``, at once and with nothing changed: `unsupportedPredicate` and `unsupportedKeyPath` for what cannot be
    ///   translated or has no column; `invalidValue`; `unsupportedFeature` where unsaved changes of other objects decide which
    ///   objects match, for a property that is named twice, for an object that is not saved as the target of a relationship, and for
    ///   relationships whose other end is ordered or limited. The save throws `uniqueConstraint`, `invalidValue` and `modelNotFound` for what
    ///   the database refuses.
    @discardableResult
    public func update<T: PersistentModel>(
        model type: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true,
        includeDeleted: Bool = false, reportsIdentifiers: Bool = false, _ first: PropertyUpdate<T>,
        _ more: PropertyUpdate<T>...
    ) throws -> UpdateByPredicate {
        try unit.requireTurn()
        let (session, entity) = try unit.place(of: type)
        try entity.requireTable(to: "be updated")
        let updates = [first] + more
        for update in updates { try unit.requireStored(update.source, in: session) }
        let own = unit.unsavedModels(of: entity, includeSubclasses: includeSubclasses)
        let plan = try PredicateUpdate(
            updates, of: entity, where: predicate, includeSubclasses: includeSubclasses,
            includeDeleted: includeDeleted, excluded: Set(own.map { $0._$state.key }), mapping: session.store.mapping,
            store: session.store.identifier)
        try unit.requireIndependence(of: plan, on: own, in: session)
        let matching = try own.compactMap { $0._$state.phase == .deleted ? nil : $0 as? T }.filter {
            guard includeDeleted || !$0.isDeleted else { return false }
            return try predicate?.evaluate($0) ?? true
        }
        let changes = try matching.flatMap { model in
            try updates.map { try $0.prepare(model, blockingModel) }
        }
        // Rows that others hold are not taken back by an undo, so neither is this.
        unit.undoManager?.disableUndoRegistration()
        for change in changes { change() }
        unit.undoManager?.enableUndoRegistration()
        let update = BulkUpdate(
            plan, session: session, reportsIdentifiers: reportsIdentifiers, changedInMemory: matching)
        unit.unsaved.bulkChanges.append(.update(update))
        unit.noteEdit()
        return update.result
    }
}

extension UnitOfWork {
    /// The objects of a class with unsaved changes, deleted ones included.
    fileprivate func unsavedModels(of entity: EntityMapping, includeSubclasses: Bool) -> [any PersistentModel] {
        (unsaved.insertedModels + unsaved.changedModels + unsaved.deletedModels).filter { model in
            let descriptor = type(of: model)._$descriptor
            return includeSubclasses
                ? descriptor.inherits(from: entity.descriptor) : descriptor === entity.descriptor
        }
    }

    /// Throws for an object that has no row yet, or is of another context.
    fileprivate func requireStored(_ source: UpdateSource, in session: StoreSession) throws {
        guard case .value(let value) = source, let model = value as? any PersistentModel else { return }
        let state = model._$state
        guard state.context === self, state.phase == .registered, sessions[Int(state.storeIndex)] === session else {
            let name = type(of: model)._$descriptor.entityName
            throw SwiftDataError(
                .unsupportedFeature,
                "An update by predicate was to set a relationship to a \(name) that is not saved, is deleted, or belongs to another "
                    + "context. Save it first, or name it by its persistentModelID.",
                identifiers: [model.persistentModelID])
        }
    }

    /// Throws where unsaved changes of other objects decide what an update does: the server would not know them.
    fileprivate func requireIndependence(
        of plan: PredicateUpdate, on own: [any PersistentModel], in session: StoreSession
    ) throws {
        if let classChange = unsaved.classChange, sessions[Int(classChange.model._$state.storeIndex)] === session {
            throw refusal(of: plan, classChange.model._$state.identity?.entityName ?? "an object's class")
        }
        if let obstacle = plan.obstacle(
            inserted: unsaved.insertedModels, changed: unsaved.changedModels, deleted: unsaved.deletedModels)
        {
            throw refusal(of: plan, obstacle)
        }
        let deleted = unsaved.changedModels.filter { SoftDeletion(of: $0) == .deletes }
        let roots = deleted.compactMap { session.store.mapping.entity(for: type(of: $0))?.root }
        if !roots.isEmpty,
            SoftDeletePlan(deleting: roots, mapping: session.store.mapping).mayTakeAlong(plan.entity.root)
        {
            throw refusal(of: plan, "the deletion of \(roots[0].name)")
        }
        try requireCurrentValues(for: plan, of: own, in: session)
    }

    /// Throws where an object has unsaved changes, is to be looked at in memory, and there is not seen yet what an earlier change
    /// by predicate does: to it, or to others that decide.
    private func requireCurrentValues(
        for plan: PredicateUpdate, of own: [any PersistentModel], in session: StoreSession
    ) throws {
        let looked = own.filter { $0._$state.phase != .deleted }
        guard let first = looked.first else { return }
        guard !plan.asksForWords else {
            throw SwiftDataError(
                .unsupportedFeature,
                "An update of \(plan.entity.name) by predicate looks for words, which only PostgreSQL knows, and an object with unsaved "
                    + "changes is looked at in memory. Call save() first (within a transaction that commits nothing).",
                identifiers: [first.persistentModelID])
        }
        for change in unsaved.bulkChanges where change.session === session {
            switch change {
            case .deletion(let deletion):
                if deletion.plan.softly != nil, deletion.entity.root === plan.entity.root {
                    throw refusal(
                        of: plan, "objects of \(deletion.entity.name), of which an earlier deletion gives some a date,",
                        first)
                }
                guard plan.looksAtOthers(of: deletion.entity) else { continue }
                throw refusal(
                    of: plan, "objects of \(deletion.entity.name), of which an earlier deletion takes some,", first)
            case .update(let earlier):
                guard let property = plan.reads(setBy: earlier.plan),
                    let model = plan.looksAtOthers(of: earlier.plan.entity) ? first : stale(after: earlier.plan, looked)
                else { continue }
                throw refusal(of: plan, "\(property), which an earlier one sets", model)
            }
        }
    }

    /// An object that an earlier update may have changed, and that was edited since.
    private func stale(after earlier: PredicateUpdate, _ looked: [any PersistentModel]) -> (any PersistentModel)? {
        looked.first { model in
            model._$state.phase == .registered && type(of: model)._$descriptor.inherits(from: earlier.entity.descriptor)
                && !earlier.excludes(model._$state.key)
        }
    }

    private func refusal(of plan: PredicateUpdate, _ cause: String, _ model: any PersistentModel) -> SwiftDataError {
        SwiftDataError(
            .unsupportedFeature,
            "An update of \(plan.entity.name) by predicate looks at \(cause) that is not saved, and an object with unsaved changes does "
                + "not show it. Call save() first (within a transaction that commits nothing).",
            identifiers: [model.persistentModelID])
    }

    private func refusal(of plan: PredicateUpdate, _ obstacle: String) -> SwiftDataError {
        SwiftDataError(
            .unsupportedFeature,
            "An update of \(plan.entity.name) by predicate looks at other objects, and this context has unsaved changes of them "
                + "(\(obstacle)), which the server does not know yet. Call save() first (within a transaction that commits nothing)."
        )
    }
}
