import StrataClient
import StrataModels

/// Collects the ordered relationships that a save changes: for each owner the objects in the order they are to have, or
/// those that come to the end.
struct OrderCollector {
    /// What becomes of the list of one owner.
    struct List {
        let owner: RowKey
        /// Whether the owner has no row yet.
        var isNew: Bool
        /// Whether `wanted` is the whole list as it is in memory; otherwise it is what is appended.
        var isWhole: Bool
        var wanted: [RowKey]
        /// What leaves the list in this save.
        var removed = Set<RowKey>()
    }

    /// The lists of one relationship, in the order in which they were met.
    final class Lists {
        let relationship: RelationshipMapping
        let order: ListOrder
        private(set) var lists: [List] = []
        private var places: [RowKey: Int] = [:]

        init(_ relationship: RelationshipMapping, _ order: ListOrder) {
            (self.relationship, self.order) = (relationship, order)
        }

        func add(_ list: List) {
            guard let place = places[list.owner] else {
                places[list.owner] = lists.count
                lists.append(list)
                return
            }
            // Two objects that stand for one row.
            let known = Set(lists[place].wanted)
            lists[place].wanted += list.wanted.filter { !known.contains($0) }
        }

        func append(_ target: RowKey, to owner: RowKey) {
            add(List(owner: owner, isNew: false, isWhole: false, wanted: [target]))
        }
    }

    let lists: [Lists]

    init(_ context: SaveContext) {
        lists = context.mapping.orderedRelationships.compactMap { relationship in
            relationship.order.map { Self.lists(of: relationship, $0, context) }
        }.filter { !$0.lists.isEmpty }
    }

    private typealias Group = (group: ModelGroups.Group, isInserted: Bool)

    private static func lists(of relationship: RelationshipMapping, _ order: ListOrder, _ context: SaveContext) -> Lists
    {
        let lists = Lists(relationship, order)
        let groups: [Group] = context.inserted.groups.map { ($0, true) } + context.changed.groups.map { ($0, false) }
        let known = addArrays(of: relationship, groups, to: lists, context)
        if let inverse = relationship.inverse {
            addArrivals(by: inverse, of: relationship, groups, to: lists, known, context)
        }
        return lists
    }

    // MARK: Arrays in memory

    /// Owners whose arrays are in memory: these say all.
    ///
    /// - Returns: the keys of these owners.
    private static func addArrays(
        of relationship: RelationshipMapping, _ groups: [Group], to lists: Lists, _ context: SaveContext
    ) -> Set<RowKey> {
        let slot = relationship.property.slot
        var known = Set<RowKey>()
        for (group, isInserted) in groups where group.entity.descriptor.inherits(from: relationship.owner.descriptor) {
            guard let property = group.entity.descriptor.relationship(at: slot) else { continue }
            for model in group.models where isInserted || model._$state.changedSlots.contains(slot) {
                // The order of an ignored object is not that of the row it gives way to: what comes, comes to the end.
                guard !(isInserted && context.isIgnored(model)), let objects = property.objects(of: model) else {
                    continue
                }
                known.insert(model._$state.key)
                let list = isInserted ? inserted(model, objects, context) : changed(model, slot, objects, context)
                if let list, !list.wanted.isEmpty { lists.add(list) }
            }
        }
        return known
    }

    private static func inserted(
        _ owner: any PersistentModel, _ objects: [any PersistentModel], _ context: SaveContext
    ) -> List? {
        List(
            owner: context.key(of: owner), isNew: !context.isRewritten(owner), isWhole: true,
            wanted: keys(of: objects, context))
    }

    /// `nil` when nothing has moved or come.
    private static func changed(
        _ owner: any PersistentModel, _ slot: Int, _ objects: [any PersistentModel], _ context: SaveContext
    ) -> List? {
        let current = keys(of: objects, context)
        var list = List(owner: owner._$state.key, isNew: false, isWhole: true, wanted: current)
        guard let old = (owner._$state.original(at: slot) as? OriginalObjects)?.objects else { return list }
        let before = keys(of: old, context)
        let (known, now) = (Set(before), Set(current))
        list.removed = known.subtracting(now)
        let kept = before.filter { now.contains($0) }
        if current.starts(with: kept) {
            list.isWhole = false
            list.wanted = Array(current[kept.count...])
        }
        return list
    }

    /// Each once, without those that go.
    private static func keys(of objects: [any PersistentModel], _ context: SaveContext) -> [RowKey] {
        var seen = Set<RowKey>()
        return objects.compactMap { object in
            guard !context.isDeleted(object) else { return nil }
            let key = context.key(of: object)
            return seen.insert(key).inserted ? key : nil
        }
    }

    // MARK: Arrays that are not in memory

    /// Objects that came to an owner from their side.
    private static func addArrivals(
        by inverse: RelationshipProperty, of relationship: RelationshipMapping, _ groups: [Group], to lists: Lists,
        _ known: Set<RowKey>, _ context: SaveContext
    ) {
        let declaring = relationship.destination.descriptor.declaring(inverse)
        for (group, isInserted) in groups where group.entity.descriptor.inherits(from: declaring) {
            guard let property = group.entity.descriptor.relationship(at: inverse.slot) else {
                continue
            }
            for model in group.models where isInserted || model._$state.changedSlots.contains(inverse.slot) {
                let owners =
                    property.isToOne
                    ? newOwner(of: model, property, isInserted).map { [$0] } ?? []
                    : newOwners(of: model, property, isInserted, context)
                for owner in owners where !known.contains(owner) {
                    lists.append(context.key(of: model), to: context.rewriting(owner, of: relationship.owner))
                }
            }
        }
    }

    /// The owner that an object came to.
    private static func newOwner(
        of model: any PersistentModel, _ property: RelationshipProperty, _ isInserted: Bool
    ) -> RowKey? {
        guard let key = property.reference(of: model).key else { return nil }
        let old = (model._$state.original(at: property.slot) as? OriginalReference)?.reference.key
        return isInserted || key != old ? key : nil
    }

    private static func newOwners(
        of model: any PersistentModel, _ property: RelationshipProperty, _ isInserted: Bool, _ context: SaveContext
    ) -> [RowKey] {
        let current = property.objects(of: model) ?? []
        let original = isInserted ? nil : model._$state.original(at: property.slot) as? OriginalObjects
        let before = Set((original?.objects ?? []).map { ObjectIdentifier($0) })
        return current.filter { !before.contains(ObjectIdentifier($0)) && !context.isDeleted($0) }.map(\._$state.key)
    }
}
