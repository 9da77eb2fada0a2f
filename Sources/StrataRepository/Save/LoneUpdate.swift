import StrataClient
import StrataModels

/// The save that servers make most: attributes of one object changed, and nothing else did, within a transaction or as one. It needs
/// none of what the steps of a larger save know of each other, so it is planned without them, in a fraction of the time.
enum LoneUpdate {
    /// The statement that does all of it; `nil` for a save that needs a plan.
    static func statement(_ request: SaveRequest, _ mapping: StoreMapping) throws -> SaveStatement? {
        guard let model = candidate(request), let entity = mapping.entity(for: type(of: model)) else { return nil }
        return try request.asItBegan {
            let state = model._$state
            let slots = state.changedSlots
            if entity.keySlots.contains(where: { slots.contains($0) }) { return nil }
            // Delete rules may follow.
            if let date = entity.descriptor.dates.deletion, slots.contains(date) { return nil }
            try SaveValidation.checkPrecision(of: model, entity, onlyChanged: true)
            let plan = mapping.updatePlans.plan(of: entity, slots, request.conflictPolicy)
            guard plan.isOneRow, let table = plan.tables.first else { return nil }
            var checked = table.checked(of: state, table.slots, request.conflictPolicy)
            if let overwritten = request.overwritten[ObjectIdentifier(model)] { checked.subtract(overwritten) }
            let shape = UpdateGroup.Shape(
                owner: table.owner.index, slots: table.slots, checked: checked, phase: .early)
            let group = UpdateGroup(mapping.updateLayouts.layout(shape, owner: table.owner), reservingCapacity: 1)
            try group.add(model, key: state.key, KeyRewriting())
            guard request.insideTransaction else {
                return request.asksForMoment
                    ? try UpdateStatement.recorded(group, in: mapping.schemaName) : try UpdateStatement.alone(group)
            }
            let alone = try UpdateStatement.alone(group)
            // What else the transaction has is not to be committed when this is in conflict: the server has to decide.
            return isAll(alone, of: request) ? alone : try UpdateStatement.render(group, request.conflictPolicy)
        }
    }

    /// Whether the transaction has written nothing before, is committed with this statement, and would not be needed to do it again: when
    /// it writes no row, nothing is committed.
    private static func isAll(_ statement: SaveStatement, of request: SaveRequest) -> Bool {
        request.commitsTransaction && !request.followsWrites && !ConflictQuery.mayHealForms(statement)
    }

    private static func candidate(_ request: SaveRequest) -> (any PersistentModel)? {
        guard request.changed.count == 1, request.inserted.isEmpty, request.deleted.isEmpty,
            request.classChange == nil, request.conflictPolicy != .keepStore, request.storedForms.isEmpty
        else { return nil }
        return request.changed[0]
    }
}
