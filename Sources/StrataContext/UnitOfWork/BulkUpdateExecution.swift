import StrataClient
import StrataModels
import StrataRepository

/// One update by predicate in one save.
final class BulkUpdateExecution {
    private let update: BulkUpdate
    private var plan: PredicateUpdate { update.plan }
    private var session: StoreSession { update.session }
    /// The objects that were edited since, and what of that the update sets: the save writes what was edited.
    private let edited: [(model: any PersistentModel, slots: SlotSet)]
    /// The objects that were in memory when the save began; `nil` where all keys are asked for.
    private let asked: Set<RowKey>?
    private let answer: PredicateUpdate.Answer
    private var outcome: PredicateUpdate.Outcome?

    /// Up to this many objects in memory the server is asked about them only.
    private static let fewObjects = 100

    /// - Parameter unsaved: the objects with unsaved changes.
    init(_ update: BulkUpdate, unsaved: [any PersistentModel]) {
        self.update = update
        let entity = update.plan.entity
        edited = unsaved.compactMap { model in
            guard type(of: model)._$descriptor.inherits(from: entity.descriptor) else { return nil }
            let slots = model._$state.changedSlots.intersection(update.plan.slots)
            return slots.isEmpty ? nil : (model, slots)
        }
        if update.reportsIdentifiers {
            answer = .classes
            asked = nil
            return
        }
        let registered = update.session.registeredModels(of: entity).filter { $0._$state.phase != .inserted }
            .map { $0._$state.key }
        if registered.isEmpty {
            answer = .count
            asked = []
        } else if registered.count <= Self.fewObjects {
            answer = .keys(among: registered.sorted())
            asked = Set(registered)
        } else {
            answer = .keys(among: nil)
            asked = nil
        }
    }

    var statementName: String { plan.statementName }
    /// The relationships that are set.
    var relationships: [RelationshipMapping] { plan.relationships }

    func addStatement(to batch: inout PostgresBatch) throws {
        try plan.add(to: &batch, answer: answer) { self.outcome = $0 }
    }

    /// Notes which edits come after the update: it has taken the row as it was, so there is nothing to compare the edits with.
    func noteOverwritten(in request: SaveRequest) {
        guard let outcome, !edited.isEmpty else { return }
        let keys = Set(outcome.keys)
        for (model, slots) in edited where keys.contains(model._$state.key) {
            request.overwritten[ObjectIdentifier(model), default: SlotSet()].formUnion(slots)
        }
    }

    // MARK: Afterwards

    /// Brings the objects in memory in step with the rows, and tells the caller.
    func finish(in unit: UnitOfWork) -> UpdateByPredicate {
        guard let outcome else { return update.result }
        refresh(Set(outcome.keys), in: unit)
        // Who was restored is in lists again.
        let restores = plan.entity.descriptor.dates.deletion.map(plan.slots.contains) ?? false
        if !plan.relationships.isEmpty || restores, outcome.count > 0 { unit.forgetUnchangedEnds() }
        let inMemory = update.changedInMemory.filter { $0._$state.phase != .gone && $0._$state.phase != .detached }
        update.result.count = outcome.count + inMemory.count
        if update.reportsIdentifiers {
            update.result.identifiers = identifiers(outcome) + inMemory.map(\.persistentModelID)
        }
        return update.result
    }

    /// The properties that were set are read again when they are touched.
    private func refresh(_ keys: Set<RowKey>, in unit: UnitOfWork) {
        let written = Dictionary(
            edited.map { (ObjectIdentifier($0.model), $0.slots) }, uniquingKeysWith: { first, _ in first })
        for model in session.registeredModels(of: plan.entity) where model._$state.phase != .inserted {
            let state = model._$state
            // An object that came while the save was under way may have been read before it, or after.
            guard keys.contains(state.key) || asked?.contains(state.key) == false else { continue }
            var stale = plan.slots
            if let written = written[ObjectIdentifier(model)] { stale.subtract(written) }
            unit.forgetSetByServer(stale, of: model)
        }
    }

    private func identifiers(_ outcome: PredicateUpdate.Outcome) -> [PersistentIdentifier] {
        let identities = session.store.identities
        guard !outcome.classes.isEmpty else {
            return outcome.keys.map { PersistentIdentifier(identity: identities[plan.entity.index], key: $0) }
        }
        let classes = Dictionary(
            plan.entity.root.family.map { ($0.discriminator, identities[$0.index]) },
            uniquingKeysWith: { first, _ in first })
        return zip(outcome.keys, outcome.classes).map { key, name in
            PersistentIdentifier(identity: classes[name] ?? identities[plan.entity.index], key: key)
        }
    }

    // MARK: Refusals

    /// What the server refused, in the words of the model.
    func explain(_ error: PostgresError) -> SwiftDataError {
        let entity = plan.entity
        let properties = plan.slots.slots.map { entity.descriptor.properties[$0].qualifiedName }.joined(separator: ", ")
        let what = "An update of \(entity.name) by predicate, which sets \(properties), was refused"
        func refusal(_ code: SwiftDataError.Code, _ reason: String) -> SwiftDataError {
            SwiftDataError(code, "\(what): \(reason)", details: error.detail, underlying: error)
        }
        switch error.sqlState {
        case "23505":
            return refusal(
                .uniqueConstraint,
                "several objects would have the same unique value\(error.isRegardlessOfCase ? ", regardless of case" : ""). Set a value that differs, or "
                    + "name fewer objects.")
        case "23503", "23001":
            return refusal(
                .modelNotFound,
                "it refers to an object that is not in the database any more. Set the relationship to another one, or to nil."
            )
        case _ where error.saysInvalidValue || error.sqlState == "22012":
            if let rule = BrokenRule(error, mapping: session.store.mapping) { return rule.error(of: what) }
            if let missing = MissingPartition(error, mapping: session.store.mapping) { return missing.error(of: what) }
            return refusal(
                .invalidValue,
                "the value computed for an object does not fit the property. Narrow the predicate, or compute another value."
            )
        default: return SaveExecution.explain(error, mapping: session.store.mapping)
        }
    }
}
