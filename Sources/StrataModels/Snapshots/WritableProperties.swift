/// What a patch may write.
///
/// Three forms, from the narrowest to the widest:
///
/// ```swift
/// allowing: \.name, \.destination
/// allowing: .only(\.name, \.bucketList).related(at: \.bucketList, .only(\.title), creating: true)
/// allowing: .everything
/// ```
/// A to-many or to-one relationship that is named may get other objects, which exist. Values of related objects are written only
/// where ``related(at:_:creating:)-(KeyPath<Model,[Destination]>,_,_)`` says so, and new ones are made only with `creating: true`.
public struct WritableProperties<Model: PersistentModel>: Sendable {
    package var rules: WriteRules

    /// Every property, also `private(set)` and `.hidden` ones; every relationship, with the values of the objects there, whoever
    /// they belong to; new objects. For values that this program has made, never for what a client sent.
    public static var everything: Self { Self(rules: WriteRules(isEverything: true)) }

    /// These properties.
    public static func only(_ keyPaths: PartialKeyPath<Model>...) -> Self { Self(keyPaths) }

    package init(_ keyPaths: [PartialKeyPath<Model>]) {
        rules = WriteRules()
        for keyPath in keyPaths { allow(keyPath) { $0.slots.insert($1) } }
    }

    private init(rules: WriteRules) { self.rules = rules }

    /// The same, and properties of the objects at a to-many relationship.
    ///
    /// Unless the relationship itself is allowed too, the objects have to be there already, and stay.
    /// - Parameters:
    ///   - properties: what may be written in the objects.
    ///   - creating: whether new objects may be made there. The relationship itself has to be allowed too.
    public func related<Destination: PersistentModel>(
        at keyPath: KeyPath<Model, [Destination]>, _ properties: WritableProperties<Destination>,
        creating: Bool = false
    ) -> Self {
        adding(keyPath, properties.rules, creating)
    }

    /// The same, and properties of the objects at a to-many relationship that is declared optional.
    public func related<Destination: PersistentModel>(
        at keyPath: KeyPath<Model, [Destination]?>, _ properties: WritableProperties<Destination>,
        creating: Bool = false
    ) -> Self {
        adding(keyPath, properties.rules, creating)
    }

    /// The same, and properties of the object at a to-one relationship.
    public func related<Destination: PersistentModel>(
        at keyPath: KeyPath<Model, Destination?>, _ properties: WritableProperties<Destination>, creating: Bool = false
    ) -> Self {
        adding(keyPath, properties.rules, creating)
    }

    /// The same, and properties of the object at a required to-one relationship.
    public func related<Destination: PersistentModel>(
        at keyPath: KeyPath<Model, Destination>, _ properties: WritableProperties<Destination>, creating: Bool = false
    ) -> Self {
        adding(keyPath, properties.rules, creating)
    }

    private func adding(_ keyPath: PartialKeyPath<Model>, _ rules: WriteRules, _ creating: Bool) -> Self {
        var copy = self
        copy.allow(keyPath) { $0.related[$1] = WriteRules.Related(rules: rules, mayCreate: creating) }
        copy.rules.unsupported += rules.unsupported
        return copy
    }

    private mutating func allow(_ keyPath: PartialKeyPath<Model>, _ note: (inout WriteRules, Int) -> Void) {
        guard let property = Model._$descriptor.property(for: keyPath),
            (property as? AnyAttributeProperty)?.isEphemeral != true,
            (property as? AnyAttributeProperty)?.isGenerated != true
        else { return rules.unsupported.append("\(keyPath)") }
        note(&rules, property.slot)
    }
}

/// What becomes of the keys of a patch that it may not write.
public enum OtherKeys: Sendable {
    /// The patch is refused, with ``SwiftDataError/refusedPatch``; nothing is changed.
    case refused
    /// They are passed over: for clients that send the whole object back.
    case ignored
}

/// What a patch may write, without the type of the class.
package struct WriteRules: Sendable {
    package struct Related: Sendable {
        package var rules: WriteRules
        package var mayCreate: Bool
    }

    package var isEverything = false
    /// The slots of attributes, and of relationships whose membership may be written.
    package var slots: Set<Int> = []
    /// What may be written in the objects at a relationship, by slot.
    package var related: [Int: Related] = [:]
    /// Key paths that lead to nothing stored: mistakes of the program.
    package var unsupported: [String] = []
}
