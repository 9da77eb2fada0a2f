import StrataClient
import StrataModels

/// Which buffer takes what when the objects of one hierarchy are collected: for every table its key, the root's class, then
/// the properties.
struct InsertLayout {
    struct Table {
        let entity: EntityMapping
        let first: Int
        var columns: [(name: String, type: PostgresType, transport: PostgresType)]
    }

    /// What is written for an object of one class.
    final class ClassColumns {
        let name: String
        let slots: SlotColumns
        var keys: [Int] = []
        var discriminator: Int?
        /// Relationships that must have a target.
        var required: [(property: RelationshipProperty, destination: EntityMapping)] = []
        /// Foreign keys that are written one by one because keys are rewritten.
        var references: [(property: RelationshipProperty, column: Int)] = []

        init(_ entity: EntityMapping) {
            name = entity.discriminator
            slots = SlotColumns(entity.descriptor.properties.count)
        }
    }

    private(set) var tables: [Table] = []
    private(set) var types: [PostgresType] = []
    private let rewritesKeys: Bool
    private var classes: [Int: ClassColumns] = [:]
    private var places: [Int: Int] = [:]
    private var latest: (index: Int, columns: ClassColumns)?

    init(rewritesKeys: Bool) {
        self.rewritesKeys = rewritesKeys
    }

    func columns(of entity: EntityMapping) -> ClassColumns? {
        classes.count == 1 ? latest?.columns : classes[entity.index]
    }

    /// Makes room for objects of a class.
    mutating func add(_ entity: EntityMapping) {
        if latest?.index == entity.index { return }
        if let known = classes[entity.index] {
            latest = (entity.index, known)
            return
        }
        let columns = ClassColumns(entity)
        for owner in entity.chain {
            let table = tables[place(of: owner)]
            columns.keys.append(table.first)
            var next = table.first + 1
            if owner.parent == nil, owner.hasDiscriminator {
                columns.discriminator = next
                next += 1
            }
            for slot in owner.descriptor.ownSlots where owner.columns[slot] != nil {
                assign(next, to: slot, of: entity, columns)
                next += 1
            }
        }
        classes[entity.index] = columns
        latest = (entity.index, columns)
    }

    private func assign(_ column: Int, to slot: Int, of entity: EntityMapping, _ columns: ClassColumns) {
        if let property = entity.descriptor.properties[slot] as? RelationshipProperty {
            if !property.isOptional, let destination = entity.relationships[slot]?.destination {
                columns.required.append((property, destination))
            }
            if rewritesKeys {
                columns.references.append((property, column))
                return
            }
        }
        columns.slots[slot] = column
    }

    private mutating func place(of owner: EntityMapping) -> Int {
        if let known = places[owner.index] { return known }
        var table = Table(
            entity: owner, first: types.count, columns: [(ReservedColumn.key, .int8, .int8)])
        if owner.parent == nil, owner.hasDiscriminator {
            table.columns.append((ReservedColumn.discriminator, .text, .text))
        }
        for column in owner.ownColumns { table.columns.append((column.name, column.type, column.transportType)) }
        types += table.columns.map(\.transport)
        places[owner.index] = tables.count
        tables.append(table)
        return tables.count - 1
    }
}
