import StrataModels
import StrataRepository

/// The relationships to load with a fetch, as a tree: paths that begin alike share their beginning.
struct PrefetchTree {
    struct Branch {
        let mapping: RelationshipMapping
        var tree: PrefetchTree

        /// A subclass's relationship is loaded for objects of that subclass.
        func applies(to model: any PersistentModel) -> Bool {
            type(of: model)._$descriptor.inherits(from: mapping.owner.descriptor)
        }
    }

    var branches: [Branch] = []

    private init() {}

    init<T: PersistentModel>(_ keyPaths: [PartialKeyPath<T>], mapping: StoreMapping) throws {
        for keyPath in keyPaths {
            let path = try RelationshipPath.of(keyPath, from: T._$descriptor)
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
