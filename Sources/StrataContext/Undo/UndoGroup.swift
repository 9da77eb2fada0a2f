import StrataClient
import StrataModels

/// What the objects of one group were before it: their values, and whether they were part of the context.
struct UndoGroup {
    private struct Object {
        let model: any PersistentModel
        /// Whether the object was part of the context, and not deleted; `nil` if the group did not change that.
        var wasPresent: Bool?
        /// What the group did to each property that it changed.
        var changes: [Change] = []
        var slots = SlotSet()
        /// Whose arrays it came to before the group deleted it: the save has parted them, and its own, if loaded meanwhile,
        /// shows them. With the slot of that array.
        var visitors: [(model: any PersistentModel, slot: Int)] = []

        func change(at slot: Int) -> Change? { changes.first { $0.before.slot == slot } }

        /// What its properties have now, but for ends that are not loaded any more: these show what the other sides say when they
        /// are.
        func currentValues(in unit: UnitOfWork) -> [OriginalValue] {
            let properties = type(of: model)._$descriptor.properties
            return changes.compactMap { change in
                let property = properties[change.before.slot]
                return unit.isForgotten(property, of: model) ? nil : property.currentValue(of: model)
            }
        }

        /// What its properties get that have these values now.
        func earlierValues(current: [OriginalValue]) -> [OriginalValue] {
            current.compactMap { value in change(at: value.slot)?.earlierValue(current: value) }
        }
    }

    private struct Change {
        /// The value before the group.
        let before: OriginalValue
        /// The objects of a to-many end after the group. Only what the group added and removed there is taken back: who came
        /// or went since, with a save, a fetch, or an object whose deletion was taken back, is no part of it.
        var after: OriginalObjects?

        func earlierValue(current: OriginalValue) -> OriginalValue {
            guard let before = before as? OriginalObjects, let after, let current = current as? OriginalObjects else {
                return self.before
            }
            return before.with(changesFrom: after, to: current)
        }

        func map(_ body: (OriginalValue) -> OriginalValue) -> Change {
            Change(before: body(before), after: after.flatMap { body($0) as? OriginalObjects })
        }

        /// The same change of a to-many end, the other way round.
        var inverse: Change? {
            guard let after, let before = before as? OriginalObjects else { return nil }
            return Change(before: after, after: before)
        }
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
        note(Change(before: value), of: model)
    }

    /// The value of a property before the group, which has not changed it until now.
    ///
    /// An end that was loaded meanwhile shows already who came to it from the other side. Those who left it from there come
    /// back to it when they are put back themselves.
    func valueBefore(_ value: OriginalValue, _ property: any ModelProperty, of model: any PersistentModel)
        -> OriginalValue
    {
        guard let end = value as? OriginalObjects, let property = property as? RelationshipProperty else {
            return value
        }
        let come = (end.objects ?? []).filter { object in
            guard let place = places[ObjectIdentifier(object)] else { return false }
            if objects[place].wasPresent == false, object._$state.phase == .inserted { return true }
            guard let inverse = property.inverse(of: model, in: object),
                let before = objects[place].change(at: inverse.slot)?.before
            else { return false }
            return !before.leads(to: model)
        }
        return come.isEmpty ? value : end.without(Set(come.map { ObjectIdentifier($0) }))
    }

