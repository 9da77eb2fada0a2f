import StrataClient
import StrataModels

/// Changed objects for which the same columns of the same table are written: one `UPDATE`.
final class UpdateGroup {
    /// What objects have in common that go into one statement.
    struct Shape: Hashable {
        /// The class whose table is written, by index.
        let owner: Int
        /// The columns whose new value is known to the statement: those that are written, unless they are parked.
        let slots: SlotSet
        /// Those of them whose old value is compared.
        let checked: SlotSet
        /// Those of them that are written empty, whatever the objects hold: their targets go in this save, before.
        var cleared = SlotSet()
        /// Those of them whose old target goes in this save: when that has gone already, they are empty, which is no conflict.
        var released = SlotSet()
        /// The columns that are written instead, in the phase `parking`: with a value that nobody has.
        var parked = SlotSet()
        let phase: Phase
    }

    /// When in a save an update is carried out.
    enum Phase: Int {
        /// Before anything else: unique values that others take are given up for values that nobody has.
        case parking
        /// Before the deletions, where those come first: references leave what is deleted.
        case leaving
        /// Before the inserts: values that new rows take are free then.
        case early
        /// After the inserts: a foreign key refers to one of the new rows.
        case late
        /// After these: rows that were there before get the values of new objects.
        case upserting
        /// After the others: new rows that were parked get their unique values.
        case settling

        /// Whether the rows count as updated: those that are parked are counted where they get their other values.
        var counts: Bool { self != .parking && self != .settling }
        /// Whether the values are those of new objects, which knew no others: nothing is compared.
        var isOfNewObjects: Bool { self == .upserting || self == .settling }
    }

    let layout: UpdateLayout
    var shape: Shape { layout.shape }
    var owner: EntityMapping { layout.owner }
    var slots: [Int] { layout.slots }
    var checked: [Int] { layout.checked }
    /// Those that are written.
    var written: [Column] { layout.written.map(\.column) }
    /// The key, the new values, the old values, then those that rows are parked with.
    let buffers: ColumnBuffers
    private(set) var models: [any PersistentModel] = []
    private var latest: (descriptor: ModelDescriptor, columns: SlotColumns)?

    init(_ layout: UpdateLayout, reservingCapacity rows: Int) {
        self.layout = layout
        buffers = ColumnBuffers(layout.types, reservingCapacity: rows)
    }

    /// Whether the database wins where it has something else than the objects knew, or no row any more. Rows that new objects
    /// stand for were found a moment ago: whoever deletes one of them wins a race.
    func keepsStore(_ policy: ConflictPolicy) -> Bool { policy == .keepStore && !shape.phase.isOfNewObjects }

    /// Adds one object: its values in memory, and those it had.
    /// - Parameters:
    ///   - storedForms: what the row is known to hold instead of what the object had, by slot: what means the same, or what it
    ///     is parked with.
    ///   - parked: what is written in the phase `parking`, by slot.
    func add(
        _ model: any PersistentModel, key: RowKey, _ rewriting: KeyRewriting, storedForms: [Int: [UInt8]?]? = nil,
        parked: [Int: [UInt8]?] = [:]
    ) throws {
        try buffers[0].append(key)
        let columns = slotColumns(of: type(of: model)._$descriptor, rewriting)
        if let failure = columns.write(model, into: buffers) { throw SaveError.unwritable(failure, of: model) }
        if !shape.cleared.isEmpty {
            for (index, slot) in slots.enumerated() where shape.cleared.contains(slot) {
                buffers[index + 1].appendNull()
            }
        }
        if !rewriting.isEmpty { try addReferences(of: model, rewriting) }
        let state = model._$state
        for (index, slot) in checked.enumerated() {
            if let form = storedForms?[slot] {
                buffers[1 + slots.count + index].append(binary: form)
            } else {
                try state.original(at: slot)?.append(to: &buffers[1 + slots.count + index])
            }
        }
        for (place, slot) in zip((1 + slots.count + checked.count)..., layout.parked) {
            buffers[place].append(binary: parked[slot] ?? nil)
        }
        models.append(model)
    }

    /// What the buffers hold: as values of a single row, else as arrays.
    func parameters() throws -> PostgresParameters {
        var parameters = PostgresParameters()
        for place in 0..<buffers.count {
            if models.count == 1 {
                parameters.append(onlyElementOf: buffers[place])
            } else {
                try parameters.append(buffers[place])
            }
        }
        if let rows = layout.rows { try parameters.append(rows.values) }
        return parameters
    }

    /// How many they are.
    var parameterCount: Int { buffers.count + (layout.rows == nil ? 0 : 1) }

    /// The object with this key.
    func model(key: RowKey) -> (any PersistentModel)? { modelsByKey[key] }

    /// Asked for only after a conflict.
    private lazy var modelsByKey = Dictionary(
        models.map { ($0._$state.key, $0) }, uniquingKeysWith: { first, _ in first })

    private func slotColumns(of descriptor: ModelDescriptor, _ rewriting: KeyRewriting) -> SlotColumns {
        if let latest, latest.descriptor === descriptor { return latest.columns }
        let columns = layout.slotColumns(of: descriptor, hasRelationships: rewriting.isEmpty)
        latest = (descriptor, columns)
        return columns
    }

    /// The keys of targets that are rewritten are not those that the objects know.
    private func addReferences(of model: any PersistentModel, _ rewriting: KeyRewriting) throws {
        let properties = type(of: model)._$descriptor.properties
        for (index, slot) in slots.enumerated() where !shape.cleared.contains(slot) {
            guard let property = properties[slot] as? RelationshipProperty else { continue }
            if let target = property.reference(of: model).key {
                try buffers[index + 1].append(
                    owner.relationships[slot].map { rewriting(target, of: $0.destination) } ?? target)
            } else {
                buffers[index + 1].appendNull()
            }
        }
    }

    var label: String { layout.label }
}
