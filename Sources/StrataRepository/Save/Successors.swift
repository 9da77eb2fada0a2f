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
    ///   - awaited: the new objects that are referred to.
    ///   - deleted: the hierarchies of which rows go.
    ///   - occupied: the numbers of changed rows that are parked at the same time are below it.
    init?(_ awaited: Set<RowPlace>, _ context: SaveContext, before deleted: Set<Int>, after occupied: Int) throws {
        let all = Self.withTargets(awaited, context)
        func models(_ isFirst: Bool) -> [any PersistentModel] {
            context.inserted.groups.flatMap { group in
                group.models.filter { all.contains(RowPlace($0._$state.key, of: group.entity)) == isFirst }
            }
        }
        let isChangeFirst = context.classChange.map { all.contains($0.place) } ?? false
        var first = try NewRows(
            ModelGroups(models(true), mapping: context.mapping), isChangeFirst ? context.classChange : nil, context)
        guard first.park(in: deleted.union(context.changed.roots), from: occupied) else { return nil }
        self.first = first
        rest = try NewRows(
            ModelGroups(models(false), mapping: context.mapping), isChangeFirst ? nil : context.classChange, context)
    }

    /// The new objects, and those that their new rows refer to.
    private static func withTargets(_ awaited: Set<RowPlace>, _ context: SaveContext) -> Set<RowPlace> {
        var targets: [RowPlace: [RowPlace]] = [:]
        func note(_ models: [any PersistentModel], _ entity: EntityMapping, in owners: [EntityMapping]) {
            let references = owners.flatMap(\.ownForeignKeys).compactMap { relationship in
                entity.descriptor.relationship(at: relationship.property.slot).map { ($0, relationship.destination) }
            }
            for model in models {
                targets[RowPlace(model._$state.key, of: entity)] = references.compactMap { property, destination in
                    guard let key = property.reference(of: model).key.map({ context.rewriting($0, of: destination) })
                    else { return nil }
                    return context.isNew(key, of: destination) ? RowPlace(key, of: destination) : nil
                }
            }
        }
        for group in context.inserted.groups { note(group.models, group.entity, in: group.entity.chain) }
        if let change = context.classChange { note([change.model], change.new, in: change.enteredTables) }
        var all: Set<RowPlace> = []
        var next = Array(awaited)
        while let place = next.popLast() {
            guard context.insertedRows.contains(place), all.insert(place).inserted else { continue }
            next += targets[place] ?? []
        }
        return all
    }
}
