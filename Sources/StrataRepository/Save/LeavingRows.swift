import StrataClient
import StrataModels

/// Rows that will not have the values that they have in a unique set any more when new objects are inserted.
struct LeavingRows {
    /// Those that leave them whatever they are.
    private(set) var keys: PostgresArray
    /// What those have to hold that leave their values only if nobody else has changed them: of a conflict the stored value stays.
    /// `nil` for something that equals nothing.
    private(set) var values: [RowKey: UniqueTuple?] = [:]

    init(of set: UniqueSet, _ context: SaveContext) throws {
        keys = PostgresArray(elementType: set.owner.keyKind.type)
        for group in context.deleted.groups where group.entity.root === set.owner.root {
            for model in group.models { try keys.append(model._$state.key) }
        }
        for group in context.changed.groups where set.applies(to: group.entity) {
            let writer = UniqueValues(of: group.entity, set, context)
            for model in group.models where set.isLeft(by: model) {
                if context.conflictPolicy == .keepStore, Self.isCompared(model, set) {
                    values[model._$state.key] = .some(try UniqueTuple(originalOf: model, set, writer))
                } else {
                    try keys.append(model._$state.key)
                }
            }
        }
    }

    /// Whether a row that has these values leaves them.
    func leaves(_ key: RowKey, _ tuple: UniqueTuple?) -> Bool {
        guard let known = values[key] else { return false }
        return known != nil && known == tuple
    }

    /// Whether the stored values are compared with what the object knew.
    private static func isCompared(_ model: any PersistentModel, _ set: UniqueSet) -> Bool {
        let properties = type(of: model)._$descriptor.properties
        return set.decidingSlots.allSatisfy { slot in
            guard model._$state.changedSlots.contains(slot) else { return properties[slot].isLoaded(in: model) }
            return model._$state.original(at: slot)?.isKnown == true
        }
    }
}
