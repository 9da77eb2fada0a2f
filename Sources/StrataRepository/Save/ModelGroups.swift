import StrataClient
import StrataModels

/// Objects by class, in the order in which they came: what holds for a class is looked up once, not once an object.
struct ModelGroups {
    struct Group {
        let entity: EntityMapping
        /// How many objects the groups before have.
        fileprivate(set) var first = 0
        fileprivate(set) var models: [any PersistentModel] = []

        /// Their keys: looking at an object costs a look into memory that nobody else has just looked at.
        fileprivate(set) var keys: [RowKey] = []

        fileprivate mutating func append(_ model: any PersistentModel) {
            models.append(model)
            keys.append(model._$state.key)
        }
    }

    /// Calls `body` with the objects of these groups in the order of their keys, and with the place of the object's group:
    /// neighbours in an index are then written together.
    static func forEachByKey(
        _ groups: [Group], _ body: (_ model: any PersistentModel, _ group: Int) throws -> Void
    ) rethrows {
        var places: [(key: RowKey, group: Int32, index: Int32)] = []
        places.reserveCapacity(groups.reduce(0) { $0 + $1.models.count })
        for (group, members) in groups.enumerated() {
            for (index, key) in members.keys.enumerated() {
                places.append((key, Int32(truncatingIfNeeded: group), Int32(truncatingIfNeeded: index)))
            }
        }
        if let key = groups.first?.entity.key, !key.isSingle {
            // As the server orders the columns, and locks rows in other statements.
            let parts = places.map { $0.key.parts(key.kinds) ?? [] }
            places = places.indices.sorted { parts[$0].lexicographicallyPrecedes(parts[$1]) }.map { places[$0] }
        } else {
            places.sort { $0.key < $1.key }
        }
        for place in places { try body(groups[Int(place.group)].models[Int(place.index)], Int(place.group)) }
    }

    private(set) var groups: [Group] = []

    /// For no objects.
    init() {}

    /// - Throws: `unknownSchema` for an object whose class is not in the schema.
    init(_ models: [any PersistentModel], mapping: StoreMapping) throws {
        var latest: ObjectIdentifier?
        var current = 0
        for model in models {
            let type = type(of: model)
            if ObjectIdentifier(type) != latest {
                latest = ObjectIdentifier(type)
                let descriptor = type._$descriptor
                if let known = groups.firstIndex(where: { $0.entity.descriptor === descriptor }) {
                    current = known
                } else {
                    guard let entity = mapping.entity(for: descriptor) else { throw SaveError.unknownClass(model) }
                    current = groups.count
                    groups.append(Group(entity: entity))
                }
            }
            groups[current].append(model)
        }
        var count = 0
        for index in groups.indices {
            groups[index].first = count
            count += groups[index].models.count
        }
    }

    var isEmpty: Bool { groups.isEmpty }
    var count: Int { groups.last.map { $0.first + $0.models.count } ?? 0 }

    /// The roots of the hierarchies the objects belong to, by index.
    var roots: Set<Int> { Set(groups.map(\.entity.root.index)) }

    /// The object at a position, counted over all groups.
    subscript(position: Int) -> any PersistentModel {
        let group = groups.last { $0.first <= position } ?? groups[0]
        return group.models[position - group.first]
    }
}
