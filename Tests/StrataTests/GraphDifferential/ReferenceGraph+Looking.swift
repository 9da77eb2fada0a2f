import StrataClient

extension ReferenceGraph {
    /// Compares what a context's objects show with what they must show. Where two things are right (an object without changes
    /// may have been read again, or not), the one that is seen holds from now on.
    mutating func compare(
        _ c: Int, _ looks: [RowKey: GraphMachine.Look],
        _ lists: (hasChanges: Bool, inserted: [RowKey], changed: [RowKey], deleted: [RowKey]), isClean: Bool
    ) -> String? {
        for (key, look) in looks where contexts[c].objects[key] == nil {
            guard let row = rows[key] else { return "context \(c) has \(look.number), which has no row" }
            contexts[c].objects[key] = .init(row: row, phase: .registered)
        }
        for (key, object) in contexts[c].objects.sorted(by: { $0.key < $1.key }) {
            if isOutdated(key, c) {
                noteGivingWay(key, looks[key], c)
                continue
            }
            guard let look = looks[key] else {
                guard object.seemsChanged, rows[key] == nil else { return "\(object.row.number) left context \(c)" }
                contexts[c].objects[key] = nil
                continue
            }
            contexts[c].objects[key]?.seemsChanged = look.hasChanges && !object.isChanged
            if let difference = compare(key, object, look, c) { return difference }
        }
        let objects = contexts[c].objects
        // Whose ends are not in memory reads them anew.
        contexts[c].stale = contexts[c].stale.filter { end in
            objects[end.owner] != nil && looks[end.owner]?.ends[end.reference] != nil
        }
        contexts[c].stalePairs = contexts[c].stalePairs.filter { objects[$0] != nil && looks[$0]?.partners != nil }
        contexts[c].staleGifts = contexts[c].staleGifts.filter { objects[$0] != nil && looks[$0]?.given != nil }
        return compareLists(c, lists, isClean)
    }

    private mutating func compare(
        _ key: RowKey, _ object: ReferenceContext.Object, _ look: GraphMachine.Look, _ c: Int
    ) -> String? {
        let name = "\(object.row.kind) \(object.row.number) in context \(c)"
        if look.kind != object.row.kind || look.number != object.row.number,
            rows[key] != nil || object.phase == .inserted
        {
            // A new object may have taken the row's place.
            guard rows[key]?.number == look.number, !object.hasWritten || object.mayBeReread,
                look.kind == object.row.kind, object.phase != .inserted
            else { return "\(name) shows \(look.kind) \(look.number)" }
            contexts[c].objects[key]?.row.number = look.number
        }
        if look.isDeleted != (object.phase == .deleted) { return "\(name): isDeleted is \(look.isDeleted)" }
        let hasChanges = object.isChanged || object.phase == .deleted
        let hasToMany = !object.row.kind.collections.isEmpty || [.person, .skill].contains(object.row.kind)
        if look.hasChanges != hasChanges, hasChanges || !hasToMany {
            return "\(name): hasChanges is \(look.hasChanges)"
        }
        // Of what others have deleted, nothing that is read later can be known.
        if object.phase != .inserted, rows[key] == nil { return nil }
        contexts[c].objects[key]?.unread = look.unread
        for slot in object.row.kind.slots where !look.unread.contains(slot) {
            let seen = look.values[slot] ?? .empty
            guard seen != object.row[slot] else { continue }
            let isReread =
                object.phase != .inserted && !object.owns(slot) && rows[key]?[slot] == seen
                && (object.originals.isEmpty || object.mayBeReread || object.unread.contains(slot))
            let isLeft = if case .reference = slot { object.phase == .deleted } else { false }
            guard isReread || isLeft else {
                return "\(name): \(slot) is \(seen), not \(object.row[slot])"
            }
            if isReread {
                contexts[c].objects[key]?.row[slot] = seen
            } else {
                contexts[c].write(seen, to: slot, of: key)
            }
        }
        // What is seen holds from now on: objects with changes are not read again.
        contexts[c].objects[key]?.mayBeReread = false
        if object.phase == .deleted { return nil }
        if let partners = look.partners, !contexts[c].stalePairs.contains(key),
            let difference = comparePartners(key, partners, c)
        {
            return difference
        }
        if let given = look.given, !contexts[c].staleGifts.contains(key),
            let difference = compareGifts(key, given, c)
        {
            return difference
        }
        for (reference, keys) in look.ends {
            let end = ReferenceContext.End(owner: key, reference: reference)
            guard !contexts[c].stale.contains(end) else { continue }
            let (sure, unsure) = members(end, c)
            // There is room for one, and who is out of date may have it.
            if reference.isOneToOne, !unsure.isEmpty { continue }
            if accepts(keys, at: end, c) {
                if unsure.isEmpty, let difference = compareOrder(end, keys, c) { return difference }
                continue
            }
            return "\(name): \(reference.inverse) is \(numbers(keys)), not \(numbers(sure.sorted()))"
        }
        return nil
    }

    private func compareLists(
        _ c: Int, _ lists: (hasChanges: Bool, inserted: [RowKey], changed: [RowKey], deleted: [RowKey]), _ isClean: Bool
    ) -> String? {
        let objects = contexts[c].objects
        let inserted = objects.filter { $1.phase == .inserted }.map(\.key)
        let deleted = objects.filter { $1.phase == .deleted }.map(\.key)
        let changed = objects.filter { $1.phase == .registered && $1.hasWritten }.map(\.key)
        if Set(lists.inserted) != Set(inserted) || lists.inserted.count != inserted.count {
            return "context \(c) has inserted \(numbers(lists.inserted)), not \(numbers(inserted))"
        }
        if Set(lists.deleted) != Set(deleted) || lists.deleted.count != deleted.count {
            return "context \(c) has deleted \(numbers(lists.deleted)), not \(numbers(deleted))"
        }
        if !Set(changed).isSubset(of: lists.changed) || Set(lists.changed).count != lists.changed.count {
            return "context \(c) has changed \(numbers(lists.changed)), not \(numbers(changed))"
        }
        let hasChanges = contexts[c].hasChanges
        if lists.hasChanges != hasChanges, hasChanges || isClean || lists.changed.isEmpty {
            return "hasChanges of context \(c) is \(lists.hasChanges)"
        }
        return nil
    }
}
