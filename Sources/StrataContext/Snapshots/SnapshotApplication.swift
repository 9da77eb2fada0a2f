import StrataModels
import StrataRepository

/// Applies a snapshot to objects: finds those that it names, loads the relationships that it sets, then writes, in memory.
///
/// Everything that can fail does so before the first write.
final class SnapshotApplication {
    private let unit: UnitOfWork
    private let content: SnapshotContent
    /// The object to change, or a new one.
    private let target: any PersistentModel
    private let isNew: Bool
    private var known: [PersistentIdentifier: any PersistentModel] = [:]

    init(_ content: SnapshotContent, to target: (any PersistentModel)?, unit: UnitOfWork) throws {
        self.unit = unit
        self.content = content
        isNew = target == nil
        self.target = target ?? content.descriptor.objectWithDefaults()
        if let target { try requireClass(target, content) }
        // What refers to the snapshot's own object within means this one.
        if let own = content.identifier { known[own] = self.target }
    }

    /// The objects to fetch, a fetch an entity.
    func fetches() throws -> [KeyedFetchExecution] {
        var identifiers = content.identifiers
        // The snapshot's own object is there.
        if let own = content.identifier { identifiers.remove(own) }
        var fetches: [KeyedFetchExecution] = []
        for (_, group) in Dictionary(grouping: identifiers, by: { [$0.storeIdentifier ?? "", $0.entityName] }) {
            guard let first = group.first else { continue }
            let (session, entity) = try unit.place(of: first)
            for identifier in group { known[identifier] = unit.registered(identifier) }
            let keys = group.filter { known[$0] == nil }.map(\.key).sorted()
            if !keys.isEmpty { fetches.append(KeyedFetchExecution(entity, keys: keys, session: session)) }
        }
        return fetches
    }

    func take(_ models: [any PersistentModel]) {
        for model in models { known[model.persistentModelID] = model }
    }

    /// The relationships to load before they are set, by store.
    func loads() throws -> [(session: StoreSession, load: SnapshotLoadExecution)] {
        try validate(content, isNew: isNew)
        var levels: [Int: [(tree: SnapshotTree, models: [any PersistentModel])]] = [:]
        func collect(_ content: SnapshotContent, _ model: (any PersistentModel)?) {
            if let model, !content.relationships.isEmpty, model._$state.context === unit {
                levels[Int(model._$state.storeIndex), default: []].append(
                    (SnapshotTree(relationshipsOf: content), [model]))
            }
            for case .objects(let objects) in content.relationships.values {
                for object in objects { collect(object, object.identifier.flatMap { known[$0] }) }
            }
        }
        collect(content, target)
        return levels.map { (unit.sessions[$0], SnapshotLoadExecution($1, session: unit.sessions[$0])) }
    }

    /// Writes the values. No I/O.
    func apply() throws -> any PersistentModel {
        try write(content, to: target)
    }

    private func write(_ content: SnapshotContent, to existing: (any PersistentModel)?) throws -> any PersistentModel {
        let model = existing ?? content.descriptor.objectWithDefaults()
        try content.assignAttributes(to: model)
        for (slot, relationship) in content.relationships.sorted(by: { $0.key < $1.key }) {
            guard let property = content.descriptor.properties[slot] as? RelationshipProperty else { continue }
            switch relationship {
            case .identifiers(let identifiers): property.assign(identifiers.compactMap { known[$0] }, to: model)
            case .objects(let objects):
                let targets = try objects.map { try write($0, to: $0.identifier.flatMap { known[$0] }) }
                property.assign(targets, to: model)
            }
        }
        return model
    }

    // MARK: What can fail

    private func validate(_ content: SnapshotContent, isNew: Bool) throws {
        try content.validate(isNew: isNew)
        for (slot, relationship) in content.relationships {
            guard let property = content.descriptor.properties[slot] as? RelationshipProperty else { continue }
            switch relationship {
            case .identifiers(let identifiers):
                for identifier in identifiers {
                    guard type(of: try found(identifier))._$descriptor.inherits(from: property.destination) else {
                        throw SwiftDataError(
                            .invalidValue,
                            "The snapshot's \(property.qualifiedName) refers to a \(identifier.entityName), which is no "
                                + "\(property.destination.entityName).", identifiers: [identifier])
                    }
                }
            case .objects(let objects):
                for object in objects {
                    if let identifier = object.identifier { try requireClass(try found(identifier), object) }
                    try validate(object, isNew: object.identifier == nil)
                }
            }
        }
    }

    private func found(_ identifier: PersistentIdentifier) throws -> any PersistentModel {
        if let model = known[identifier] { return model }
        throw SwiftDataError(
            .modelNotFound,
            "The snapshot refers to a \(identifier.entityName) that does not exist (any more). Leave out its identifier to make "
                + "a new one.", identifiers: [identifier])
    }

    private func requireClass(_ model: any PersistentModel, _ content: SnapshotContent) throws {
        guard !content.descriptor.describes(type(of: model)) else { return }
        throw SwiftDataError(
            .invalidValue,
            "A snapshot of a \(content.descriptor.entityName) cannot be applied to a \(type(of: model)): an object keeps its "
                + "class.", identifiers: [model.persistentModelID])
    }
}
