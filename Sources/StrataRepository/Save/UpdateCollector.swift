import StrataClient
import StrataModels

/// Collects changed objects by table and set of columns.
struct UpdateCollector {
    private let context: SaveContext
    private var order: [UpdateGroup] = []
    private var latest: UpdateGroup?
    /// The groups by their shape, once there are more than a few.
    private var groups: [UpdateGroup.Shape: UpdateGroup] = [:]
    private static let few = 8
    /// What goes before the other updates: references that may lead there are written before. `nil` where deletions come last.
    private let deletions: DeletePlan?
    /// The new objects that objects refer to before the deletions: they leave a target that is deleted in the same save.
    private var awaited: Set<RowPlace> = []
    /// Whether a foreign key that no two rows may share changes hands.
    private(set) var movesUniqueReference = false
    private var exchange: UniqueExchange

    /// - Parameter deletions: what goes before the other updates; `nil` where deletions come last.
    /// - Throws: for a unique value that cannot be encoded.
    init(_ context: SaveContext, after deletions: DeletePlan?) throws {
        self.context = context
        self.deletions = deletions
        exchange = try UniqueExchange(context)
    }

    // MARK: Changed objects

    mutating func add(_ changed: ModelGroups) throws {
        for group in changed.groups {
            var slots = SlotSet()
            var plan = UpdatePlan()
            try ModelGroups.forEachByKey([group]) { model, _ in
                let state = model._$state
                if state.changedSlots != slots {
                    slots = state.changedSlots
                    plan = context.mapping.updatePlans.plan(of: group.entity, slots, context.conflictPolicy)
                }
                try add(model, state, plan, expecting: changed.count)
            }
        }
    }

    private mutating func add(
        _ model: any PersistentModel, _ state: ModelState, _ plan: UpdatePlan, expecting count: Int
    ) throws {
        let references = plan.references.isEmpty ? References() : try references(of: model, plan)
        for table in plan.tables {
            let table = context.classChange?.rest(of: table, of: model) ?? table
            if table.slots.isEmpty { continue }
            let parked = parkBeforeDeletions(model, table, references)
            try park(model, state, table, references)
            if references.leaving.isEmpty && references.endangered.isEmpty && references.late.isEmpty {
                try add(model, state, table, table.slots, .early, references, expecting: count)
            } else {
                for (phase, part) in table.parts(of: table.slots, references, parked) {
                    if phase == .leaving { announce(part.intersection(references.late), of: model) }
                    try add(model, state, table, part, phase, references, expecting: count)
                }
            }
        }
    }

    /// Parks the unique sets in which a reference has to leave a deleted target before the deletions, or to be compared.
    private mutating func parkBeforeDeletions(
        _ model: any PersistentModel, _ table: UpdatePlan.Table, _ references: References
    ) -> ParkedSets {
        var result = ParkedSets()
        var concerned = references.leaving
        concerned.formUnion(references.endangered)
        concerned = concerned.intersection(table.slots)
        guard !concerned.isEmpty else { return result }
        for set in table.owner.uniqueSets where set.owner.base === table.owner.base {
            let slots = SlotSet(set.decidingSlots)
            guard !slots.intersection(concerned).isEmpty,
                let parked = exchange.parkBeforeDeletions(model, set)
            else { continue }
            result.sets.append(slots)
            result.slots.insert(parked)
        }
        return result
    }

    /// The unique sets of one row that hold what nobody has until the deletions are over.
    fileprivate struct ParkedSets {
        var sets: [SlotSet] = []
        /// The columns that do.
        var slots = SlotSet()
    }

    /// Lets rows of new objects come before the deletions.
    private mutating func announce(_ slots: SlotSet, of model: any PersistentModel) {
        let properties = type(of: model)._$descriptor.properties
        for slot in slots.slots {
            guard let key = (properties[slot] as? RelationshipProperty)?.reference(of: model).key,
                let target = context.mapping.entity(for: type(of: model))?.relationships[slot]?.destination
            else { continue }
            awaited.insert(RowPlace(context.rewriting(key, of: target), of: target))
        }
    }

    /// The new rows, by whether they come before the deletions; `nil` where those that have to cannot.
    func successors() throws -> Successors? {
        guard let deletions, !awaited.isEmpty else { return try Successors(noneOf: context) }
        return try Successors(awaited, context, before: deletions.reach, after: exchange.room)
    }

    /// Lets an object give up the unique values that others take in this save. All that is compared is compared here, and the new
    /// values of it come along for ``ConflictQuery``: the row is locked from now on.
    private mutating func park(
        _ model: any PersistentModel, _ state: ModelState, _ table: UpdatePlan.Table, _ references: References
    ) throws {
        guard !exchange.parked.isEmpty, let parked = exchange.parked[ObjectIdentifier(model)] else { return }
        let slots = table.slots.intersection(SlotSet(parked.keys))
        guard !slots.isEmpty else { return }
        let checked = checked(model, table, table.slots)
        let shape = UpdateGroup.Shape(
            owner: table.owner.index, slots: checked, checked: checked,
            cleared: references.cleared.intersection(checked), released: references.released.intersection(checked),
            parked: slots, phase: .parking)
        try group(shape, table.owner, exchange.parked.count).add(
            model, key: state.key, context.rewriting, storedForms: context.storedForms[ObjectIdentifier(model)],
            parked: parked)
    }

