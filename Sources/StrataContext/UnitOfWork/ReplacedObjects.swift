import StrataClient
import StrataModels

/// Objects that another one stands for after a save: relationships that led to them lead to that one.
///
/// A new object took the key of a row that was there, and the place of the object that stood for the row; or two new objects
/// became one row; or the row became one of another class.
struct ReplacedObjects {
    private var keys: [ObjectIdentifier: [RowKey: RowKey]] = [:]
    private var objects: [ObjectIdentifier: any PersistentModel] = [:]
    /// Objects that stood for rows until new ones took these over, by those.
    private(set) var displaced: [ObjectIdentifier: any PersistentModel] = [:]

    var isEmpty: Bool { keys.isEmpty && objects.isEmpty }

    mutating func move(_ old: RowKey, to new: RowKey, root: ModelDescriptor) {
        keys[ObjectIdentifier(root), default: [:]][old] = new
    }

    mutating func replace(_ old: any PersistentModel, by new: any PersistentModel) {
        objects[ObjectIdentifier(old)] = new
    }

    mutating func displace(_ old: any PersistentModel, by new: any PersistentModel) {
        replace(old, by: new)
        displaced[ObjectIdentifier(new)] = old
    }

    /// Who stands for an object now; `nil` for most.
    func successor(of model: any PersistentModel) -> (any PersistentModel)? { objects[ObjectIdentifier(model)] }

    /// - Parameters:
    ///   - written: the objects of the save. Only they refer to new ones by their keys, unless there were edits meanwhile.
    ///   - wasEdited: whether there were.
    /// - Returns: what it takes to undo this in memory.
    func apply(to written: [any PersistentModel], registeredIn session: StoreSession, wasEdited: Bool = false)
        -> [Journal.Images]
    {
        guard !isEmpty else { return [] }
        var models = written
        if !objects.isEmpty || wasEdited {
            session.forEachState { state in
                if let model = state.model { models.append(model) }
            }
        }
        var seen = Set<ObjectIdentifier>()
        var changes: [Journal.Images] = []
        let own = Set(written.map { ObjectIdentifier($0) })
        for model in models where seen.insert(ObjectIdentifier(model)).inserted {
            var originals = type(of: model)._$descriptor.relationships.compactMap { redirect($0, of: model) }
            model._$state.rewriteImagesBehindMark { redirect($0, of: model) }
            // What was inserted meanwhile leaves the context when this is undone. It must not be given a dead key again.
            if model._$state.phase == .inserted, !own.contains(ObjectIdentifier(model)) {
                originals.removeAll { if case .key? = ($0 as? OriginalReference)?.reference { true } else { false } }
            }
            if !originals.isEmpty { changes.append(Journal.Images(model: model, values: originals)) }
        }
        return changes
    }

    private func redirect(_ property: RelationshipProperty, of model: any PersistentModel) -> OriginalValue? {
        let before = property.currentValue(of: model)
        guard property.isToOne else {
            guard !objects.isEmpty, let redirected = redirect(property.objects(of: model), of: property) else {
                return nil
            }
            property.setObjects(redirected, of: model)
            return before
        }
        guard let reference = redirect(property.reference(of: model), of: property) else { return nil }
        property.setReference(reference, of: model)
        return before
    }

    /// Values that properties of an object had before: they lead to those who stand for what they led to.
    func redirect(_ images: Journal.Images) -> Journal.Images {
        Journal.Images(model: images.model, values: images.values.map { redirect($0, of: images.model) })
    }

    /// A value that a property of `model` had before: it leads to those who stand for what it led to.
    func redirect(_ original: OriginalValue, of model: any PersistentModel) -> OriginalValue {
        guard let property = type(of: model)._$descriptor.properties[original.slot] as? RelationshipProperty,
            let redirected = redirect(original, of: property)
        else { return original }
        redirected.slot = original.slot
        return redirected
    }

    // MARK: Values

    // `nil` for what stays as it is.

    private func redirect(_ original: OriginalValue, of property: RelationshipProperty) -> OriginalValue? {
        if let original = original as? OriginalReference {
            return redirect(original.reference, of: property).map(OriginalReference.init)
        }
        guard let original = original as? OriginalObjects else { return nil }
        let (objects, leftOut) = (redirect(original.objects, of: property), redirect(original.leftOut, of: property))
        guard objects != nil || leftOut != nil else { return nil }
        return OriginalObjects(objects ?? original.objects, leftOut: leftOut ?? original.leftOut)
    }

    private func redirect(_ reference: Reference, of property: RelationshipProperty) -> Reference? {
        switch reference {
        case .key(let old): keys[ObjectIdentifier(property.destination.root)]?[old].map(Reference.key)
        case .object(let old): successor(of: old).flatMap { leads(property, to: $0) ? .object($0) : nil }
        case .none, .unloaded: nil
        }
    }

    private func redirect(
        _ current: [any PersistentModel]?, of property: RelationshipProperty
    ) -> [any PersistentModel]? {
        guard let current, current.contains(where: { successor(of: $0) != nil }) else { return nil }
        var seen = Set<ObjectIdentifier>()
        return current.map { successor(of: $0) ?? $0 }.filter {
            leads(property, to: $0) && seen.insert(ObjectIdentifier($0)).inserted
        }
    }

    private func leads(_ property: RelationshipProperty, to model: any PersistentModel) -> Bool {
        type(of: model)._$descriptor.inherits(from: property.destination)
    }
}
