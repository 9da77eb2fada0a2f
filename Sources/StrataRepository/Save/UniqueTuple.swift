import StrataClient
import StrataModels

/// What a row has in a unique set, in the form in which it is stored.
struct UniqueTuple: Hashable {
    private var values: [[UInt8]?] = []

    /// What an object has now; `nil` when something of it is `nil` that equals nothing.
    init?(_ model: any PersistentModel, _ set: UniqueSet, _ writer: UniqueValues) throws {
        let buffers = ColumnBuffers([.int8] + set.decidingColumns.map(\.transportType), reservingCapacity: 1)
        try writer.append(model, to: buffers)
        for index in set.columns.indices {
            let value = buffers[index + 1].firstElement
            if value == nil, set.nullsAreDistinct { return nil }
            values.append(value)
        }
    }

    /// What an object had when it was read; `nil` when something of it was `nil` that equals nothing, or is not known.
    init?(originalOf model: any PersistentModel, _ set: UniqueSet, _ writer: UniqueValues) throws {
        let state = model._$state
        let buffers = ColumnBuffers([.int8] + set.decidingColumns.map(\.transportType), reservingCapacity: 1)
        try writer.append(model, to: buffers)
        for (index, slot) in set.slots.enumerated() {
            var array = buffers[index + 1]
            if state.changedSlots.contains(slot) {
                guard let original = state.original(at: slot), original.isKnown else { return nil }
                array = PostgresArray(elementType: set.columns[index].transportType, reservingCapacity: 1)
                try original.append(to: &array)
            }
            let value = array.firstElement
            if value == nil, set.nullsAreDistinct { return nil }
            values.append(value)
        }
    }
}