    /// The columns whose old value is compared.
    private func checked(_ model: any PersistentModel, _ table: UpdatePlan.Table, _ slots: SlotSet) -> SlotSet {
        var checked = table.checked(of: model._$state, slots, context.conflictPolicy)
        if !context.overwritten.isEmpty, let overwritten = context.overwritten[ObjectIdentifier(model)] {
            checked.subtract(overwritten)
        }
        return checked
    }

    /// What the row of an object is known to hold instead of what the object had.
    private func storedForms(of model: any PersistentModel) -> [Int: [UInt8]?]? {
        let known = context.storedForms[ObjectIdentifier(model)]
        guard let parked = exchange.parked[ObjectIdentifier(model)] else { return known }
        return (known ?? [:]).merging(parked) { $1 }
    }

    private mutating func add(
        _ model: any PersistentModel, _ state: ModelState, _ table: UpdatePlan.Table, _ slots: SlotSet,
        _ phase: UpdateGroup.Phase, _ references: References, expecting count: Int
    ) throws {
        guard !slots.isEmpty else { return }
        let checked = checked(model, table, slots)
        let shape = UpdateGroup.Shape(
            owner: table.owner.index, slots: slots, checked: checked, cleared: references.cleared.intersection(slots),
            released: references.released.intersection(checked), phase: phase)
        try group(shape, table.owner, count).add(
            model, key: state.key, context.rewriting, storedForms: storedForms(of: model))
    }

    /// What the changed foreign keys of one object mean for the order.
    fileprivate struct References {
        /// Those that led to what is deleted, and are empty after that. Others, or a deletion by predicate, may have deleted it
        /// already.
        var released = SlotSet()
        /// Those that leave what is deleted, where deletions come first.
        var leaving = SlotSet()
        /// Those that others may have let lead to what is deleted, where deletions come first and would clear them before they are
        /// compared. Those that refer to new rows have to wait: an empty one, when it is compared, is as the object knew it again.
        var endangered = SlotSet()
        /// Those that refer to new rows.
        var late = SlotSet()
        /// Those that refer to what is deleted, and are empty after that.
        var cleared = SlotSet()
    }

    /// Looks at changed foreign keys.
    private mutating func references(of model: any PersistentModel, _ plan: UpdatePlan) throws -> References {
        var result = References()
        for (relationship, column) in plan.references {
            let slot = relationship.property.slot
            let properties = type(of: model)._$descriptor.properties
            guard let property = properties[slot] as? RelationshipProperty else { continue }
            let current = property.reference(of: model)
            if case .unloaded = current { throw SaveError.missingTarget(property, of: model) }
            if !property.isOptional, !context.hasTarget(current, of: relationship.destination) {
                throw SaveError.missingTarget(property, of: model)
            }
            if let key = current.key, context.isDeleted(key, of: relationship.destination),
                relationship.isClearedByServer(column)
            {
                result.cleared.insert(slot)
            }
            let isLate = current.key.map { context.isNew($0, of: relationship.destination) } ?? false
            if isLate { result.late.insert(slot) }
            let old = (model._$state.original(at: slot) as? OriginalReference)?.reference.key
            if let old, context.isDeleted(old, of: relationship.destination) {
                if case .none = current, relationship.isClearedByServer(column) {
                    // Before or after the deletion: it is empty either way.
                    result.released.insert(slot)
                    continue
                }
                if deletions != nil { result.leaving.insert(slot) }
            } else if let deletions, deletions.reach.contains(relationship.destination.root.index) {
                if !isLate {
                    result.endangered.insert(slot)
                } else if old != nil, deletions.mayTakeAlong(relationship.destination.root) {
                    // Rules may take along the old target, and then what still refers to it: nothing in memory tells.
                    result.leaving.insert(slot)
                }
            }
            if relationship.isUniqueReference { movesUniqueReference = true }
        }
        return result
    }

    // MARK: Upserts

    /// New objects whose row is there: every column is written, or those that the policy names; nothing is compared.
    mutating func add(upserts: [(model: any PersistentModel, key: RowKey)]) throws {
        for (model, key) in upserts {
            guard let entity = context.mapping.entity(for: type(of: model)) else { throw SaveError.unknownClass(model) }
            let updated = context.uniquePolicy.updatedSlots(of: entity.descriptor)
            for owner in entity.layers {
                var slots = SlotSet(owner.tableValueSlots.filter { !owner.isKey($0) })
                if let updated { slots = slots.intersection(updated) }
                guard !slots.isEmpty else { continue }
                let shape = UpdateGroup.Shape(
                    owner: owner.index, slots: slots, checked: SlotSet(), phase: .upserting)
                try group(shape, owner, upserts.count).add(model, key: key, context.rewriting)
            }
        }
    }

