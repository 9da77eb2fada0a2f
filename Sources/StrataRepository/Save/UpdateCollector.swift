import StrataModels

/// Collects changed objects by table and set of columns.
struct UpdateCollector {
    private let context: SaveContext
    private var groups: [UpdateGroup.Shape: UpdateGroup] = [:]
    private var order: [UpdateGroup] = []
    private var latest: UpdateGroup?
    private var plans: [Plan.Key: Plan] = [:]
    /// Whether an object leaves a target that is deleted in the same save: it must do so before the deletion.
    private(set) var leavesDeletedTarget = false
    /// Whether a foreign key that no two rows may share changes hands.
    private(set) var movesUniqueReference = false

    init(_ context: SaveContext) {
        self.context = context
    }

    /// What a set of changed properties of one class means.
    private struct Plan {
        struct Key: Hashable {
            let entity: Int
            let slots: SlotSet
        }

        struct Table {
            let owner: EntityMapping
            var slots = SlotSet()
            var comparable = SlotSet()
        }

        var tables: [Table] = []
        var references: [(relationship: RelationshipMapping, column: Column)] = []
    }

    // MARK: Changed objects

    mutating func add(_ changed: ModelGroups) throws {
        for group in changed.groups {
            var slots = SlotSet()
            var plan = Plan()
            for model in group.sortedByKey {
                let state = model._$state
                if state.changedSlots != slots {
                    slots = state.changedSlots
                    plan = self.plan(of: group.entity, slots)
                }
                try add(model, state, plan, expecting: changed.count)
            }
        }
    }

    private mutating func add(_ model: any PersistentModel, _ state: ModelState, _ plan: Plan, expecting count: Int)
        throws
    {
        let (handled, isLate) = plan.references.isEmpty ? (SlotSet(), false) : try references(of: model, plan)
        for table in plan.tables {
            var slots = table.slots
            if !handled.isEmpty {
                slots.subtract(handled)
                if slots.isEmpty { continue }
            }
            let shape = UpdateGroup.Shape(
                owner: table.owner.index, slots: slots, checked: checkedSlots(of: state, slots, table.comparable),
                isLate: isLate, isUpsert: false)
            try group(shape, table.owner, count).add(model, key: state.key, context.rewriting)
        }
    }

    /// Looks at changed foreign keys.
    ///
    /// - Returns: those that the server clears by itself when it deletes their target, and whether others refer to new rows.
    private mutating func references(
        of model: any PersistentModel, _ plan: Plan
    ) throws -> (handled: SlotSet, isLate: Bool) {
        var handled = SlotSet()
        var isLate = false
        for (relationship, column) in plan.references {
            let slot = relationship.property.slot
            let properties = type(of: model)._$descriptor.properties
            guard let property = properties[slot] as? RelationshipProperty else { continue }
            let current = property.reference(of: model)
            if case .unloaded = current { throw SaveError.missingTarget(property, of: model) }
            if !property.isOptional, !context.hasTarget(current, of: relationship.destination) {
                throw SaveError.missingTarget(property, of: model)
            }
            let old = (model._$state.original(at: slot) as? OriginalReference)?.reference.key
            if let old, context.isDeleted(old, of: relationship.destination) {
                if case .none = current, relationship.isClearedByServer(column) {
                    handled.insert(slot)
                    continue
                }
                leavesDeletedTarget = true
            }
            if relationship.isUniqueReference { movesUniqueReference = true }
            if let key = current.key, context.insertedKeys.contains(key) { isLate = true }
        }
        return (handled, isLate)
    }

    private func checkedSlots(of state: ModelState, _ slots: SlotSet, _ comparable: SlotSet) -> SlotSet {
        var checked = SlotSet()
        guard context.conflictPolicy != .overwrite else { return checked }
        for original in state.originals
        where slots.contains(original.slot) && comparable.contains(original.slot) && original.isKnown {
            checked.insert(original.slot)
        }
        return checked
    }

    private mutating func plan(of entity: EntityMapping, _ slots: SlotSet) -> Plan {
        let key = Plan.Key(entity: entity.index, slots: slots)
        if let known = plans[key] { return known }
        let plan = Self.makePlan(of: entity, slots)
        plans[key] = plan
        return plan
    }

    private static func makePlan(of entity: EntityMapping, _ slots: SlotSet) -> Plan {
        var plan = Plan()
        for slot in slots.slots {
            guard slot < entity.columns.count, let column = entity.columns[slot] else { continue }
            let owner = entity.owner(ofSlot: slot)
            if plan.tables.last?.owner !== owner { plan.tables.append(Plan.Table(owner: owner)) }
            let last = plan.tables.count - 1
            plan.tables[last].slots.insert(slot)
            if let relationship = entity.relationships[slot] {
                plan.references.append((relationship, column))
                plan.tables[last].comparable.insert(slot)
            } else if (entity.descriptor.properties[slot] as? AnyAttributeProperty)?.isComparable == true {
                plan.tables[last].comparable.insert(slot)
            }
        }
        return plan
    }

    // MARK: Upserts

    /// New objects whose row is there: every column is written, nothing is compared.
    mutating func add(upserts: [(model: any PersistentModel, key: Int64)]) throws {
        for (model, key) in upserts {
            guard let entity = context.mapping.entity(for: type(of: model)) else { throw SaveError.unknownClass(model) }
            for owner in entity.chain {
                let slots = SlotSet(owner.descriptor.ownSlots.filter { owner.columns[$0] != nil })
                guard !slots.isEmpty else { continue }
                let shape = UpdateGroup.Shape(
                    owner: owner.index, slots: slots, checked: SlotSet(), isLate: true, isUpsert: true)
                try group(shape, owner, upserts.count).add(model, key: key, context.rewriting)
            }
        }
    }

    // MARK: Groups

    private mutating func group(_ shape: UpdateGroup.Shape, _ owner: EntityMapping, _ count: Int) -> UpdateGroup {
        if let latest, latest.shape == shape { return latest }
        if let known = groups[shape] {
            latest = known
            return known
        }
        let group = UpdateGroup(shape, owner: owner, reservingCapacity: groups.isEmpty ? count : 16)
        groups[shape] = group
        order.append(group)
        latest = group
        return group
    }

    /// - Parameter late: `false` for what goes before the inserts, so that values which new rows take are free; `true` for
    ///   what refers to new rows.
    func statements(late: Bool) throws -> [SaveStatement] {
        // In a fixed order of tables, so that saves that touch the same tables wait for each other instead of deadlocking.
        try order.filter { $0.shape.isLate == late }
            .sorted { ($0.shape.isUpsert ? 1 : 0, $0.shape.owner) < ($1.shape.isUpsert ? 1 : 0, $1.shape.owner) }
            .map { try UpdateStatement.render($0, $0.shape.isUpsert ? .overwrite : context.conflictPolicy) }
    }
}
