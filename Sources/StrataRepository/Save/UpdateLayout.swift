import StrataClient
import StrataModels
import Synchronization

/// What the updates of one shape have in common, made once for each set of columns and not for every save.
final class UpdateLayout: Sendable {
    typealias Text = (sql: PreparedSQL, name: String)

    private struct Rows: Hashable {
        let descriptor: ObjectIdentifier
        let hasRelationships: Bool
    }

    let shape: UpdateGroup.Shape
    let owner: EntityMapping
    let slots: [Int]
    let checked: [Int]
    let parked: [Int]
    /// The columns that are written, which those that belong to other properties are not, each with the place of its value among ``types``.
    let written: [(slot: Int, column: Column, place: Int)]
    /// Of the key, the new values, the old values, then those that rows are parked with.
    let types: [PostgresType]
    /// Which rows have the columns; `nil` where all of the table do, or those of the superclass.
    let rows: ClassCondition?
    private let texts = Mutex<[UpdateStatement.Kind: Text]>([:])
    private let columnsOfRows = Mutex<[Rows: SlotColumns]>([:])

    init(_ shape: UpdateGroup.Shape, owner: EntityMapping) {
        self.shape = shape
        self.owner = owner
        slots = shape.slots.slots
        checked = shape.checked.slots
        parked = shape.parked.slots
        types = [owner.keyKind.type] + (slots + checked + parked).compactMap { owner.columns[$0]?.transportType }
        let inherited = owner.root.descriptor.properties.count
        rows = (slots + parked).contains { $0 >= inherited } ? owner.ownRows : nil
        let isParking = shape.phase == .parking
        let first = isParking ? 1 + slots.count + checked.count : 1
        written = (isParking ? parked : slots).enumerated().compactMap { index, slot in
            owner.columns[slot].flatMap { $0.isWritten ? (slot, $0, first + index) : nil }
        }
    }

    /// The text of an update and the name of the statement; `make` is called once.
    func text(_ kind: UpdateStatement.Kind, _ make: () -> String) -> Text {
        if let known = texts.withLock({ $0[kind] }) { return known }
        let text = Text(.interned(make()), "save: update \(label)")
        texts.withLock { $0[kind] = text }
        return text
    }

    /// Where objects of a class write their values.
    ///
    /// - Parameter hasRelationships: whether they write the keys of their targets themselves.
    func slotColumns(of descriptor: ModelDescriptor, hasRelationships: Bool) -> SlotColumns {
        let key = Rows(descriptor: ObjectIdentifier(descriptor), hasRelationships: hasRelationships)
        return columnsOfRows.withLock { rows in
            if let known = rows[key] { return known }
            var columns = SlotColumns(descriptor.properties.count)
            for (index, slot) in slots.enumerated()
            where !shape.cleared.contains(slot)
                && (hasRelationships || !(descriptor.properties[slot] is RelationshipProperty))
            {
                columns[slot] = index + 1
            }
            rows[key] = columns
            return columns
        }
    }

    /// `trip (name, start_date)`, `item (trip), emptied: trip`; tells groups apart whose statements have the same text.
    var label: String {
        let names = "\(owner.table.name) (\(written.map(\.column.name).joined(separator: ", ")))"
        let cleared = shape.cleared.slots.compactMap { owner.columns[$0]?.name }.joined(separator: ", ")
        let suffix = cleared.isEmpty ? "" : ", emptied: \(cleared)"
        switch shape.phase {
        case .parking: return names + " parked"
        case .leaving: return names + " with deleted targets" + suffix
        case .early: return names + suffix
        case .late: return names + " with new targets" + suffix
        case .upserting: return names + " of new objects"
        case .settling: return names + " that were parked" + suffix
        }
    }
}