    // MARK: New rows that were parked

    /// Gives them their unique values.
    mutating func settle(_ rows: NewRows) throws {
        for part in rows.parts {
            for group in part.groups {
                let parked = SlotSet(part.places(of: group.entity).map(\.slot))
                guard !parked.isEmpty else { continue }
                for owner in group.entity.layers {
                    let slots = parked.intersection(SlotSet(Array(owner.tableSlots)))
                    if !slots.isEmpty { try settle(slots, of: group, owner) }
                }
            }
        }
    }

    private mutating func settle(_ slots: SlotSet, of rows: ModelGroups.Group, _ owner: EntityMapping) throws {
        for model in rows.models {
            let shape = UpdateGroup.Shape(
                owner: owner.index, slots: slots, checked: SlotSet(), cleared: cleared(slots, of: model, rows.entity),
                phase: .settling)
            try group(shape, owner, rows.models.count).add(model, key: model._$state.key, context.rewriting)
        }
    }

    /// Those of the references of a new object whose target goes in this save and leaves them empty.
    private func cleared(_ slots: SlotSet, of model: any PersistentModel, _ entity: EntityMapping) -> SlotSet {
        SlotSet(
            slots.slots.filter { slot in
                guard let relationship = entity.relationships[slot], let column = entity.columns[slot],
                    let property = entity.descriptor.relationship(at: slot), let key = property.reference(of: model).key
                else { return false }
                return relationship.isClearedByServer(column) && context.isDeleted(key, of: relationship.destination)
            })
    }

    // MARK: Groups

    private mutating func group(_ shape: UpdateGroup.Shape, _ owner: EntityMapping, _ count: Int) -> UpdateGroup {
        if let latest, latest.shape == shape { return latest }
        if let known = known(shape) {
            latest = known
            return known
        }
        let group = UpdateGroup(
            context.mapping.updateLayouts.layout(shape, owner: owner), reservingCapacity: order.isEmpty ? count : 16)
        if !groups.isEmpty { groups[shape] = group }
        order.append(group)
        latest = group
        return group
    }

    private mutating func known(_ shape: UpdateGroup.Shape) -> UpdateGroup? {
        if order.count <= Self.few { return order.first { $0.shape == shape } }
        if groups.isEmpty { groups = Dictionary(uniqueKeysWithValues: order.map { ($0.shape, $0) }) }
        return groups[shape]
    }

    func statements(_ phase: UpdateGroup.Phase) throws -> [SaveStatement] {
        guard order.contains(where: { $0.shape.phase == phase }) else { return [] }
        // In a fixed order of tables, so that saves that touch the same tables wait for each other instead of deadlocking.
        return try order.filter { $0.shape.phase == phase }
            .sorted { $0.shape.owner < $1.shape.owner }
            .map { try UpdateStatement.render($0, context.conflictPolicy) }
    }
}

extension UpdatePlan.Table {
    /// Divides changed columns by when they can and have to be written.
    ///
    /// With a reference to a new row only what has to wait for it does: unique values, which a new row may be about to take,
    /// are given up before, together with all columns of their constraints.
    fileprivate func parts(
        of slots: SlotSet, _ references: UpdateCollector.References, _ parked: UpdateCollector.ParkedSets
    ) -> [(phase: UpdateGroup.Phase, slots: SlotSet)] {
        let tied = uniques.filter { !parked.sets.contains($0) }
        var endangered = slots.intersection(references.endangered)
        // What is part of a unique set that cannot be parked may be free only after the deletions.
        for unique in tied { endangered.subtract(unique) }
        var leaving = slots.intersection(references.leaving)
        leaving.formUnion(endangered)
        var waiting = slots.intersection(references.late)
        if leaving.isEmpty && waiting.isEmpty { return [(.early, slots)] }
        leaving = Self.withConstraints(leaving, tied).intersection(slots)
        // It has left already, for nothing.
        leaving.subtract(parked.slots)
        waiting.subtract(leaving)
        var rest = slots
        rest.subtract(leaving)
        if waiting.isEmpty { return [(.leaving, leaving), (.early, rest)] }
        let held = Self.withConstraints(waiting, uniques)
        var early = SlotSet()
        for unique in uniques where unique.intersection(held).isEmpty { early.formUnion(unique) }
        early = early.intersection(rest)
        rest.subtract(early)
        return [(.leaving, leaving), (.early, early), (.late, rest)]
    }

    /// The slots, and those that constraints tie to them.
    private static func withConstraints(_ slots: SlotSet, _ uniques: [SlotSet]) -> SlotSet {
        var result = slots
        var isGrowing = !slots.isEmpty
        while isGrowing {
            let before = result
            for unique in uniques where !unique.intersection(result).isEmpty { result.formUnion(unique) }
            isGrowing = result != before
        }
        return result
    }
}
