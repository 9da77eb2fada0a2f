import StrataModels

/// Makes one change an object of the rows of one transaction, in the order of the objects' first rows.
///
/// Whether the object came or went is decided by the rows of its root's table; all others say which properties changed.
struct HistoryCoalescing {
    private struct Object {
        var number: Int64
        let key: Int64
        /// The class by the last row of the root's table, or by the last row if there is none.
        var entity: Int32
        /// The class by the first row of the root's table.
        var before: Int32 = -1
        var first: UInt8 = 0
        var last: UInt8 = 0
        /// Whether it was deleted in between.
        var wasDeleted = false
        var masks: [UInt64] = []
        var tombstones: [Int32] = []

        mutating func add(_ mask: UInt64, word: Int) {
            guard mask != 0 else { return }
            while masks.count <= word { masks.append(0) }
            masks[word] |= mask
        }
    }

    private struct Key: Hashable {
        let root: Int32
        let key: Int64
    }

    let registry: HistoryRegistry
    let identities: [EntityIdentity]
    /// What was made of the last transaction.
    private(set) var changes: [HistoryChange] = []
    private(set) var resets: [String] = []
    private(set) var unknown: [String] = []

    private static let (inserted, updated, deleted, reset) = (
        UInt8(ascii: "I"), UInt8(ascii: "U"), UInt8(ascii: "D"), UInt8(ascii: "R")
    )

    init(registry: HistoryRegistry, identities: [EntityIdentity]) {
        self.registry = registry
        self.identities = identities
    }

    mutating func coalesce(_ rows: ArraySlice<HistoryRows.Change>, _ tombstones: [[UInt8]], transaction: Int64) {
        (changes, resets, unknown) = ([], [], [])
        var objects: [Object] = []
        objects.reserveCapacity(rows.count)
        var places: [Key: Int] = [:]
        for row in rows {
            guard let entity = registry.entities[row.entity], !entity.isForeign else { continue }
            guard entity.maker != nil else {
                if !unknown.contains(entity.name) { unknown.append(entity.name) }
                continue
            }
            if row.operation == Self.reset {
                if !resets.contains(entity.name) { resets.append(entity.name) }
                continue
            }
            var place = objects.count
            if rows.count > 1 {
                let key = Key(root: entity.root, key: row.key)
                if let known = places[key] { place = known } else { places[key] = place }
            }
            if place == objects.count {
                objects.append(Object(number: row.number, key: row.key, entity: row.entity))
            }
            Self.add(row, entity, to: &objects[place])
        }
        changes.reserveCapacity(objects.count)
        for object in objects { append(object, tombstones, transaction) }
    }

    private static func add(_ row: HistoryRows.Change, _ entity: HistoryRegistry.Entity, to object: inout Object) {
        object.add(UInt64(bitPattern: row.properties), word: entity.word)
        if row.tombstone >= 0 { object.tombstones.append(row.tombstone) }
        guard row.operation == inserted || row.operation == updated || row.operation == deleted else {
            if object.first == 0 { object.entity = row.entity }
            return
        }
        object.entity = row.entity
        if object.first == 0 {
            object.first = row.operation
            object.before = row.entity
        }
        object.last = row.operation
        if row.operation == deleted { object.wasDeleted = true }
    }

    private mutating func append(_ object: Object, _ tombstones: [[UInt8]], _ transaction: Int64) {
        guard let entity = registry.entities[object.entity], let maker = entity.maker else { return }
        let identifier = PersistentIdentifier(identity: identities[entity.index], key: object.key)
        let before = registry.entities[object.before] ?? entity
        let existed = object.first != Self.inserted
        if existed, object.last == Self.deleted || before.index != entity.index {
            deletion(of: object, before, tombstones, transaction)
        }
        guard object.last != Self.deleted else { return }
        if object.first == Self.inserted || before.index != entity.index {
            changes.append(maker.insert(identifier, object.number, transaction))
            return
        }
        var (slots, names) = (SlotSet(), [String]())
        let bits = registry.bits(of: entity)
        if object.wasDeleted {
            for case let slot? in bits.slots { slots.insert(slot) }
        } else {
            Self.forEachBit(object.masks) { bit in
                guard bit < bits.slots.count else { return }
                if let slot = bits.slots[bit] { slots.insert(slot) } else { names.append(bits.names[bit]) }
            }
        }
        changes.append(maker.update(identifier, object.number, transaction, slots, names))
    }

    private mutating func deletion(
        of object: Object, _ entity: HistoryRegistry.Entity, _ tombstones: [[UInt8]], _ transaction: Int64
    ) {
        guard let maker = entity.maker else { return }
        let bits = registry.bits(of: entity)
        var values: [Int: StoredJSON] = [:]
        for index in object.tombstones {
            for (name, value) in StoredJSON(text: tombstones[Int(index)][...]).members() {
                // Later rows win: they are nearer to what was there in the end.
                guard let bit = Int(name), bit < bits.slots.count, let slot = bits.slots[bit] else { continue }
                values[slot] = value
            }
        }
        changes.append(
            maker.delete(
                PersistentIdentifier(identity: identities[entity.index], key: object.key), object.number, transaction,
                values.sorted { $0.key < $1.key }.map { (slot: $0.key, json: $0.value) }))
    }

    private static func forEachBit(_ masks: [UInt64], _ body: (Int) -> Void) {
        for (word, mask) in masks.enumerated() {
            var rest = mask
            while rest != 0 {
                body(word * 63 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}
