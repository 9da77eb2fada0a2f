/// The classes of one version of a model, by the names of their entities.
///
/// A version may take over a class of another version. What that class refers to are classes of the version where it was
/// written; in this version the class of the same name is meant.
package struct VersionClasses: Sendable {
    private let byName: [String: ModelDescriptor]

    /// - Parameter named: the classes that a version names itself.
    package init(_ named: [ModelDescriptor] = []) {
        byName = Dictionary(named.map { ($0.entityName, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The class that is meant: this one, or the one that the version has under its name.
    package func own(_ descriptor: ModelDescriptor) -> ModelDescriptor { byName[descriptor.entityName] ?? descriptor }

    /// The property of a class that a key path names, also when it names that of the same class in another version.
    package func property(_ keyPath: AnyKeyPath, in descriptor: ModelDescriptor) -> (any ModelProperty)? {
        if let property = descriptor.property(for: keyPath) { return property }
        guard let root = (type(of: keyPath).rootType as? any PersistentModel.Type)?._$descriptor, own(root) !== root,
            descriptor.inherits(from: own(root)), let name = root.property(for: keyPath)?.name
        else { return nil }
        return descriptor.property(named: name)
    }

    /// Whether nothing that two classes refer to is another class in this version.
    func mean(_ first: ModelDescriptor, and second: ModelDescriptor) -> Bool {
        [first, second].allSatisfy { descriptor in
            own(descriptor) === descriptor && !descriptor.relationships.contains(where: isForeign)
        }
    }

    /// Whether a relationship leads, in Swift, to a class of another version. Objects of this one cannot stand there.
    package func isForeign(_ property: RelationshipProperty) -> Bool {
        own(property.destination) !== property.destination
    }
}
