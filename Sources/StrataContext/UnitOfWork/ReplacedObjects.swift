import StrataModels

/// Objects that another one stands for after a save: relationships that led to them lead to that one.
///
/// A new object took the key of a row that was there, and the place of the object that stood for the row; or two new objects
/// became one row; or the row became one of another class.
struct ReplacedObjects {
    private var keys: [ObjectIdentifier: [Int64: Int64]] = [:]
    private var objects: [ObjectIdentifier: any PersistentModel] = [:]

    mutating func move(_ old: Int64, to new: Int64, root: ModelDescriptor) {
        keys[ObjectIdentifier(root), default: [:]][old] = new
    }

    mutating func replace(_ old: any PersistentModel, by new: any PersistentModel) {
        objects[ObjectIdentifier(old)] = new
    }

    /// - Parameters:
    ///   - written: the objects of the save. Only they refer to new ones by their keys, unless there were edits meanwhile.
    ///   - wasEdited: whether there were.
    /// - Returns: what it takes to undo this in memory.
    func apply(to written: [any PersistentModel], registeredIn session: StoreSession, wasEdited: Bool = false)
        -> [SavedChanges.Change]
    {
        guard !(keys.isEmpty && objects.isEmpty) else { return [] }
        var models = written
        if !objects.isEmpty || wasEdited {
            session.forEachState { state in
                if let model = state.model { models.append(model) }
            }
        }
        var seen = Set<ObjectIdentifier>()
        var changes: [SavedChanges.Change] = []
        let own = Set(written.map { ObjectIdentifier($0) })
        for model in models where seen.insert(ObjectIdentifier(model)).inserted {
            var originals = type(of: model)._$descriptor.relationships.compactMap { redirect($0, of: model) }
            model._$state.underWay?.replaceOriginals { redirect($0, of: model) }
            // What was inserted meanwhile leaves the context when this is undone. It must not be given a dead key again.
            if model._$state.phase == .inserted, !own.contains(ObjectIdentifier(model)) {
                originals.removeAll { if case .key? = ($0 as? OriginalReference)?.reference { true } else { false } }
            }
            if !originals.isEmpty { changes.append(SavedChanges.Change(model: model, originals: originals)) }
        }
        return changes
    }

    private func redirect(_ property: RelationshipProperty, of model: any PersistentModel) -> OriginalValue? {
        let before = property.currentValue(of: model)
        guard property.isToOne else { return redirectObjects(property, of: model) ? before : nil }
        switch property.reference(of: model) {
        case .key(let old):
            guard let new = keys[ObjectIdentifier(property.destination.root)]?[old] else { return nil }
            property.setReference(.key(new), of: model)
        case .object(let old):
            guard let new = objects[ObjectIdentifier(old)],
                type(of: new)._$descriptor.inherits(from: property.destination)
            else { return nil }
            property.setReference(.object(new), of: model)
        case .none, .unloaded: return nil
        }
        return before
    }

    /// The value that a later edit has replaced.
    private func redirect(_ original: OriginalValue, of model: any PersistentModel) -> OriginalValue {
        guard case .key(let old)? = (original as? OriginalReference)?.reference,
            let property = type(of: model)._$descriptor.properties[original.slot] as? RelationshipProperty,
            let new = keys[ObjectIdentifier(property.destination.root)]?[old]
        else { return original }
        let redirected = OriginalReference(.key(new))
        redirected.slot = original.slot
        return redirected
    }

    private func redirectObjects(_ property: RelationshipProperty, of model: any PersistentModel) -> Bool {
        guard !objects.isEmpty, let current = property.objects(of: model),
            current.contains(where: { objects[ObjectIdentifier($0)] != nil })
        else { return false }
        var seen = Set<ObjectIdentifier>()
        let redirected = current.map { objects[ObjectIdentifier($0)] ?? $0 }
        property.setObjects(redirected.filter { seen.insert(ObjectIdentifier($0)).inserted }, of: model)
        return true
    }
}
