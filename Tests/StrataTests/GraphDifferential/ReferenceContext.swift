import Strata
import StrataClient

/// What one context knows and has not saved, as plain values.
struct ReferenceContext: Sendable {
    enum Phase { case inserted, registered, deleted }

    struct Object: Sendable {
        var row: GraphRow
        var phase: Phase
        /// What was written since the last save, with the values before.
        var originals: [GraphSlot: GraphValue] = [:]
        /// The number before it got that of another object back, which had stood for its row.
        var originalNumber: Int?
        /// Whether what it had not changed may have been read again by the latest step: it became changed by an edit of an end that had to be
        /// loaded first, or what was done with it was taken back.
        var mayBeReread = false
        /// Whether the library takes it for changed although it is not: objects came to or left one of its to-many ends. It keeps
        /// its values then, or not, as the end was in memory or not.
        var seemsChanged = false
        /// What is not in memory: it is read when it is asked for.
        var unread: Set<GraphSlot> = []
        /// What was written without having been read: nothing is there to compare the row with.
        var blind: Set<GraphSlot> = []

        var isChanged: Bool { phase == .inserted || phase == .registered && hasWritten }
        var hasWritten: Bool { !originals.isEmpty || originalNumber != nil }
        func owns(_ slot: GraphSlot) -> Bool { phase == .inserted || originals[slot] != nil }
    }

    /// One end of a relationship: an owner, and the key that leads to it.
    struct End: Hashable {
        let owner: RowKey
        let reference: GraphReference
    }

    /// Ordered ends, and sites with their badges.
    struct LoadedEnds {
        var ends: Set<End> = []
        var sites: Set<RowKey> = []
    }

    struct BulkDeletion: Sendable {
        let kind: GraphKind
        let condition: GraphCondition?
    }

    var objects: [RowKey: Object] = [:]
    var bulkDeletions: [BulkDeletion] = []
    /// Whether what is not in memory is read before it is written: an undo manager wants that.
    var readsFirst = false
    var uniquePolicy = UniquePolicy.upsert
    var paired: Set<GraphPair> = []
    var unpaired: Set<GraphPair> = []
    /// The sites that badges were given to, the last one last: there is room for one.
    var claimed: [RowKey: [RowKey]] = [:]
    /// The sites that badges were taken from.
    var withdrawn: [RowKey: Set<RowKey>] = [:]
    /// Sites whose badges others may have given elsewhere since they were read.
    var staleGifts: Set<RowKey> = []
    /// To-many ends that may have been loaded before others changed their rows. Nothing is said of how they look until they
    /// are read again.
    var stale: Set<End> = []
    /// The same for the two ends of pairs.
    var stalePairs: Set<RowKey> = []
    /// The order that was given to ordered ends and is not saved: of these objects, among each other.
    var arrangements: [End: [RowKey]] = [:]

    var hasChanges: Bool {
        !bulkDeletions.isEmpty || !paired.isEmpty || !unpaired.isEmpty || !claimed.isEmpty
            || !withdrawn.isEmpty
            || objects.values.contains { $0.isChanged || $0.phase == .deleted }
    }

    var hasDeletions: Bool { !bulkDeletions.isEmpty || objects.values.contains { $0.phase == .deleted } }

    // MARK: Edits

    mutating func write(_ value: GraphValue, to slot: GraphSlot, of key: RowKey) {
        guard var object = objects[key] else { return }
        if object.phase != .inserted, object.originals[slot] == nil {
            object.originals[slot] = object.row[slot]
            // Where a reference leads is read before it leads elsewhere: the object there must forget this one.
            if case .attribute = slot, object.unread.contains(slot), !readsFirst { object.blind.insert(slot) }
        }
        object.unread.remove(slot)
        object.row[slot] = value
        objects[key] = object
    }

    mutating func renumber(_ key: RowKey, _ number: Int) {
        guard let object = objects[key] else { return }
        if object.phase != .inserted, object.originalNumber == nil { objects[key]?.originalNumber = object.row.number }
        objects[key]?.row.number = number
    }

    mutating func delete(_ key: RowKey) {
        guard let object = objects[key] else { return }
        switch object.phase {
        case .registered: objects[key]?.phase = .deleted
        case .deleted: break
        case .inserted: vanish(key)
        }
    }

    /// There is no row yet: the rules hold at once, for what leads to the object in memory.
    private mutating func vanish(_ key: RowKey) {
        objects[key] = nil
        paired = paired.filter { $0.person != key && $0.skill != key }
        for badge in claimed.keys { claimed[badge]?.removeAll { $0 == key } }
        claimed = claimed.filter { $0 != key && !$1.isEmpty }
        for (other, object) in objects {
            for reference in object.row.kind.references where object.row[reference] == key {
                if reference.rule == .cascade {
                    delete(other)
                } else {
                    write(.empty, to: .reference(reference), of: other)
                }
            }
        }
    }

    mutating func rollback() {
        for (key, object) in objects {
            if object.phase == .inserted {
                objects[key] = nil
                continue
            }
            for (slot, value) in object.originals { objects[key]?.row[slot] = value }
            if let number = object.originalNumber { objects[key]?.row.number = number }
            objects[key]?.originals = [:]
            objects[key]?.originalNumber = nil
            objects[key]?.unread.formUnion(object.blind)
            objects[key]?.blind = []
            objects[key]?.phase = .registered
        }
        bulkDeletions = []
        paired = []
        unpaired = []
        claimed = [:]
        withdrawn = [:]
        arrangements = [:]
    }
}
