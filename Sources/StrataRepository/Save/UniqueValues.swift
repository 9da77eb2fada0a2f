import StrataClient
import StrataModels

/// Writes what objects of one class have in a unique set into columns, the first of which is not its own.
///
/// A reference is the key that its target will have, which may be another than the target's own.
struct UniqueValues {
    private let slots: SlotColumns
    private var references: [(property: RelationshipProperty, column: Int)] = []
    private let rewriting: KeyRewriting

    init(of descriptor: ModelDescriptor, _ set: UniqueSet, _ rewriting: KeyRewriting) {
        slots = SlotColumns(descriptor.properties.count)
        self.rewriting = rewriting
        for (index, slot) in set.slots.enumerated() {
            if !rewriting.isEmpty, let property = descriptor.properties[slot] as? RelationshipProperty {
                references.append((property, index + 1))
            } else {
                slots[slot] = index + 1
            }
        }
    }

    func append(_ model: any PersistentModel, to buffers: ColumnBuffers) throws {
        var writer = RowWriter(buffers: buffers, columns: slots.pointer)
        model._$encode(&writer)
        if let failure = writer.failure { throw SaveError.unwritable(failure, of: model) }
        for (property, column) in references {
            if let target = property.reference(of: model).key {
                try buffers[column].append(rewriting(target))
            } else {
                buffers[column].appendNull()
            }
        }
    }
}
