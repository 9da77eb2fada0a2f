import StrataClient
package import StrataModels

/// What objects hold as far as it is loaded, so that what was read at two moments can be compared without keeping it.
///
/// A digest: that two different contents have the same is less likely than a fault of the memory.
package struct LoadedValues: Equatable {
    /// `nil` when a value could not be put into its stored form: then it is like no other.
    private let digest: Int?

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.digest != nil && lhs.digest == rhs.digest }

    /// Objects of one class of which the same is loaded.
    private struct Kind: Hashable {
        let descriptor: ObjectIdentifier
        let loaded: SlotSet
    }

    private final class Group {
        let entity: EntityMapping
        let buffers: ColumnBuffers
        let columns: SlotColumns

        init(_ entity: EntityMapping, _ loaded: SlotSet) {
            self.entity = entity
            var columns = SlotColumns(entity.descriptor.properties.count)
            var types: [PostgresType] = []
            for slot in loaded.slots {
                guard let column = entity.columns[slot] else { continue }
                columns[slot] = types.count
                types.append(column.transportType)
            }
            self.columns = columns
            buffers = ColumnBuffers(types, reservingCapacity: 16)
        }
    }

    /// - Parameter models: registered objects, in any order.
    package init(of models: [any PersistentModel], mapping: StoreMapping) {
        var hasher = Hasher()
        var groups: [Kind: Group] = [:]
        var order: [Group] = []
        var isComplete = true
        for model in models.sorted(by: { $0._$state.key < $1._$state.key }) {
            let descriptor = type(of: model)._$descriptor
            guard let entity = mapping.entity(for: descriptor) else { continue }
            let loaded = SlotSet(descriptor.properties.filter { $0.isLoaded(in: model) }.map(\.slot))
            let kind = Kind(descriptor: ObjectIdentifier(descriptor), loaded: loaded)
            let group = groups[kind] ?? Group(entity, loaded)
            if groups.updateValue(group, forKey: kind) == nil { order.append(group) }
            hasher.combine(entity.name)
            hasher.combine(model._$state.key)
            hasher.combine(loaded)
            for relationship in descriptor.relationships where !relationship.isToOne {
                hasher.combine(relationship.objects(of: model)?.map(\._$state.key))
            }
            if group.columns.write(model, into: group.buffers) != nil { isComplete = false }
        }
        for group in order { for index in 0..<group.buffers.count { group.buffers[index].hashElements(into: &hasher) } }
        digest = isComplete ? hasher.finalize() : nil
    }
}
