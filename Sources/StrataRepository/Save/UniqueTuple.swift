import StrataClient
import StrataModels

/// What a row has in a unique set, in the form in which it is stored.
struct UniqueTuple: Hashable {
    private var values: [[UInt8]?] = []

    /// With the texts of a row that was found by what is compared in their place.
    ///
    /// - Parameter first: the first of them in the row.
    func replacingTexts(of set: UniqueSet, _ row: PostgresRow, from first: Int) -> UniqueTuple {
        var (tuple, place) = (self, first)
        for index in values.indices where set.folds[index] != nil {
            tuple.values[index] = row.bytes(place).map { Array($0) }
            place += 1
        }
        return tuple
    }

    /// The same for all that is equal in the set, and for some of what is not: which texts are equal regardless of case only the server knows.
    func roughly(in set: UniqueSet) -> UniqueTuple {
        guard set.hasFolds else { return self }
        var tuple = self
        for index in values.indices where set.folds[index] != nil {
            tuple.values[index] = values[index].map(CaselessText.rough)
        }
        return tuple
    }

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
