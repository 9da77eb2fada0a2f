import StrataClient
import StrataModels
import StrataRepository

/// Decides whether a transaction may have changed the result of a fetch.
struct ResultDependencies {
    /// What a transaction means for the result.
    enum Effect: Comparable {
        /// It stays as it is.
        case none
        /// It may have other objects, another order or other values: a fetch tells.
        case mayDiffer
        /// Something of an object that it shows was changed that the fetch does not read.
        case differs
    }

    /// An object by its hierarchy and key: its class may have been another when it was shown.
    struct Shown: Hashable {
        let root: ObjectIdentifier
        let key: RowKey
    }

    private let query: QueryDependencies
    private let storeIdentifier: String
    private let hasOffset: Bool
    private let roots: [String: ObjectIdentifier]
    /// The classes whose objects decide or are shown.
    let classes: Set<ObjectIdentifier>
    /// How many properties of each class history can name.
    private let recorded: [String: Int]
    /// The properties of each class that the fetch reads, so that its answer tells whether they are others.
    private let read: [String: Set<String>]

    init<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, in store: Store) throws {
        let tree = try PrefetchTree(descriptor.prefetchedKeyPaths, mapping: store.mapping)
        query = try QueryDependencies(
            descriptor, prefetched: tree.relationships, mapping: store.mapping, store: store.identifier)
        let names = query.objects.union(query.related).union(query.properties.keys).union(query.wholes)
        if let refusal = store.mapping.refusal(toObserve: names) { throw refusal }
        storeIdentifier = store.identifier
        hasOffset = (descriptor.fetchOffset ?? 0) > 0
        let entities = store.mapping.entities
        classes = Set(entities.filter { names.contains($0.name) }.map { ObjectIdentifier($0.descriptor) })
        roots = Dictionary(
            entities.map { ($0.name, ObjectIdentifier($0.root.descriptor)) }, uniquingKeysWith: { first, _ in first })
        recorded = Dictionary(
            entities.map { ($0.name, $0.columns.count { $0 != nil }) }, uniquingKeysWith: { first, _ in first })
        let isPartial = !descriptor.fetchedKeyPaths.isEmpty
        read = Dictionary(
            entities.map { ($0.name, isPartial ? [] : Self.read(of: $0, tree.relationships)) },
            uniquingKeysWith: { first, _ in first })
    }

    private static func read(of entity: EntityMapping, _ prefetched: [RelationshipMapping]) -> Set<String> {
        let columns = entity.columns.compactMap { $0 }.filter { !$0.isExternal }.compactMap(\.slot)
        let relationships = prefetched.filter { entity.descriptor.inherits(from: $0.owner.descriptor) }
        return Set((columns + relationships.map(\.property.slot)).map { entity.descriptor.properties[$0].name })
    }

    /// What it means that these properties of an object were changed that the result shows.
    private func effectOnShown(_ entity: String, _ names: [String]) -> Effect {
        guard let read = read[entity] else { return .differs }
        return names.allSatisfy(read.contains) ? .mayDiffer : .differs
    }

    func effect(of transaction: DefaultHistoryTransaction, showing shown: Set<Shown>) -> Effect {
        guard transaction.storeIdentifier == storeIdentifier else { return .none }
        var effect = Effect.none
        for entity in transaction.resetEntities { effect = max(effect, effectOfReset(entity, shown)) }
        for change in transaction.changes {
            if effect == .differs { return effect }
            effect = max(effect, self.effect(of: change, shown))
        }
        return effect
    }

    private func effect(of change: HistoryChange, _ shown: Set<Shown>) -> Effect {
        let identifier = change.changedPersistentIdentifier
        let entity = identifier.entityName
        guard let root = roots[entity] else { return .none }
        let isShown = shown.contains(Shown(root: root, key: identifier.key))
        switch change {
        case .insert:
            // The key of a row that was deleted may be used again.
            if isShown { return .differs }
            return query.objects.contains(entity) || query.related.contains(entity) ? .mayDiffer : .none
        case .delete:
            if isShown { return .differs }
            if query.related.contains(entity) { return .mayDiffer }
            // What lies before the page moves it.
            return hasOffset && query.objects.contains(entity) ? .mayDiffer : .none
        case .update(let update):
            let names = update.updatedPropertyNames
            if isShown { return effectOnShown(entity, names) }
            if query.wholes.contains(entity) { return .mayDiffer }
            if let used = query.properties[entity], names.contains(where: used.contains) { return .mayDiffer }
            // A row deleted and inserted again, perhaps as another class.
            if query.objects.contains(entity) || query.related.contains(entity),
                names.count >= recorded[entity] ?? 0
            {
                return .mayDiffer
            }
            return .none
        }
    }

    private func effectOfReset(_ entity: String, _ shown: Set<Shown>) -> Effect {
        let counts =
            query.objects.contains(entity) || query.related.contains(entity) || query.properties[entity] != nil
            || query.wholes.contains(entity)
        return counts ? .differs : .none
    }
}

extension PrefetchTree {
    /// All relationships of the tree.
    fileprivate var relationships: [RelationshipMapping] {
        branches.flatMap { [$0.mapping] + $0.tree.relationships }
    }
}
