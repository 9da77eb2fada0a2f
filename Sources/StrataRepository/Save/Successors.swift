import StrataClient
import StrataModels

/// New objects that take the place of deleted ones: what referred to a deleted row refers to theirs after the save.
///
/// Where deletions come before other new rows, because their unique values are needed, these rows come before the deletions, and
/// with them the new rows that they refer to. Where rows of their hierarchy go or change, their own unique values
/// may be free only after that: until then each of their unique sets is parked (``ParkingPlace``), and an update at the end of
/// the save writes the values.
struct Successors {
    /// Their rows, which go in before the deletions.
    let first: NewRows
    /// The other new rows.
    let rest: NewRows

    /// For saves in which no object moves from a deleted one to a new one, or deletions come last.
    init(noneOf context: SaveContext) throws {
        first = try NewRows(ModelGroups(), nil, context)
        rest = try NewRows(context.inserted, context.classChange, context)
    }

    /// `nil` where one of them has a unique set that cannot be parked: its row may have to wait for the deletions.
    ///
    /// - Parameters:
    ///   - keys: of the new objects that are referred to.
    ///   - deleted: the hierarchies of which rows go.
    ///   - occupied: the numbers of changed rows that are parked at the same time are below it.
    init?(_ keys: Set<RowKey>, _ context: SaveContext, before deleted: Set<Int>, after occupied: Int) throws {
        let all = Self.withTargets(keys, context)
        func models(_ isFirst: Bool) -> [any PersistentModel] {
            context.inserted.groups.flatMap { $0.models.filter { all.contains($0._$state.key) == isFirst } }
        }
        let isChangeFirst = context.classChange.map { all.contains($0.model._$state.key) } ?? false
        var first = try NewRows(
            ModelGroups(models(true), mapping: context.mapping), isChangeFirst ? context.classChange : nil, context)
        guard first.park(in: deleted.union(context.changed.roots), from: occupied) else { return nil }
        self.first = first
        rest = try NewRows(
            ModelGroups(models(false), mapping: context.mapping), isChangeFirst ? nil : context.classChange, context)
    }

    /// The keys, and those of the new objects that their new rows refer to.
    private static func withTargets(_ keys: Set<RowKey>, _ context: SaveContext) -> Set<RowKey> {
        var targets: [RowKey: [RowKey]] = [:]
        func note(_ models: [any PersistentModel], _ entity: EntityMapping, in owners: [EntityMapping]) {
            let references = owners.flatMap(\.ownForeignKeys).compactMap { relationship in
                entity.descriptor.relationship(at: relationship.property.slot).map { ($0, relationship.destination) }
            }
            for model in models {
                targets[model._$state.key] = references.compactMap { property, destination in
                    guard let key = property.reference(of: model).key.map({ context.rewriting($0, of: destination) })
                    else { return nil }
                    return context.isNew(key, of: destination) ? key : nil
                }
            }
        }
        for group in context.inserted.groups { note(group.models, group.entity, in: group.entity.chain) }
        if let change = context.classChange { note([change.model], change.new, in: change.entered) }
        var all: Set<RowKey> = []
        var next = Array(keys)
        while let key = next.popLast() {
            guard context.insertedKeys.contains(key), all.insert(key).inserted else { continue }
            next += targets[key] ?? []
        }
        return all
    }
}
