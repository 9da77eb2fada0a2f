import StrataModels

/// What the objects of one group were before it: their values, and whether they were part of the context.
struct UndoGroup {
    private struct Object {
        let model: any PersistentModel
        /// Whether the object was part of the context, and not deleted; `nil` if the group did not change that.
        var wasPresent: Bool?
        /// The values before the group, of the properties that it changed.
        var values: [OriginalValue] = []
        var slots = SlotSet()
    }

    var name = ""
    private var objects: [Object] = []
    private var places: [ObjectIdentifier: Int] = [:]

    var isEmpty: Bool { objects.isEmpty }

    func knows(_ slot: Int, of model: any PersistentModel) -> Bool {
        guard let place = places[ObjectIdentifier(model)] else { return false }
        return objects[place].slots.contains(slot)
    }

    // MARK: Noting

    mutating func note(_ value: OriginalValue, of model: any PersistentModel) {
        let place = place(of: model)
        guard !objects[place].slots.contains(value.slot) else { return }
        objects[place].slots.insert(value.slot)
        objects[place].values.append(value)
    }

    mutating func note(_ wasPresent: Bool, of model: any PersistentModel) {
        let place = place(of: model)
        if objects[place].wasPresent == nil { objects[place].wasPresent = wasPresent }
    }

    private mutating func place(of model: any PersistentModel) -> Int {
        if let known = places[ObjectIdentifier(model)] { return known }
        places[ObjectIdentifier(model)] = objects.count
        objects.append(Object(model: model))
        return objects.count - 1
    }

    // MARK: What a save did

    /// The objects that this group deleted, of those a save has deleted.
    func deletions(among gone: Set<ObjectIdentifier>) -> [any PersistentModel] {
        objects.filter { $0.wasPresent == true && gone.contains(ObjectIdentifier($0.model)) }.map(\.model)
    }

    func hasDeletions(among gone: Set<ObjectIdentifier>) -> Bool { !deletions(among: gone).isEmpty }

    mutating func addConsequences(
        deleted: [any PersistentModel], cleared: [(model: any PersistentModel, originals: [OriginalValue])]
    ) {
        for model in deleted { note(true, of: model) }
        let own = objects.filter { $0.wasPresent == true }.map(\.model)
        for (model, originals) in cleared {
            for original in originals where own.contains(where: original.leads) { note(original, of: model) }
        }
    }

    // MARK: Taking back

    /// Makes the objects what they were before the group.
    ///
    /// - Returns: the group that takes this back.
    func takeBack(in unit: UnitOfWork) -> UndoGroup {
        var inverse = UndoGroup()
        inverse.name = name
        let current = objects.map { object in
            let properties = type(of: object.model)._$descriptor.properties
            return object.values.compactMap { properties[$0.slot].currentValue(of: object.model) }
        }
        for (object, values) in zip(objects, current) {
            if object.wasPresent != nil { inverse.note(unit.isPresent(object.model), of: object.model) }
            for value in values { inverse.note(value, of: object.model) }
        }
        // Those that come back first, then the values, so that all of them are noted as changes; then those that leave.
        for object in objects where object.wasPresent == true { unit.bringBack(object.model) }
        for (object, values) in zip(objects, current) {
            unit.setBack(object.values, of: object.model, current: values)
        }
        let leaving = Set(objects.filter { $0.wasPresent == false }.map { ObjectIdentifier($0.model) })
        for (object, values) in zip(objects, current) where object.wasPresent != false {
            unit.settleEnds(of: object.model, before: values, leaving: leaving)
        }
        for object in objects where object.wasPresent == true { unit.loosen(object.model) }
        for object in objects where object.wasPresent == false { unit.leaveEnds(object.model) }
        unit.leave(objects.filter { $0.wasPresent == false }.map(\.model))
        return inverse
    }
}

extension OriginalValue {
    /// Whether this is a relationship that leads to an object.
    fileprivate func leads(to model: any PersistentModel) -> Bool {
        if let reference = (self as? OriginalReference)?.reference { return reference.points(to: model) }
        return (self as? OriginalObjects)?.objects?.contains { $0 === model } == true
    }
}
