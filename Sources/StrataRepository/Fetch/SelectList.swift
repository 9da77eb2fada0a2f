import StrataClient
package import StrataModels

/// The columns that make objects of a class and its subclasses, and where in the result they are.
///
/// The key comes first, then the class where rows of several classes may come, then the properties.
package final class SelectList: Sendable {
    /// Which properties are read.
    package enum Selection {
        /// All but external storage.
        case all
        /// These, and those without which a getter would have nothing to return.
        case named(SlotSet)
        /// These and no others.
        case exactly(SlotSet)
    }

    /// What is joined to read columns from it.
    enum Source: Sendable {
        case table(EntityMapping)
        case level(HierarchyLevel)
    }

    package let entity: EntityMapping
    /// The columns, separated by commas.
    package let columns: SQLFragment
    package let count: Int
    /// Where the columns are read from, in the order in which it was joined.
    let sources: [Source]
    /// One layout for each class a row can be of.
    let layouts: [RowLayout]
    /// What the server must send at each position, for the check of its first answer.
    private let expected: [Expectation]
    private let expectedTypes: [UInt32]
    /// Whether the class of each row stands behind its key.
    let hasClass: Bool

    /// - Parameter selection: by slots of `entity` (and of its subclasses).
    package init(_ entity: EntityMapping, from scope: TableScope, selection: Selection = .all) {
        self.entity = entity
        // A leaf's rows can be of no other class: its root need not be joined to learn it.
        hasClass = !entity.children.isEmpty
        // The key of somebody else's table, or a part of it, may be a smaller number than the property that holds it.
        let isWidened = entity.tables == .external && entity.keySlot != nil && entity.keyKind == .integer
        var fragments = [isWidened ? "\(scope.key())::bigint" : scope.key()]
        var tables: [EntityMapping] = []
        var sources: [Source] = []
        func read(_ layer: EntityMapping) {
            let owner = layer.base
            if tables.contains(where: { $0 === owner }) { return }
            tables.append(owner)
            sources.append(.table(owner))
        }
        var expected: [Expectation] = [.key(entity)]
        if hasClass {
            if entity.classColumn == nil { entity.descendants.forEach(read) } else { read(entity.root) }
            fragments.append(scope.discriminator())
            expected.append(.anything)
        }
        let classes = entity.family
        var places = classes.map { SlotColumns($0.descriptor.properties.count) }
        // Inherited columns stand once in the result and serve all classes; a subclass's own serve it and those below
        // it.
        func select(_ slots: Range<Int>, of owner: EntityMapping, for classes: [Int]) {
            for slot in slots {
                // The key is there already.
                if slot == owner.keySlot {
                    for index in classes { places[index][marked: slot] = 0 }
                    continue
                }
                guard let column = owner.columns[slot], Self.includes(slot, column, of: owner, in: selection) else {
                    continue
                }
                let position = Int16(fragments.count)
                let table = owner.owner(ofSlot: slot)
                read(table)
                let isNumberOfKey = owner.isKey(slot) && owner.relationships[slot] == nil && column.type == .int8
                let shown = scope.shown(slot, of: owner)
                fragments.append(isNumberOfKey && entity.tables == .external ? "\(shown)::bigint" : shown)
                expected.append(.column(TableColumn(column, of: table)))
                let mark = owner.referredKind(slot) == .text ? RowReader.textKeys : 0
                for index in classes { places[index][marked: slot] = position | mark }
            }
        }
        select(0..<entity.descriptor.properties.count, of: entity, for: Array(classes.indices))
        func below(_ ancestor: EntityMapping) -> [Int] {
            classes.indices.filter { classes[$0].descriptor.inherits(from: ancestor.descriptor) }
        }
        let levels = scope.levels ?? Self.levels(below: entity, selection)
        let inLevels = Set(levels.flatMap { $0.parts.map(\.entity.index) })
        for descendant in entity.descendants where !inLevels.contains(descendant.index) {
            select(descendant.descriptor.ownSlots, of: descendant, for: below(descendant))
        }
        for level in levels {
            sources.append(.level(level))
            let alias = scope.table(of: level)
            for part in level.parts {
                let classes = below(part.entity)
                for (slot, place) in part.places {
                    let mark = part.entity.referredKind(slot) == .text ? RowReader.textKeys : 0
                    for index in classes { places[index][marked: slot] = Int16(fragments.count + place) | mark }
                }
            }
            for place in level.places.indices {
                fragments.append("\(alias).\(HierarchyLevel.name(place))")
                expected.append(.place(level.places[place]))
            }
        }
        columns = fragments.joined(separator: ", ")
        count = fragments.count
        self.sources = sources
        self.expected = expected
        expectedTypes = expected.map(\.type.oid)
        layouts = zip(classes, places).map { RowLayout($0, $1) }
    }

    /// The levels of subclasses that a selection is read from.
    static func levels(below entity: EntityMapping, _ selection: Selection) -> [HierarchyLevel] {
        HierarchyLevel.below(entity) { owner, slot in
            owner.columns[slot].map { includes(slot, $0, of: owner, in: selection) } ?? false
        }
    }

    private static func includes(_ slot: Int, _ column: Column, of owner: EntityMapping, in selection: Selection)
        -> Bool
    {
        switch selection {
        case .all: return !column.isExternal
        case .exactly(let slots): return slots.contains(slot)
        case .named(let slots):
            // Whether an object is there is part of what it is.
            if slots.contains(slot) || slot == owner.descriptor.dates.deletion || owner.isKey(slot) { return true }
            guard let attribute = owner.descriptor.properties[slot] as? AnyAttributeProperty else { return false }
            return !attribute.hasNeutralValue
        }
    }

    private enum Expectation {
        case anything
        case key(EntityMapping)
        case column(TableColumn)
        case place(HierarchyLevel.Place)

        var type: PostgresType {
            switch self {
            case .anything: .unspecified
            case .key(let entity): entity.keyKind.type
            case .column(let column): column.column.type
            case .place(let place): place.type
            }
        }
    }

    /// Compares the types the server announces with those the properties need.
    func check(_ description: PostgresResultDescription) throws {
        for position in expectedTypes.indices {
            let actual = description.columnType(position)
            if actual == expectedTypes[position] { continue }
            let expectation = expected[position]
            switch expectation {
            case .anything: continue
            case .key(let entity):
                if entity.keyKind.isRead(of: actual) { continue }
                if entity.tables == .external, TableColumn.isReadable(actual, as: entity.keyKind.type) { continue }
                throw entity.keyMisfit(actual)
            case .column(let column): if !column.takes(actual) { throw column.misfit(actual) }
            case .place(let place):
                if TableColumn.fits(actual, place.type) { continue }
                throw ColumnTypeLookup.SharedMisfit(place.columns, type: place.type, actual: actual)
            }
        }
    }
}

extension EntityMapping {
    /// What is to be said of a key that is of another kind in the database.
    func keyMisfit(_ actual: UInt32) -> SwiftDataError {
        SwiftDataError(
            .storeDoesNotFit,
            "The key of \(name), the column \(table.name).\(key.description), is \(PostgresType.named(actual)) in the database, and \(keyKind.type) in the "
                + "class. Declare the key as it is stored: @Attribute(.primaryKey) of a property of that type, or none for bigint."
        )
    }
}
