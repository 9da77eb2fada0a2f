import StrataModels
import StrataRepository

/// The relationships to load with a fetch, as a tree: paths that begin alike share their beginning.
struct PrefetchTree {
    struct Branch {
        let mapping: RelationshipMapping
        var tree: PrefetchTree

        /// The objects that have the relationship: one of a subclass is loaded for objects of that subclass.
        func owners(among models: [any PersistentModel]) -> [any PersistentModel] {
            // Objects of one class come in runs.
            var latest: (descriptor: ModelDescriptor, applies: Bool)?
            func applies(_ model: any PersistentModel) -> Bool {
                let descriptor = type(of: model)._$descriptor
                if let latest, latest.descriptor === descriptor { return latest.applies }
                let applies = descriptor.inherits(from: mapping.owner.descriptor)
                latest = (descriptor, applies)
                return applies
            }
            return models.allSatisfy(applies) ? models : models.filter(applies)
        }
    }

    var branches: [Branch] = []

    private init() {}

    init<T: PersistentModel>(_ keyPaths: [any PartialKeyPath<T> & Sendable], mapping: StoreMapping) throws {
        for keyPath in keyPaths {
            let path = try RelationshipPath.of(keyPath, from: T._$descriptor)
            try add(path[...], mapping: mapping)
        }
    }

    /// The relationships on the way to these properties, none for properties of the objects themselves.
    init<T: PersistentModel>(throughRelationships keyPaths: [PartialKeyPath<T>], mapping: StoreMapping) throws {
        for keyPath in keyPaths {
            var owner = T._$descriptor
            var path: [RelationshipStep] = []
            for case let step as RelationshipProperty in SortPath().steps(of: keyPath, from: owner) ?? [] {
                path.append(RelationshipStep(owner: owner, slot: step.slot, name: step.qualifiedName))
                owner = step.destination
            }
            try add(path[...], mapping: mapping)
        }
    }

    private mutating func add(_ path: ArraySlice<RelationshipStep>, mapping: StoreMapping) throws {
        guard let step = path.first else { return }
        guard let entity = mapping.entity(for: step.owner), let relationship = entity.relationships[step.slot] else {
            throw SwiftDataError(
                .unsupportedKeyPath, "The relationship \(step.name) is not part of this container's schema.")
        }
        let index = branches.firstIndex { $0.mapping === relationship } ?? branches.endIndex
        if index == branches.endIndex { branches.append(Branch(mapping: relationship, tree: PrefetchTree())) }
        try branches[index].tree.add(path.dropFirst(), mapping: mapping)
    }
}
