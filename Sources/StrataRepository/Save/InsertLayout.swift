import StrataClient
import StrataModels

/// Which buffer takes what when the objects of one hierarchy are collected: for every table its key, the root's class, then
/// the properties.
struct InsertLayout {
    struct Table {
        /// The class as which the rows are written: the one that stands for the table where rows of several do.
        let owner: EntityMapping
        let first: Int
        var columns: [InsertedColumn]
        /// The properties of its columns, in their order, behind the key and the class.
        fileprivate var slots: [PlacedSlot] = []
    }

    /// A property, and the class that declares it.
    fileprivate struct PlacedSlot {
        let slot: Int
        let declaring: EntityMapping
    }

    /// What is written for an object of one class. It is shared: a copy for each object would be one of each of its arrays.
    final class Class {
        let columns: ClassColumns

        fileprivate init(_ columns: ClassColumns) { self.columns = columns }
    }

    struct ClassColumns {
        let name: String
        fileprivate(set) var slots: SlotColumns
        fileprivate(set) var keys: [Int] = []
        fileprivate(set) var discriminator: Int?
        /// Relationships that must have a target.
        fileprivate(set) var required: [(property: RelationshipProperty, destination: EntityMapping)] = []
        /// Ordered relationships that have the position of such an object in its tables.
        fileprivate(set) var positions: [(order: ListOrder, column: Int)] = []
        /// Columns that do not have the values of the objects yet.
        fileprivate(set) var parked: [(place: ParkingPlace, column: Int)] = []
        /// Columns of other classes in the same table.
        fileprivate(set) var empty: [Int] = []
        /// Foreign keys that are written one by one, because keys are rewritten or their targets may be deleted.
        fileprivate(set) var references: [Reference] = []

        struct Reference {
            let property: RelationshipProperty
            let column: Int
            let destination: EntityMapping?
            /// Whether the server clears the foreign key when the target is deleted.
            let isCleared: Bool
        }

        fileprivate let places: [ParkingPlace]

        fileprivate init(_ entity: EntityMapping, _ places: [ParkingPlace]) {
            self.places = places
            name = entity.discriminator
            slots = SlotColumns(entity.descriptor.properties.count)
        }
    }

    private(set) var tables: [Table] = []
    private(set) var types: [PostgresType] = []
    /// In the order in which the classes were given.
    private(set) var classes: [Class] = []
    private let writesReferencesApart: Bool
    private var tableOfOwner: [Int: Int] = [:]
    /// The classes whose rows go into one table together, by the class that stands for it: in one order of their unique values, so that two saves that
    /// write the same values as objects of different classes wait for each other instead of deadlocking. In tables of others a column of
    /// another class may have a default and take no NULL, so each class has a statement.
    private var together: [Int: [EntityMapping]] = [:]

    /// - Parameters:
    ///   - written: the classes in whose tables the rows are new; `nil` for all.
    ///   - writesReferencesApart: whether what foreign keys hold is not always the key of the target.
    ///   - parked: the columns of a class, by its index, that do not get the values of the objects yet.
    init(
        _ entities: [EntityMapping], written: [EntityMapping]? = nil, writesReferencesApart: Bool,
        parked: [Int: [ParkingPlace]]
    ) {
        self.writesReferencesApart = writesReferencesApart
        if entities.count > 1, entities[0].tables == .own {
            together = Dictionary(grouping: entities, by: \.base.index).filter { $1.count > 1 }
                .mapValues { $0.sorted { $0.index < $1.index } }
        }
        for entity in entities {
            let owners = entity.layers.filter { owner in written?.contains { $0 === owner } != false }
            classes.append(Class(makeColumns(of: entity, in: owners, parked: parked[entity.index] ?? [])))
        }
    }

    private mutating func makeColumns(
        of entity: EntityMapping, in owners: [EntityMapping], parked: [ParkingPlace]
    ) -> ClassColumns {
        var columns = ClassColumns(entity, parked)
        for owner in owners {
            let table = tables[place(of: owner)]
            var next = table.first
            if owner.keyIsApart {
                columns.keys.append(next)
                next += 1
            }
            if owner.ownClassColumn != nil {
                columns.discriminator = next
                next += 1
            }
            for placed in table.slots {
                if owner.descriptor.inherits(from: placed.declaring.descriptor) {
                    assign(next, to: placed.slot, of: entity, &columns)
                } else {
                    columns.empty.append(next)
                }
                next += 1
            }
            for order in owner.base.orders {
                columns.positions.append((order, next))
                next += 1
            }
        }
        return columns
    }

    private func assign(_ column: Int, to slot: Int, of entity: EntityMapping, _ columns: inout ClassColumns) {
        if let place = columns.places.first(where: { $0.slot == slot }) {
            return columns.parked.append((place, column))
        }
        if let property = entity.descriptor.relationship(at: slot) {
            if !property.isOptional, let destination = entity.relationships[slot]?.destination {
                columns.required.append((property, destination))
            }
            if writesReferencesApart {
                let relationship = entity.relationships[slot]
                columns.references.append(
                    ClassColumns.Reference(
                        property: property, column: column, destination: relationship?.destination,
                        isCleared: entity.columns[slot].map { relationship?.isClearedByServer($0) ?? false } ?? false))
                return
            }
        }
        columns.slots[slot] = column
    }

    private mutating func place(of entity: EntityMapping) -> Int {
        let members = together[entity.base.index]
        let owner = members == nil ? entity : entity.base
        if let known = tableOfOwner[owner.index] { return known }
        var table = Table(
            owner: owner, first: types.count, columns: owner.keyIsApart ? [InsertedColumn(keyOf: owner)] : [])
        if let name = owner.ownClassColumn { table.columns.append(InsertedColumn(name, .text)) }
        let classes = members ?? [owner]
        for declaring in owner.base.tableClasses
        where classes.contains(where: { $0.descriptor.inherits(from: declaring.descriptor) }) {
            for slot in declaring.ownWrittenSlots {
                guard let column = declaring.columns[slot] else { continue }
                table.slots.append(PlacedSlot(slot: slot, declaring: declaring))
                table.columns.append(InsertedColumn(column))
            }
        }
        table.columns += owner.base.orders.map { InsertedColumn($0.position) }
        types += table.columns.map(\.transport)
        tableOfOwner[owner.index] = tables.count
        tables.append(table)
        return tables.count - 1
    }
}

/// A column, or a foreign key of several, of which an `INSERT` has one array.
struct InsertedColumn {
    let name: String
    let type: PostgresType
    let transport: PostgresType
    /// `nil` for the column of a key that has one, and of a class.
    let column: Column?

    init(_ name: String, _ type: PostgresType) {
        (self.name, self.type, transport, column) = (name, type, type, nil)
    }

    /// The key, which comes apart into as many columns as it has.
    init(keyOf owner: EntityMapping) {
        (name, type, transport) = (owner.key.first, owner.keyKind.type, owner.keyKind.type)
        column = owner.key.isSingle ? nil : Column(keyOf: owner)
    }

    init(_ column: Column) {
        (name, type, transport, self.column) = (column.name, column.type, column.transportType, column)
    }

    /// The names in quotes, each with its value.
    func assignments(_ value: String) -> [(name: String, value: String)] {
        column?.assignments(value) ?? [(SQLFragment.quoted(name), value)]
    }
}
