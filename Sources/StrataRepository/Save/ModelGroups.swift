import StrataModels

/// Objects by class, in the order in which they came: what holds for a class is looked up once, not once an object.
struct ModelGroups {
    struct Group {
        let entity: EntityMapping
        /// How many objects the groups before have.
        fileprivate(set) var first = 0
        fileprivate(set) var models: [any PersistentModel] = []

        /// The objects in the order of their keys: neighbours in an index are then written together.
        var sortedByKey: [any PersistentModel] {
            var previous = Int64.min
            for model in models {
                let key = model._$state.key
                if key < previous { return models.sorted { $0._$state.key < $1._$state.key } }
                previous = key
            }
            return models
        }
    }

    private(set) var groups: [Group] = []

    /// - Throws: `unknownSchema` for an object whose class is not in the schema.
    init(_ models: [any PersistentModel], mapping: StoreMapping) throws {
        var latest: ModelDescriptor?
        var current = 0
        for model in models {
            let descriptor = type(of: model)._$descriptor
            if descriptor !== latest {
                latest = descriptor
                if let known = groups.firstIndex(where: { $0.entity.descriptor === descriptor }) {
                    current = known
                } else {
                    guard let entity = mapping.entity(for: descriptor) else { throw SaveError.unknownClass(model) }
                    current = groups.count
                    groups.append(Group(entity: entity))
                }
            }
            groups[current].models.append(model)
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
