import StrataModels

/// Collects changed objects by table and set of columns.
struct UpdateCollector {
    private let context: SaveContext
    private var groups: [UpdateGroup.Shape: UpdateGroup] = [:]
    private var order: [UpdateGroup] = []
    private var latest: UpdateGroup?
    private var plans: [Plan.Key: Plan] = [:]
    /// Whether deletions come before the other updates, so that references to what is deleted are written before.
    private let deletesFirst: Bool
    /// Whether an object leaves a target that is deleted in the same save for one that is inserted in it: the deletion must
    /// wait for that.
    private(set) var leavesDeletedTargetLate = false
    /// Whether a foreign key that no two rows may share changes hands.
    private(set) var movesUniqueReference = false

    init(_ context: SaveContext, deletesFirst: Bool) {
        self.context = context
        self.deletesFirst = deletesFirst
    }

    /// What a set of changed properties of one class means.
    fileprivate struct Plan {
        struct Key: Hashable {
            let entity: Int
            let slots: SlotSet
        }

        struct Table {
            let owner: EntityMapping
            var slots = SlotSet()
            var comparable = SlotSet()
            /// The unique sets of the table: their columns are written together.
            var uniques: [SlotSet] = []
        }

        var tables: [Table] = []
        var references: [(relationship: RelationshipMapping, column: Column)] = []
    }

    // MARK: Changed objects

    mutating func add(_ changed: ModelGroups) throws {
        for group in changed.groups {
            var slots = SlotSet()
            var plan = Plan()
            try ModelGroups.forEachByKey([group]) { model, _ in
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
        let references = plan.references.isEmpty ? References() : try references(of: model, plan)
        for table in plan.tables {
            if let change = context.classChange, change.inserts(table.owner, of: model) { continue }
            var slots = table.slots
            if !references.handled.isEmpty { slots.subtract(references.handled) }
            if references.leaving.isEmpty && references.late.isEmpty {
                try add(model, state, table, slots, .early, references.cleared, expecting: count)
            } else {
                for (phase, part) in table.parts(of: slots, references) {
                    try add(model, state, table, part, phase, references.cleared, expecting: count)
                }
            }
        }
    }

    private mutating func add(
        _ model: any PersistentModel, _ state: ModelState, _ table: Plan.Table, _ slots: SlotSet,
        _ phase: UpdateGroup.Phase, _ cleared: SlotSet, expecting count: Int
    ) throws {
        guard !slots.isEmpty else { return }
        let shape = UpdateGroup.Shape(
            owner: table.owner.index, slots: slots, checked: checkedSlots(of: state, slots, table.comparable),
            cleared: SlotSet(cleared.slots.filter(slots.contains)), phase: phase, isUpsert: false)
        try group(shape, table.owner, count).add(
            model, key: state.key, context.rewriting, storedForms: context.storedForms[ObjectIdentifier(model)])
    }

    /// What the changed foreign keys of one object mean for the order.
    fileprivate struct References {
        /// Those that the server clears by itself when it deletes their target.
        var handled = SlotSet()
        /// Those that leave what is deleted, where deletions come first.
        var leaving = SlotSet()
        /// Those that refer to new rows.
        var late = SlotSet()
        /// Those that refer to what has been deleted by then, and are empty after that.
        var cleared = SlotSet()
    }

    /// Looks at changed foreign keys.
    private mutating func references(of model: any PersistentModel, _ plan: Plan) throws -> References {
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
            if deletesFirst, let key = current.key, context.isDeleted(key, of: relationship.destination),
                relationship.isClearedByServer(column)
            {
                result.cleared.insert(slot)
            }
            let isLate = current.key.map(context.insertedKeys.contains) ?? false
            if isLate { result.late.insert(slot) }
            let old = (model._$state.original(at: slot) as? OriginalReference)?.reference.key
            if let old, context.isDeleted(old, of: relationship.destination) {
                if case .none = current, relationship.isClearedByServer(column) {
                    result.handled.insert(slot)
                    continue
                } else if isLate {
                    leavesDeletedTargetLate = true
                } else if deletesFirst {
                    result.leaving.insert(slot)
                }
            }
            if relationship.isUniqueReference { movesUniqueReference = true }
        }
        return result
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
        let plan = Self.makePlan(of: entity, slots, context.conflictPolicy)
        plans[key] = plan
        return plan
    }

    private static func makePlan(of entity: EntityMapping, _ slots: SlotSet, _ policy: ConflictPolicy) -> Plan {
        var plan = Plan()
        for slot in slots.slots {
            guard slot < entity.columns.count, let column = entity.columns[slot] else { continue }
            let owner = entity.owner(ofSlot: slot)
            if plan.tables.last?.owner !== owner {
                plan.tables.append(
                    Plan.Table(
                        owner: owner,
                        uniques: owner.uniqueSets.filter { $0.owner === owner }.map { SlotSet($0.slots) }))
            }
            let last = plan.tables.count - 1
            plan.tables[last].slots.insert(slot)
            if let relationship = entity.relationships[slot] {
                plan.references.append((relationship, column))
                plan.tables[last].comparable.insert(slot)
            } else if let attribute = entity.descriptor.properties[slot] as? AnyAttributeProperty {
                switch attribute.comparison {
                case .exact: plan.tables[last].comparable.insert(slot)
                // Which of two forms that mean the same is stored cannot be told within the statement.
                case .restored where policy == .throw: plan.tables[last].comparable.insert(slot)
                case .restored, .none: break
                }
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
                    owner: owner.index, slots: slots, checked: SlotSet(), phase: .late, isUpsert: true)
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

    func statements(_ phase: UpdateGroup.Phase) throws -> [SaveStatement] {
        guard !order.isEmpty else { return [] }
        // In a fixed order of tables, so that saves that touch the same tables wait for each other instead of deadlocking.
        return try order.filter { $0.shape.phase == phase }
            .sorted { ($0.shape.isUpsert ? 1 : 0, $0.shape.owner) < ($1.shape.isUpsert ? 1 : 0, $1.shape.owner) }
            .map { try UpdateStatement.render($0, $0.shape.isUpsert ? .overwrite : context.conflictPolicy) }
    }
}

extension UpdateCollector.Plan.Table {
    /// Divides changed columns by when they can and have to be written.
    ///
    /// With a reference to a new row only what has to wait for it does: unique values, which a new row may be about to take,
    /// are given up before, together with all columns of their constraints.
    fileprivate func parts(
        of slots: SlotSet, _ references: UpdateCollector.References
    ) -> [(phase: UpdateGroup.Phase, slots: SlotSet)] {
        var leaving = slots.intersection(references.leaving)
        let waiting = slots.intersection(references.late)
        if leaving.isEmpty && waiting.isEmpty { return [(.early, slots)] }
        leaving = withConstraints(leaving).intersection(slots)
        var rest = slots
        rest.subtract(leaving)
        if waiting.isEmpty { return [(.leaving, leaving), (.early, rest)] }
        let held = withConstraints(waiting)
        var early = SlotSet()
        for unique in uniques where unique.intersection(held).isEmpty { early.formUnion(unique) }
        early = early.intersection(rest)
        rest.subtract(early)
        return [(.leaving, leaving), (.early, early), (.late, rest)]
    }

    /// The slots, and those that constraints tie to them.
    private func withConstraints(_ slots: SlotSet) -> SlotSet {
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
