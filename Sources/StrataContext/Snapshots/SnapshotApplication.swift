import StrataModels
import StrataRepository

/// Applies a snapshot or a patch to objects: keeps what it may write, finds the objects that it names, loads the relationships that
/// it sets, then writes, in memory.
///
/// Everything that can fail does so before the first write.
final class SnapshotApplication {
    private let unit: UnitOfWork
    private let content: SnapshotContent
    private let others: OtherKeys
    /// The object to change, or a new one.
    private let target: any PersistentModel
    private let isNew: Bool
    private var known: [PersistentIdentifier: any PersistentModel] = [:]
    /// What fetches the objects that are not in memory.
    private var fetches: [KeyedFetchExecution] = []

    /// - Parameter target: the object to change; `nil` for a new one.
    init<T: PersistentModel>(
        _ patch: ModelPatch<T>, to target: T?, _ allowed: WritableProperties<T>, _ others: OtherKeys, unit: UnitOfWork
    ) throws {
        self.unit = unit
        self.others = others
        let content = try Self.permitted(patch.content, target, allowed.rules, others, T._$descriptor)
        self.content = content
        isNew = target == nil
        self.target = target ?? content.descriptor.objectWithDefaults()
        if let target { try requireClass(target, content) }
        // What refers to the snapshot's own object within means this one.
        if let own = content.identifier { known[own] = self.target }
    }

    private static func permitted(
        _ content: SnapshotContent, _ target: (any PersistentModel)?, _ rules: WriteRules, _ others: OtherKeys,
        _ declared: ModelDescriptor
    ) throws -> SnapshotContent {
        guard rules.unsupported.isEmpty else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(rules.unsupported.joined(separator: ", ")): no stored property, so no patch of a \(declared.entityName) can be "
                    + "allowed to write it.")
        }
        var review = PatchReview()
        let content = review.permitted(content, rules, target: target?.persistentModelID, declared: declared)
        if others == .refused, !review.refused.isEmpty { throw SwiftDataError.refused(review.refused) }
        return content
    }

    /// What fetches the objects that are named, a call an entity.
    func fetchCalls() throws -> [StoreCall<KeyedFetchExecution>] {
        var identifiers = content.identifiers
        // The snapshot's own object is there.
        if let own = content.identifier { identifiers.remove(own) }
        for (_, group) in Dictionary(grouping: identifiers, by: { [$0.storeIdentifier ?? "", $0.entityName] }) {
            guard let first = group.first else { continue }
            let (session, entity) = try unit.place(of: first)
            for identifier in group { known[identifier] = unit.registered(identifier) }
            let keys = group.filter { known[$0] == nil }.map(\.key).sorted()
            if !keys.isEmpty { fetches.append(KeyedFetchExecution(entity, keys: keys, session: session)) }
        }
        return fetches.map { StoreCall($0, in: $0.session, for: "fetch what a snapshot names").once }
    }

    /// What loads the relationships before they are set, a call a store; after the objects were fetched.
    func loadCalls() throws -> [StoreCall<SnapshotLoadExecution>] {
        for model in fetches.flatMap(\.result) { known[model.persistentModelID] = model }
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
        return levels.map { index, level in
            let session = unit.sessions[index]
            return StoreCall(
                SnapshotLoadExecution(level, session: session), in: session, for: "load what a snapshot sets"
            ).once
        }
    }

    /// Writes the values. No I/O.
    func apply() throws -> any PersistentModel {
        var strangers: [RefusedKey] = []
        let content = membersOnly(content, of: target, at: "", &strangers)
        if others == .refused, !strangers.isEmpty { throw SwiftDataError.refused(strangers) }
        return try write(content, to: target)
    }

    /// The content without objects that are not at a relationship whose membership stays.
    private func membersOnly(
        _ content: SnapshotContent, of owner: (any PersistentModel)?, at path: String, _ strangers: inout [RefusedKey]
    ) -> SnapshotContent {
        var content = content
        for (slot, relationship) in content.relationships.sorted(by: { $0.key < $1.key }) {
            guard case .objects(let objects) = relationship,
                let property = content.descriptor.properties[slot] as? RelationshipProperty
            else { continue }
            let members = content.keptMemberships.contains(slot) ? members(at: property, of: owner) : nil
            var kept: [SnapshotContent] = []
            for (index, object) in objects.enumerated() {
                let model = object.identifier.flatMap { known[$0] }
                let place = PatchReview.place(of: index, at: property, path)
                if let members, !members.contains(where: { $0 === model }) {
                    strangers.append(
                        RefusedKey(property.name, of: property.declaringEntity, at: place, .otherObject))
                    continue
                }
                kept.append(membersOnly(object, of: model, at: place, &strangers))
            }
            content.relationships[slot] = .objects(kept)
        }
        return content
    }

    /// The objects at a relationship; it was loaded before.
    private func members(at property: RelationshipProperty, of owner: (any PersistentModel)?) -> [any PersistentModel] {
        guard let owner else { return [] }
        return (property.isToOne ? property.target(of: owner) : property.objects(of: owner)) ?? []
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
                if !content.keptMemberships.contains(slot) { property.assign(targets, to: model) }
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
        guard !type(of: model)._$descriptor.inherits(from: content.descriptor) else { return }
        throw SwiftDataError(
            .invalidValue,
            "A snapshot of a \(content.descriptor.entityName) cannot be applied to a \(type(of: model)): an object keeps its "
                + "class.", identifiers: [model.persistentModelID])
    }
}
