import StrataClient
import StrataModels

/// New objects that take the place of deleted ones: what referred to a deleted row refers to theirs after the save.
///
/// Where deletions come before other new rows, because their unique values are needed, these rows come before the deletions, and
/// with them the new rows that they refer to. Where rows of their hierarchy go or change, their own unique values
/// may be free only after that: until then each of their unique sets is parked (``ParkingPlace``), and an update at the end of
/// the save writes the values.
struct Successors {
    /// Their rows go in before the deletions.
    let first: ModelGroups
    /// The other new objects.
    let rest: ModelGroups
    /// Whether the rows that an object enters which changes its class go in before the deletions.
    let entersFirst: Bool
    /// What columns hold meanwhile, by class and slot.
    private var places: [Int: [ParkingPlace]] = [:]
    private var numbers: [Int64: Int] = [:]

    /// For saves in which no object moves from a deleted one to a new one, or deletions come last.
    init(noneOf inserted: ModelGroups) {
        first = ModelGroups()
        rest = inserted
        entersFirst = false
    }

    /// - Parameter keys: of the new objects that are referred to.
    init(_ keys: Set<Int64>, _ context: SaveContext) throws {
        let all = Self.withTargets(keys, context)
        func models(_ isFirst: Bool) -> [any PersistentModel] {
            context.inserted.groups.flatMap { $0.models.filter { all.contains($0._$state.key) == isFirst } }
        }
        first = try ModelGroups(models(true), mapping: context.mapping)
        rest = try ModelGroups(models(false), mapping: context.mapping)
        entersFirst = context.classChange.map { all.contains($0.model._$state.key) } ?? false
        // After those of changed rows that are parked at the same time.
        let room = context.changed.count + first.count
        let leaving = context.deleted.roots.union(context.changed.roots)
        for group in first.groups where leaving.contains(group.entity.root.index) {
            let descriptor = group.entity.descriptor
            places[group.entity.index] = group.entity.uniqueSets.compactMap { set in
                ParkingPlace(in: set, of: descriptor, among: set.slots, room: room)
            }
            for key in group.keys { numbers[key] = context.changed.count + numbers.count }
        }
    }

    /// The keys, and those of the new objects that their rows refer to.
    private static func withTargets(_ keys: Set<Int64>, _ context: SaveContext) -> Set<Int64> {
        var targets: [Int64: [Int64]] = [:]
        for group in context.inserted.groups {
            let references = group.entity.relationships.compactMap { relationship -> RelationshipProperty? in
                guard let relationship, case .foreignKey = relationship.storage else { return nil }
                return group.entity.descriptor.relationship(at: relationship.property.slot)
            }
            for model in group.models {
                targets[model._$state.key] = references.compactMap { property in
                    property.reference(of: model).key.map { context.rewriting($0) }
                }
            }
        }
        var all: Set<Int64> = []
        var next = Array(keys)
        while let key = next.popLast() {
            guard context.insertedKeys.contains(key), all.insert(key).inserted else { continue }
            next += targets[key] ?? []
        }
        return all
    }

    /// The columns of a class that are parked.
    func parked(_ entity: EntityMapping) -> SlotSet { SlotSet((places[entity.index] ?? []).map(\.slot)) }

    /// What a column of a row holds until the end of the save; `nil` for NULL.
    func parkedValue(_ slot: Int, of key: Int64, _ entity: EntityMapping) -> [UInt8]? {
        let place = places[entity.index]?.first { $0.slot == slot }
        return place?.value(key, numbers[key] ?? 0)
    }
}
