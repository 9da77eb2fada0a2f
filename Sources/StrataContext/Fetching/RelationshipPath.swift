import StrataClient
import StrataModels

/// One relationship on a path.
struct RelationshipStep {
    let owner: ModelDescriptor
    let slot: Int
    let name: String
}

/// The relationships that a key path leads through, such as `\Trip.livingAccommodation?.rooms` or
/// `\Trip.bucketList.first?.photos`.
enum RelationshipPath {
    static func of<T: PersistentModel>(_ keyPath: PartialKeyPath<T>, from descriptor: ModelDescriptor) throws
        -> [RelationshipStep]
    {
        if let property = descriptor.property(for: keyPath) {
            guard property is RelationshipProperty else {
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "relationshipKeyPathsForPrefetching names \(property.qualifiedName), which is an attribute. Name it in "
                        + "propertiesToFetch.")
            }
            return [RelationshipStep(owner: descriptor, slot: property.slot, name: property.qualifiedName)]
        }
        guard leadsToModels(type(of: keyPath).valueType) else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "relationshipKeyPathsForPrefetching names \(keyPath), which does not lead to a relationship.")
        }
        return try PathProbe.steps(of: keyPath, from: descriptor)
    }

    private static func leadsToModels(_ type: Any.Type) -> Bool {
        if type is any PersistentModel.Type { return true }
        return (type as? any ModelContaining.Type)?.containsModels ?? false
    }
}

private protocol ModelContaining {
    static var containsModels: Bool { get }
}

extension Optional: ModelContaining {
    static var containsModels: Bool {
        Wrapped.self is any PersistentModel.Type || (Wrapped.self as? any ModelContaining.Type)?.containsModels ?? false
    }
}

extension Array: ModelContaining {
    static var containsModels: Bool { Element.self is any PersistentModel.Type }
}

/// Learns what a key path of several components leads through by following it: on an object without values whose
/// context answers every relationship with another such object and writes down what was asked for.
private final class PathProbe: ObjectContext {
    private var steps: [RelationshipStep] = []
    private var objects: [any PersistentModel] = []

    static func steps<T: PersistentModel>(of keyPath: PartialKeyPath<T>, from descriptor: ModelDescriptor) throws
        -> [RelationshipStep]
    {
        let probe = PathProbe()
        defer { probe.end() }
        guard let start = probe.make(descriptor) as? T else { return [] }
        _ = start[keyPath: keyPath]
        guard !probe.steps.isEmpty else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "relationshipKeyPathsForPrefetching names \(keyPath), which leads through no relationship.")
        }
        return probe.steps
    }

    private func make(_ descriptor: ModelDescriptor) -> any PersistentModel {
        let object = withUnloadedRow(descriptor) { descriptor.instance(from: &$0) }
        let identity = EntityIdentity(store: nil, entityName: descriptor.entityName)
        object._$state.register(object, key: 0, identity: identity, in: self, phase: .registered)
        objects.append(object)
        return object
    }

    private func end() {
        for object in objects {
            object._$state.unregister()
            for property in type(of: object)._$descriptor.relationships {
                if property.isToOne {
                    property.setReference(.none, of: object)
                } else {
                    property.setObjects([], of: object)
                }
            }
        }
    }

    func loadRelationship(_ property: RelationshipProperty, of model: any PersistentModel) {
        let owner = type(of: model)._$descriptor
        steps.append(RelationshipStep(owner: owner, slot: property.slot, name: property.qualifiedName))
        let target = make(property.destination)
        if property.isToOne {
            property.setReference(.object(target), of: model)
        } else {
            property.setObjects([target], of: model)
        }
    }

    func forget(_ state: ModelState) {}
    func modelDidChange(_ state: ModelState) {}
    func insertedModelDidChange(_ state: ModelState) {}
    func insertRelated(_ model: any PersistentModel) {}
    func registered(key: RowKey, root: ModelDescriptor) -> (any PersistentModel)? { nil }
    func loadAttribute(_ property: any ModelProperty, of model: any PersistentModel) {}
    func noteUnfulfilled(_ property: any ModelProperty, of model: any PersistentModel) {}
    func noteForeignObject(_ property: RelationshipProperty, of model: any PersistentModel) {}
}
