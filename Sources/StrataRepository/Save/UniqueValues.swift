import StrataClient
import StrataModels

/// Writes what objects of one class have in a unique set, and what its condition asks for, into columns, the first of which is not its own.
///
/// A reference is the key that its target will have, which may be another than the target's own; one to a target that goes in the save
/// will be empty.
struct UniqueValues {
    private var slots: SlotColumns
    private var references: [(property: RelationshipProperty, destination: EntityMapping, column: Int)] = []
    private let context: SaveContext

    init(of entity: EntityMapping, _ set: UniqueSet, _ context: SaveContext) {
        slots = SlotColumns(entity.descriptor.properties.count)
        self.context = context
        let writesReferencesApart = !context.rewriting.isEmpty || !context.deletedKeys.isEmpty
        for (index, slot) in set.decidingSlots.enumerated() {
            if writesReferencesApart, let property = entity.descriptor.relationship(at: slot),
                let destination = entity.relationships[slot]?.destination
            {
                references.append((property, destination, index + 1))
            } else {
                slots[slot] = index + 1
            }
        }
    }

    func append(_ model: any PersistentModel, to buffers: ColumnBuffers) throws {
        if let failure = slots.write(model, into: buffers) { throw SaveError.unwritable(failure, of: model) }
        for (property, destination, column) in references {
            if let target = property.reference(of: model).key, !context.isDeleted(target, of: destination) {
                try buffers[column].append(context.rewriting(target, of: destination))
            } else {
                buffers[column].appendNull()
            }
        }
    }
}
