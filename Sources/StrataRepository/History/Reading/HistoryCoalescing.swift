import StrataClient
import StrataModels

/// Makes one change an object of the rows of one transaction, in the order of the objects' first rows.
///
/// Whether the object came or went is decided by the rows of its root's table; all others say which properties changed.
struct HistoryCoalescing {
    private struct Object {
        let number: Int64
        let key: RowKey
        let root: Int32
        /// The class by the last row of the root's table, or by the last row if there is none.
        var kind: Kind
        /// The class by the first row of the root's table.
        var before: Kind?
        var first: UInt8 = 0
        var last: UInt8 = 0
        /// Whether it was deleted in between.
        var wasDeleted = false
        /// The properties of word 0. Almost no object has more, so that it takes no array.
        var mask: UInt64 = 0
        var furtherMasks: [UInt64] = []
        /// Almost no object has more than one tombstone.
        var tombstone: Int32 = -1
        var furtherTombstones: [Int32] = []

        mutating func add(_ mask: UInt64, word: Int) {
            guard mask != 0 else { return }
            guard word > 0 else {
                self.mask |= mask
                return
            }
            while furtherMasks.count < word { furtherMasks.append(0) }
            furtherMasks[word - 1] |= mask
        }

        mutating func add(tombstone index: Int32) {
            if tombstone < 0 { tombstone = index } else { furtherTombstones.append(index) }
        }
    }

    /// What is known of a number of an entity, looked up once a reading.
    private final class Kind {
        let entity: HistoryRegistry.Entity
        let bits: HistoryRegistry.Bits
        let identity: EntityIdentity?

        init(_ entity: HistoryRegistry.Entity, _ bits: HistoryRegistry.Bits, _ identity: EntityIdentity?) {
            self.entity = entity
            self.bits = bits
            self.identity = identity
        }
    }

    private struct Key: Hashable {
        let root: Int32
        let key: RowKey
    }

    private let kinds: [Int32: Kind]
    /// What was made of the last transaction.
    private(set) var changes: [HistoryChange] = []
    private(set) var resets: [String] = []
    private(set) var unknown: [String] = []
    private var objects: [Object] = []
    private var places: [Key: Int] = [:]

    /// Up to here looking at each object is faster than a dictionary.
    private static let few = 16

    private static let (inserted, updated, deleted, reset) = (
        UInt8(ascii: "I"), UInt8(ascii: "U"), UInt8(ascii: "D"), UInt8(ascii: "R")
    )

    init(registry: HistoryRegistry, identities: [EntityIdentity]) {
        kinds = registry.entities.mapValues { entity in
            Kind(
                entity, registry.bits(of: entity),
                identities.indices.contains(entity.index) ? identities[entity.index] : nil)
        }
    }

    mutating func coalesce(_ rows: ArraySlice<HistoryRows.Change>, _ tombstones: [[UInt8]], transaction: Int64) {
        (changes, resets, unknown) = ([], [], [])
        objects.removeAll(keepingCapacity: true)
        if !places.isEmpty { places = [:] }
        var (number, known): (Int32, Kind?) = (-1, nil)
        for row in rows {
            if row.entity != number { (number, known) = (row.entity, kinds[row.entity]) }
            guard let kind = known else { continue }
            guard kind.entity.maker != nil else {
                if !unknown.contains(kind.entity.name) { unknown.append(kind.entity.name) }
                continue
            }
            if row.operation == Self.reset {
                if !resets.contains(kind.entity.name) { resets.append(kind.entity.name) }
                continue
            }
            let place = place(of: row, kind, among: rows.count)
            Self.add(row, kind, to: &objects[place])
        }
        changes.reserveCapacity(objects.count)
        for object in objects { append(object, tombstones, transaction) }
    }

    private mutating func place(of row: HistoryRows.Change, _ kind: Kind, among count: Int) -> Int {
        let root = kind.entity.root
        let rowKey = kind.entity.key(row.key)
        if count <= Self.few {
            if let place = objects.firstIndex(where: { $0.key == rowKey && $0.root == root }) { return place }
        } else {
            let key = Key(root: root, key: rowKey)
            if let place = places[key] { return place }
            places[key] = objects.count
        }
        objects.append(Object(number: row.number, key: rowKey, root: root, kind: kind))
        return objects.count - 1
    }

    private static func add(_ row: HistoryRows.Change, _ kind: Kind, to object: inout Object) {
        object.add(UInt64(bitPattern: row.properties), word: kind.entity.word)
        if row.tombstone >= 0 { object.add(tombstone: row.tombstone) }
        guard row.operation == inserted || row.operation == updated || row.operation == deleted else {
            if object.first == 0 { object.kind = kind }
            return
        }
        object.kind = kind
        if object.first == 0 {
            object.first = row.operation
            object.before = kind
        }
        object.last = row.operation
        if row.operation == deleted { object.wasDeleted = true }
    }

    private mutating func append(_ object: Object, _ tombstones: [[UInt8]], _ transaction: Int64) {
        let kind = object.kind
        guard let maker = kind.entity.maker, let identity = kind.identity else { return }
        let identifier = PersistentIdentifier(identity: identity, key: object.key)
        let before = object.before ?? kind
        let existed = object.first != Self.inserted
        let isOther = before.entity.index != kind.entity.index
        if existed, object.last == Self.deleted || isOther { deletion(of: object, before, tombstones, transaction) }
        guard object.last != Self.deleted else { return }
        if object.first == Self.inserted || isOther {
            changes.append(maker.insert(identifier, object.number, transaction))
            return
        }
        var (slots, names) = (SlotSet(), [String]())
        let bits = kind.bits
        if object.wasDeleted {
            for case let slot? in bits.slots { slots.insert(slot) }
        } else {
            Self.forEachBit(object) { bit in
                guard bit < bits.slots.count else { return }
                if let slot = bits.slots[bit] { slots.insert(slot) } else { names.append(bits.names[bit]) }
            }
        }
        changes.append(maker.update(identifier, object.number, transaction, slots, names))
    }

    private mutating func deletion(
        of object: Object, _ kind: Kind, _ tombstones: [[UInt8]], _ transaction: Int64
    ) {
        guard let maker = kind.entity.maker, let identity = kind.identity else { return }
        let slots = kind.bits.slots
        var values: [(slot: Int, json: StoredJSON)] = []
        func add(_ index: Int32) {
            for (name, value) in StoredJSON(text: tombstones[Int(index)][...]).members() {
                guard let bit = Int(name), bit < slots.count, let slot = slots[bit] else { continue }
                // Later rows win: they are nearer to what was there in the end.
                if let place = values.firstIndex(where: { $0.slot == slot }) {
                    values[place].json = value
                } else {
                    values.append((slot, value))
                }
            }
        }
        if object.tombstone >= 0 { add(object.tombstone) }
        for index in object.furtherTombstones { add(index) }
        if values.count > 1 { values.sort { $0.slot < $1.slot } }
        changes.append(
            maker.delete(
                PersistentIdentifier(identity: identity, key: object.key), object.number, transaction, values))
    }

    private static func forEachBit(_ object: Object, _ body: (Int) -> Void) {
        func visit(_ mask: UInt64, _ word: Int) {
            var rest = mask
            while rest != 0 {
                body(word * 63 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        visit(object.mask, 0)
        for (index, mask) in object.furtherMasks.enumerated() { visit(mask, index + 1) }
    }
}
