public import StrataModels
import StrataRepository

extension ModelContext {
    /// Brings the objects of this context up to date with what was committed behind a token; returns the token to keep for
    /// the next time.
    ///
    /// ```swift
    /// token = try await context.mergeHistory(after: token)
    /// ```
    /// Objects without unsaved changes take the values of the store, or leave the context when they are gone from it
    /// (`modelContext` is `nil` then); relationships that may have changed are loaded anew when they are read. Objects with
    /// unsaved changes stay as they are: saving them tells what collides. Round trips: one for each page of history, and
    /// one for each hierarchy of classes that has objects to read again.
    ///
    /// - Throws: ``SwiftDataError``: `historyTokenExpired` when what lies behind the token was deleted or the store was
    ///   restored. Use a new context then, and `container.currentHistoryToken()`.
    public func mergeHistory(after token: DefaultHistoryToken) async throws -> DefaultHistoryToken {
        // A replica may not have what the history tells of.
        for session in unit.sessions { session.readPlace = .primary }
        var token = token
        var merge = HistoryMerge(unit)
        while true {
            let page = try await unseenHistory(after: token, limit: 256)
            for transaction in page.transactions { merge.note(transaction) }
            token = page.token
            if page.isLast { break }
        }
        for (session, entity, models) in merge.stale() {
            let fetch = try await perform(
                StoreCall(
                    KeyedFetchExecution(entity, keys: models.map(\._$state.key), session: session), in: session,
                    for: "merge the history of \(entity.name)"))
            merge.finish(models, found: fetch.operation.result, in: session)
        }
        merge.forgetRelationships()
        return token
    }
}

/// What transactions of others mean for the objects of one context.
private struct HistoryMerge {
    private let unit: UnitOfWork
    private var touched: [ObjectIdentifier: any PersistentModel] = [:]
    /// Hierarchies of which objects came, went or changed, by their roots: relationships to them may be others now.
    private var changedRoots: Set<ObjectIdentifier> = []
    private var resets: Set<String> = []

    init(_ unit: UnitOfWork) {
        self.unit = unit
    }

    mutating func note(_ transaction: DefaultHistoryTransaction) {
        guard let session = unit.sessions.first(where: { $0.store.identifier == transaction.storeIdentifier }) else {
            return
        }
        let entities = session.store.mapping.entities
        for name in transaction.resetEntities {
            guard let entity = entities.first(where: { $0.name == name }) else { continue }
            changedRoots.insert(ObjectIdentifier(entity.root.descriptor))
            for model in session.registeredModels(of: entity) { touch(model) }
        }
        for change in transaction.changes {
            let identifier = change.changedPersistentIdentifier
            guard let entity = entities.first(where: { $0.name == identifier.entityName }) else { continue }
            changedRoots.insert(ObjectIdentifier(entity.root.descriptor))
            if let model = session.state(key: identifier.key, root: entity.root)?.model { touch(model) }
        }
    }

    private mutating func touch(_ model: any PersistentModel) {
        touched[ObjectIdentifier(model)] = model
    }

    /// The objects to read again, by hierarchy.
    func stale() -> [(session: StoreSession, entity: EntityMapping, models: [any PersistentModel])] {
        let clean = touched.values.filter { $0._$state.phase == .registered && $0._$state.changedSlots.isEmpty }
        return Dictionary(grouping: clean) { ObjectIdentifier(type(of: $0)._$descriptor.root) }.values
            .compactMap { models in
                guard let model = models.first,
                    let (session, entity) = unit.session(for: type(of: model)._$descriptor.root)
                else { return nil }
                return (session, entity, models)
            }
    }

    /// Objects whose rows were not found leave the context, unless they were changed meanwhile.
    func finish(_ models: [any PersistentModel], found: [any PersistentModel], in session: StoreSession) {
        let found = Set(found.map { ObjectIdentifier($0) })
        let gone = models.filter {
            !found.contains(ObjectIdentifier($0)) && $0._$state.phase == .registered && $0._$state.changedSlots.isEmpty
        }
        unit.end(gone, in: session)
    }

    /// Relationships without a column, in objects without unsaved changes, that lead to what changed.
    func forgetRelationships() {
        guard !changedRoots.isEmpty else { return }
        for session in unit.sessions {
            var models: [any PersistentModel] = []
            session.forEachState { state in
                guard state.phase == .registered, state.changedSlots.isEmpty, let model = state.model else { return }
                models.append(model)
            }
            for model in models {
                let descriptor = type(of: model)._$descriptor
                guard let entity = session.store.mapping.entity(for: descriptor) else { continue }
                let slots = descriptor.relationships.filter {
                    entity.columns[$0.slot] == nil && changedRoots.contains(ObjectIdentifier($0.destination.root))
                }.map(\.slot)
                if !slots.isEmpty { unit.forgetValues(of: model, in: SlotSet(slots)) }
            }
        }
    }
}