    private mutating func note(_ change: Change, of model: any PersistentModel) {
        let place = place(of: model)
        guard !objects[place].slots.contains(change.before.slot) else { return }
        objects[place].slots.insert(change.before.slot)
        objects[place].changes.append(change)
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

    /// The group has ended: to-many ends have what it made of them.
    mutating func noteEnd() {
        for place in objects.indices {
            let model = objects[place].model
            let properties = type(of: model)._$descriptor.properties
            for index in objects[place].changes.indices {
                let slot = objects[place].changes[index].before.slot
                objects[place].changes[index].after = properties[slot].currentValue(of: model) as? OriginalObjects
            }
        }
    }

    // MARK: What a save did

    /// The objects that this group deleted, of those a save has deleted.
    func deletions(among gone: Set<ObjectIdentifier>) -> [any PersistentModel] {
        objects.filter { $0.wasPresent == true && gone.contains(ObjectIdentifier($0.model)) }.map(\.model)
    }

    func hasDeletions(among gone: Set<ObjectIdentifier>) -> Bool { !deletions(among: gone).isEmpty }

    /// The objects that this group gave a date of deletion, of those that a save has written.
    func softDeletions(among deleted: [any PersistentModel]) -> [any PersistentModel] {
        deleted.filter { model in
            guard let property = type(of: model)._$descriptor.deletionDate,
                let place = places[ObjectIdentifier(model)],
                let change = objects[place].change(at: property.slot)
            else { return false }
            return property.date(change.before) == nil
        }
    }

    /// - Parameters:
    ///   - deleted: the objects that this group deleted, and those that rules took along with them.
    ///   - cleared: what the save took away from others, each with the value after this group and the one before the save.
    mutating func addConsequences(deleted: [any PersistentModel], cleared: [ClearedValue]) {
        let gone = GoneObjects(deleted)
        for model in deleted {
            note(true, of: model)
            noteLeftOut(of: model, gone)
        }
        for value in cleared {
            noteVisits(value, to: gone)
            guard gone.contains(where: value.after, of: value.model) else { continue }
            note(value.after, of: value.model)
            noteGone(gone.identities, from: value.after.slot, of: value.model)
        }
    }

    /// An array that was loaded after its owner and those in it were deleted does not show them: they come back together.
    private mutating func noteLeftOut(of model: any PersistentModel, _ gone: GoneObjects) {
        for property in type(of: model)._$descriptor.relationships where !property.isToOne {
            guard let stored = model._$state.original(at: property.slot) as? OriginalObjects,
                stored.leftOut.contains(where: { gone.identities.contains(ObjectIdentifier($0)) }),
                let current = property.currentValue(of: model) as? OriginalObjects
            else { continue }
            let shown = Set((current.objects ?? []).map { ObjectIdentifier($0) })
            let back = stored.leftOut.filter { !shown.contains(ObjectIdentifier($0)) }
            let before = OriginalObjects((current.objects ?? []) + back)
            before.slot = property.slot
            note(Change(before: before, after: current), of: model)
        }
    }

    private mutating func noteVisits(_ value: ClearedValue, to gone: GoneObjects) {
        guard let end = (value.saved as? OriginalObjects)?.objects else { return }
        let known = places[ObjectIdentifier(value.model)].flatMap { objects[$0].change(at: value.saved.slot)?.before }
        guard let before = (known ?? value.after) as? OriginalObjects, before !== value.saved else { return }
        let there = Set((before.objects ?? []).map { ObjectIdentifier($0) })
        for target in end
        where gone.identities.contains(ObjectIdentifier(target)) && !there.contains(ObjectIdentifier(target)) {
            objects[place(of: target)].visitors.append((value.model, value.saved.slot))
        }
    }

    /// The same values, as the next earlier group has left them.
    func before(_ cleared: [ClearedValue]) -> [ClearedValue] {
        cleared.map { value in
            guard let place = places[ObjectIdentifier(value.model)],
                let change = objects[place].change(at: value.after.slot)
            else { return value }
            var value = value
            value.after = change.earlierValue(current: value.after)
            return value
        }
    }

    /// Whether an object came to a to-many end within this group, with the owner or later.
    func hasClaim(on target: any PersistentModel, at slot: Int, of owner: any PersistentModel) -> Bool {
        guard let place = places[ObjectIdentifier(owner)] else { return false }
        guard let change = objects[place].change(at: slot) else { return objects[place].wasPresent == false }
        return !change.before.leads(to: target) && change.after?.leads(to: target) != false
    }

    /// - Parameter before: what the loser had.
    mutating func addLoss(of target: any PersistentModel, _ before: OriginalObjects, by loser: any PersistentModel) {
        note(before, of: loser)
        noteGone([ObjectIdentifier(target)], from: before.slot, of: loser)
    }

    /// A to-many end lost objects that the group deleted, or that others have claimed: that too is what the group made of it.
    private mutating func noteGone(_ gone: Set<ObjectIdentifier>, from slot: Int, of model: any PersistentModel) {
        let place = place(of: model)
        guard let index = objects[place].changes.firstIndex(where: { $0.before.slot == slot }) else { return }
        let change = objects[place].changes[index]
        guard let end = change.after ?? change.before as? OriginalObjects else { return }
        objects[place].changes[index].after = end.without(gone)
    }

    // MARK: Objects in the place of others

    /// What the group did to objects it did to those that stand for them now.
    ///
    /// - Parameter arrivals: who was there, before this group, as what now stands for it: by that.
    mutating func replace(_ moves: ReplacedObjects, _ arrivals: inout [ObjectIdentifier: any PersistentModel]) {
        let (earlier, earlierPlaces) = (objects, places)
        objects = []
        places = [:]
        // What stands for several new objects of this group was not there before it, whatever values the others had.
        var own = Set<ObjectIdentifier>()
        for object in earlier {
            let model = moves.successor(of: object.model) ?? object.model
            let arrival = arrivals[ObjectIdentifier(model)]
            // It was given up for one that had been there before: nothing of it was kept.
            if model !== object.model, arrival === model { continue }
            if object.wasPresent == false, let arrival, arrival !== object.model, !own.contains(ObjectIdentifier(model))
            {
                // What stood there before had other values: the group changed these, and maybe some of them before that.
                if let place = earlierPlaces[ObjectIdentifier(arrival)] { note(earlier[place], in: model, moves) }
                noteValues(of: arrival, in: model)
                note(object, in: model, moves)
                continue
            }
            note(object, in: model, moves)
            switch object.wasPresent {
            case false?:
                arrivals[ObjectIdentifier(model)] = object.model
                own.insert(ObjectIdentifier(model))
                note(false, of: model)
            case true?:
                arrivals[ObjectIdentifier(model)] = nil
                note(true, of: model)
            case nil: break
            }
        }
    }

    /// Notes what the group changed of an object as changed of what stands for it now.
    private mutating func note(_ object: Object, in model: any PersistentModel, _ moves: ReplacedObjects) {
        let kept = type(of: object.model)._$descriptor.properties(sharedWith: type(of: model)._$descriptor)
        for change in object.changes where kept.contains(change.before.slot) {
            note(change.map { moves.redirect($0, of: model) }, of: model)
        }
        guard !object.visitors.isEmpty else { return }
        for visitor in object.visitors {
            let successor = moves.successor(of: visitor.model) ?? visitor.model
            let kept = type(of: visitor.model)._$descriptor.properties(sharedWith: type(of: successor)._$descriptor)
            if kept.contains(visitor.slot) { objects[place(of: model)].visitors.append((successor, visitor.slot)) }
        }
    }

    /// Notes as values before the group those of an object that another one stands for now. To-many ends belong to both.
    private mutating func noteValues(of object: any PersistentModel, in successor: any PersistentModel) {
        let descriptor = type(of: object)._$descriptor
        for slot in descriptor.properties(sharedWith: type(of: successor)._$descriptor) {
            let property = descriptor.properties[slot]
            if let relationship = property as? RelationshipProperty, !relationship.isToOne { continue }
            // What the store keeps for itself, because it was asked to ignore the new object, has not changed.
            guard let value = property.currentValue(of: object), value.isKnown, property.isLoaded(in: successor) else {
                continue
            }
            note(value, of: successor)
        }
    }

    // MARK: Taking back

    /// Reads the to-many ends without which ``takeBack(in:)`` could not take back what the group did to them.
    func loadEnds(in unit: UnitOfWork) {
        for object in objects {
            for change in object.changes {
                guard let end = type(of: object.model)._$descriptor.relationship(at: change.before.slot),
                    unit.isForgotten(end, of: object.model), isNeeded(end, change, of: object.model, in: unit)
                else { continue }
                unit.loadRelationship(end, of: object.model)
            }
        }
    }

    /// Whether the other sides do not take back by themselves what the group did to an end.
    private func isNeeded(
        _ end: RelationshipProperty, _ change: Change, of model: any PersistentModel, in unit: UnitOfWork
    ) -> Bool {
        guard let before = (change.before as? OriginalObjects)?.objects, let after = change.after?.objects else {
            return true
        }
        let (former, later) = (Set(before.map { ObjectIdentifier($0) }), Set(after.map { ObjectIdentifier($0) }))
        if end.isOrdered, !before.elementsEqual(after, by: { $0 === $1 }) { return true }
        let moved =
            before.filter { !later.contains(ObjectIdentifier($0)) }
            + after.filter { !former.contains(ObjectIdentifier($0)) }
        return moved.contains { target in
            guard let inverse = end.inverse(of: model, in: target) else { return true }
            if unit.hasColumn(inverse, of: target) { return false }
            return !knows(inverse.slot, of: target) || unit.isForgotten(inverse, of: target)
        }
    }

    /// Makes the objects what they were before the group.
    ///
    /// - Returns: the group that takes this back.
    func takeBack(in unit: UnitOfWork) -> UndoGroup {
        let current = objects.map { $0.currentValues(in: unit) }
        let inverse = inverse(current, in: unit)
        // Those that come back first, then the values, so that all of them are noted as changes; then the ends that were loaded
        // meanwhile; then those that leave.
        for object in objects where object.wasPresent == true { unit.restorePresence(of: object.model) }
        for (object, values) in zip(objects, current) {
            unit.setBack(object.earlierValues(current: values), of: object.model, current: values)
        }
        let leaving = Set(objects.filter { $0.wasPresent == false }.map { ObjectIdentifier($0.model) })
        for (object, values) in zip(objects, current) {
            unit.removeFormerEdges(of: object.model, before: values, leaving: leaving)
        }
        for object in objects where object.wasPresent == true {
            unit.removeStaleEdges(of: object.model, to: object.visitors)
        }
        for object in objects where object.wasPresent != false {
            unit.restoreEdges(of: object.model, isBack: object.wasPresent == true)
        }
        for object in objects where object.wasPresent == true { unit.weakenReferences(of: object.model) }
        for object in objects where object.wasPresent == false { unit.removeEdges(of: object.model) }
        unit.leave(objects.filter { $0.wasPresent == false }.map(\.model))
        return inverse
    }

    /// What takes the taking back back.
    private func inverse(_ current: [[OriginalValue]], in unit: UnitOfWork) -> UndoGroup {
        var inverse = UndoGroup()
        inverse.name = name
        for (object, values) in zip(objects, current) {
            if object.wasPresent != nil { inverse.note(unit.isPresent(object.model), of: object.model) }
            for change in object.changes {
                let value = values.first { $0.slot == change.before.slot }
                guard let inverted = change.inverse ?? value.map({ Change(before: $0) }) else { continue }
                inverse.note(inverted, of: object.model)
            }
        }
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

/// A relationship of an object that stays, from which a save took what it deleted.
struct ClearedValue {
    let model: any PersistentModel
    /// What it had when a group ended.
    var after: OriginalValue
    /// What it had before the save.
    let saved: OriginalValue

    init(_ saved: OriginalValue, of model: any PersistentModel) {
        self.model = model
        self.saved = saved
        after = saved
    }
}

/// Objects that a save has deleted, to be found among what relationships lead to.
private struct GoneObjects {
    let identities: Set<ObjectIdentifier>
    /// The keys of their rows, by the root of their class.
    private let keys: [ObjectIdentifier: Set<RowKey>]

    init(_ models: [any PersistentModel]) {
        identities = Set(models.map { ObjectIdentifier($0) })
        var keys: [ObjectIdentifier: Set<RowKey>] = [:]
        for model in models {
            keys[ObjectIdentifier(type(of: model)._$descriptor.root), default: []].insert(model._$state.key)
        }
        self.keys = keys
    }

    /// Whether a relationship leads to one of them.
    func contains(where value: OriginalValue, of model: any PersistentModel) -> Bool {
        switch value {
        case let end as OriginalObjects: end.objects?.contains { identities.contains(ObjectIdentifier($0)) } == true
        case let end as OriginalReference:
            switch end.reference {
            case .object(let target): identities.contains(ObjectIdentifier(target))
            case .key(let key): isGone(key, by: value.slot, of: model)
            case .none, .unloaded: false
            }
        default: false
        }
    }

    private func isGone(_ key: RowKey, by slot: Int, of model: any PersistentModel) -> Bool {
        guard let root = type(of: model)._$descriptor.relationship(at: slot)?.destination.root else { return false }
        return keys[ObjectIdentifier(root)]?.contains(key) == true
    }
}
