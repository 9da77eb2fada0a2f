import StrataClient
import StrataModels

/// Unique values that pass between rows which are changed in one save: two that exchange theirs, a circle, or a chain.
///
/// A unique constraint looks at each row as it is written (it is not deferrable: `ON CONFLICT` takes no others), so in no order can
/// one row take a value before the other has left it. The rows whose values are taken are parked first: one of the changed
/// columns of the set holds a value that nobody has, and the update that follows replaces it. Where the server alone knows which texts are equal,
/// a row is parked too whose values may be taken. A row that keeps its values, and that the set's
/// condition will not be true of any more, leaves the set by that: the changed columns of the condition are written first.
struct UniqueExchange {
    /// What columns hold meanwhile, by object and slot; `nil` for NULL.
    private(set) var parked: [ObjectIdentifier: [Int: [UInt8]?]] = [:]
    /// The numbers of parked rows are below it.
    private(set) var room = 0
    private var ruled: RuledColumns

    /// - Throws: for a value that cannot be encoded.
    init(_ context: SaveContext) throws {
        ruled = RuledColumns(in: context.mapping)
        guard context.changed.count > 1 else { return }
        var sets: [(set: UniqueSet, groups: [ModelGroups.Group])] = []
        for group in context.changed.groups {
            for set in group.entity.uniqueSets {
                let known = sets.firstIndex { $0.set.isSame(as: set) }
                if let known { sets[known].groups.append(group) } else { sets.append((set, [group])) }
            }
        }
        for (set, groups) in sets { try park(set, groups, context) }
    }

    private mutating func park(_ set: UniqueSet, _ groups: [ModelGroups.Group], _ context: SaveContext) throws {
        var taken: [UniqueTuple: Int] = [:]
        var leaving: [any PersistentModel] = []
        var count = 0
        for group in groups {
            let writer = UniqueValues(of: group.entity, set, context)
            for model in group.models where set.isChanged(in: model) {
                count += 1
                if set.mayBeAbout(model), let tuple = try UniqueTuple(model, set, writer) {
                    taken[tuple.roughly(in: set), default: 0] += 1
                }
            }
        }
        guard count > 1 else { return }
        for group in groups {
            let writer = UniqueValues(of: group.entity, set, context)
            for model in group.models where set.isChanged(in: model) {
                guard let tuple = try UniqueTuple(originalOf: model, set, writer) else { continue }
                let (had, has) = (tuple.roughly(in: set), try UniqueTuple(model, set, writer))
                guard let takers = taken[had] else { continue }
                if has != tuple {
                    // A text that changes its case alone is not taken by anybody.
                    let isOwn = set.mayBeAbout(model) && has?.roughly(in: set) == had
                    if takers > (isOwn ? 1 : 0) { leaving.append(model) }
                } else if !set.mayBeAbout(model) {
                    try release(model, set, writer)
                }
                // Else the value was assigned again and is the same: no other row can take it.
            }
        }
        for (number, model) in leaving.enumerated() { park(model, set, number) }
    }

    /// Lets an object that keeps its values and that the condition is not true of any more leave the set first. A column that a check looks at
    /// together with others is written with the rest of the row.
    private mutating func release(_ model: any PersistentModel, _ set: UniqueSet, _ writer: UniqueValues) throws {
        guard let condition = set.condition else { return }
        let ruled = ruled.columns(of: set.owner)
        let changed = zip(condition.slots, condition.columns).filter { model._$state.changedSlots.contains($0.0) }
        guard changed.allSatisfy({ ruled.takesValues($0.1) }) else { return }
        let buffers = ColumnBuffers([.int8] + set.decidingColumns.map(\.transportType), reservingCapacity: 1)
        try writer.append(model, to: buffers)
        for (index, slot) in set.decidingSlots.enumerated()
        where changed.contains(where: { $0.0 == slot }) && parked[ObjectIdentifier(model)]?.keys.contains(slot) != true
        {
            parked[ObjectIdentifier(model), default: [:]][slot] = .some(buffers[index + 1].firstElement)
        }
    }

    private mutating func park(_ model: any PersistentModel, _ set: UniqueSet, _ number: Int) {
        let changed = set.slots.filter(model._$state.changedSlots.contains)
        let descriptor = type(of: model)._$descriptor
        let ruled = ruled.columns(of: set.owner)
        guard let place = ParkingPlace(in: set, of: descriptor, among: changed, room: number, ruled: ruled)
        else { return }
        let isTaken = parked[ObjectIdentifier(model)]?.keys.contains(place.slot) == true
        if isTaken { return }
        parked[ObjectIdentifier(model), default: [:]][place.slot] = .some(place.value(model._$state.key, number))
        room = max(room, number + 1)
    }

    /// Parks a changed object too whose reference in the set leaves what is deleted, or may lead there: the values that it takes may be free
    /// only after the deletions, and what others have written can be compared only before.
    ///
    /// - Returns: the column that is parked; `nil` where none can be.
    mutating func parkBeforeDeletions(_ model: any PersistentModel, _ set: UniqueSet) -> Int? {
        guard set.isChanged(in: model) else { return nil }
        func place() -> Int? { set.slots.first { parked[ObjectIdentifier(model)]?.keys.contains($0) == true } }
        if place() == nil { park(model, set, room) }
        return place()
    }
}
