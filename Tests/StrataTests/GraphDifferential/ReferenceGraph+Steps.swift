import Strata
import StrataClient

extension ReferenceGraph {
    /// Whether a step means something now. What is not said anywhere is left out: edits of to-many ends that are out of date.
    func allows(_ step: GraphStep) -> Bool {
        if let c = step.context, hasOutdatedChanges(c) {
            // What meets the rows of these objects fails, sooner or later.
            switch step {
            case .rollback, .renew, .count: break
            default: return false
            }
        }
        return switch step {
        case .create(let c, let kind, let number, _, let targets):
            names[number] == nil
                && kind.references.allSatisfy { reference in
                    guard let target = targets[reference] else { return !reference.isRequired }
                    return canLead(reference, to: target, c)
                }
        case .set(let c, let number, let attribute, _):
            object(number, c).map {
                $0.object.row.kind.attributes.contains(attribute) && (!contexts[c].readsFirst || isThere($0.key, c))
            } ?? false
        case .point(let c, let number, let reference, let target):
            (reference.isOneToOne
                ? isMember(number, reference, c)
                : object(number, c)?.object.row.kind.isKind(of: reference.holder) == true)
                && canReplace(reference, of: number, c)
                && (target.map { canLead(reference, to: $0, c) } ?? !reference.isRequired)
        case .append(let c, let owner, let reference, let member), .remove(let c, let owner, let reference, let member):
            isEnd(owner, reference, c) && isMember(member, reference, c)
        case .assign(let c, let owner, let reference, let members):
            isEnd(owner, reference, c)
                && members.allSatisfy { isMember($0, reference, c) }
        case .read(let c, let owner, let reference): isReadable(owner, reference, c)
        case .pair(let c, let person, let skill, _), .unpair(let c, let person, let skill, _):
            object(person, c)?.object.row.kind == .person && object(skill, c)?.object.row.kind == .skill
                && contexts[c].stalePairs.isDisjoint(with: [names[person]!, names[skill]!])
                && isThere(names[person]!, c) && isThere(names[skill]!, c)
        case .readPairs(let c, let number):
            object(number, c).map {
                [.person, .skill].contains($0.object.row.kind) && !contexts[c].stalePairs.contains($0.key)
                    && isThere($0.key, c)
            } ?? false
        case .give(let c, let site, let badge): canGive(badge, to: site, c)
        case .withdraw(let c, let site, let badge):
            canReadGifts(site, c) && object(badge, c)?.object.row.kind == .badge && isThere(names[badge]!, c)
        case .readGiven(let c, let site): canReadGifts(site, c)
        case .delete(let c, let number): object(number, c) != nil
        case .keep(let c, let number): canKeep(number, c)
        case .save(let c, _): isSettled(c)
        case .convert(let c, let number, let kind): canConvert(number, kind, c)
        case .update(let number, let attribute, let value): canUpdate(number, attribute, value)
        case .erase(let number): canErase(number)
        case .move(let number, let reference, let target): canMove(number, reference, target)
        case .deleteWhere, .unique, .fetch, .count, .rollback, .refresh, .transaction, .endGroup, .undo, .undoSaved,
            .renew:
            true
        }
    }

    /// Whether the unique index allows it.
    private func canUpdate(_ number: Int, _ attribute: GraphAttribute, _ value: GraphValue) -> Bool {
        guard let key = names[number], rows[key] != nil else { return false }
        return attribute != .code || value == .empty || !rows.contains { $0 != key && $1[.code] == value }
    }

    /// Whether the foreign keys allow it.
    private func canErase(_ number: Int) -> Bool {
        guard let key = names[number], rows[key] != nil else { return false }
        var after = self
        return after.erase([key]).errors.isEmpty
    }

    private func canMove(_ number: Int, _ reference: GraphReference, _ target: Int?) -> Bool {
        guard names[number].flatMap({ rows[$0] }) != nil else { return false }
        guard let target else { return !reference.isRequired }
        guard let key = names[target], canHold(reference, key) else { return false }
        return !reference.isOneToOne || !rows.values.contains { $0[reference] == key }
    }

    /// Whether a to-one end can be set to an object. Of a one-to-one relationship it must be known who has it now.
    private func canLead(_ reference: GraphReference, to target: Int, _ c: Int) -> Bool {
        guard object(target, c)?.object.row.kind.isKind(of: reference.target) == true else { return false }
        return !reference.isOneToOne || isEnd(target, reference, c)
    }

    /// Whether an object can be at a to-many end, and its key is not out of date: loading that end may read it again.
    private func isMember(_ number: Int, _ reference: GraphReference, _ c: Int) -> Bool {
        guard let (key, object) = object(number, c), object.row.kind.isKind(of: reference.holder) else { return false }
        return object.owns(.reference(reference)) || rows[key] != nil && rows[key]?[reference] == object.row[reference]
    }

    /// Whether it can be read where a reference leads before it leads elsewhere.
    private func canReplace(_ reference: GraphReference, of number: Int, _ c: Int) -> Bool {
        guard let (key, object) = object(number, c) else { return false }
        // After a transaction that failed it may have to be read again.
        return isThere(key, c) || !object.unread.contains(.reference(reference)) && !object.mayBeReread
    }

    /// Whether an object is to be deleted, and nobody has taken the place that it had: whether it finds that taken depends on what
    /// is in memory.
    private func canKeep(_ number: Int, _ c: Int) -> Bool {
        guard let key = names[number], let object = contexts[c].objects[key], object.phase == .deleted else {
            return false
        }
        return object.row.kind.references.allSatisfy { reference in
            guard reference.isOneToOne, let target = object.row[reference] else { return true }
            let own = contexts[c].objects
            return !own.contains { $0 != key && $1.phase != .deleted && $1.row[reference] == target }
                && !rows.contains { $0 != key && own[$0] == nil && $1[reference] == target }
        }
    }

    /// Whether nobody else has deleted an object.
    private func isThere(_ key: RowKey, _ c: Int) -> Bool {
        rows[key] != nil || contexts[c].objects[key]?.phase == .inserted
    }

    /// Whether it is known who is at an end, but for objects that are to be deleted.
    private func isReadable(_ owner: Int, _ reference: GraphReference, _ context: Int) -> Bool {
        guard let (key, object) = object(owner, context), object.row.kind.isKind(of: reference.target) else {
            return false
        }
        return isThere(key, context) && !contexts[context].stale.contains(.init(owner: key, reference: reference))
    }

    private func isEnd(_ owner: Int, _ reference: GraphReference, _ context: Int) -> Bool {
        guard isReadable(owner, reference, context) else { return false }
        let (sure, unsure) = members(.init(owner: names[owner]!, reference: reference), context)
        return unsure.isEmpty && (!reference.isOneToOne || sure.count <= 1)
    }

    /// Does what a step should do.
    ///
    /// - Returns: what is wrong with what the library did, or `nil`.
    mutating func follow(_ step: GraphStep, _ outcome: GraphOutcome) -> String? {
        if let c = step.context {
            expectReading(c)
            if step.loadsAnEnd { expectLoading(c) }
        }
        switch step {
        case .create(let c, let kind, let number, let values, let targets):
            guard case .created(let key) = outcome else { return "nothing was created" }
            if rows[key] != nil || contexts.contains(where: { $0.objects[key] != nil }) {
                return "the key \(key) is taken"
            }
            var row = GraphRow(kind: kind, number: number)
            for attribute in kind.attributes {
                row[attribute] = attribute.isOptional ? .empty : attribute.isNumber ? .number(0) : .text("")
            }
            for (attribute, value) in values { row[attribute] = value }
            contexts[c].objects[key] = .init(row: row, phase: .inserted)
            names[number] = key
            for (reference, target) in targets { point(key, reference, names[target], c) }
        case .set(let c, let number, let attribute, let value):
            contexts[c].write(value, to: .attribute(attribute), of: names[number]!)
        case .point(let c, let number, let reference, let target):
            point(names[number]!, reference, target.map { names[$0]! }, c)
        case .append(let c, let owner, let reference, let member):
            let key = names[member]!
            if contexts[c].objects[key]?.row[reference] != names[owner]! { point(key, reference, names[owner]!, c) }
        case .remove(let c, let owner, let reference, let member):
            let key = names[member]!
            if contexts[c].objects[key]?.row[reference] == names[owner]! { point(key, reference, nil, c) }
        case .assign(let c, let owner, let reference, let members):
            assign(names[owner]!, reference, members.map { names[$0]! }, c)
        case .read(let c, let owner, let reference):
            guard case .keys(let keys) = outcome else { return "nothing was read" }
            let end = ReferenceContext.End(owner: names[owner]!, reference: reference)
            if accepts(keys, at: end, c) { return nil }
            let expected = members(end, c).sure.sorted()
            return "\(reference.inverse) of \(owner) has \(numbers(keys)), not \(numbers(expected))"
        case .pair(let c, let person, let skill, _):
            pair(GraphPair(person: names[person]!, skill: names[skill]!), c, isAdded: true)
        case .unpair(let c, let person, let skill, _):
            pair(GraphPair(person: names[person]!, skill: names[skill]!), c, isAdded: false)
        case .readPairs(let c, let number):
            guard case .keys(let keys) = outcome else { return "nothing was read" }
            return comparePartners(names[number]!, keys, c)
        case .give(let c, let site, let badge): give(names[badge]!, to: names[site]!, c)
        case .withdraw(let c, let site, let badge):
            withdraw(names[badge]!, from: names[site]!, c)
        case .readGiven(let c, let site):
            guard case .keys(let keys) = outcome else { return "nothing was read" }
            return compareGifts(names[site]!, keys, c)
        case .delete(let c, let number): contexts[c].delete(names[number]!)
        case .keep(let c, let number): contexts[c].objects[names[number]!]?.phase = .registered
        case .deleteWhere(let c, let kind, let condition):
            contexts[c].bulkDeletions.append(.init(kind: kind, condition: condition))
        case .fetch(let c, let kind, let query):
            guard case .keys(let keys) = outcome else { return "the fetch failed: \(outcome)" }
            defer { read(keys, query.reading, c) }
            return check(keys, query, kind, c)
        case .count(let c, let kind, let query):
            guard case .count(let count) = outcome else { return "the count failed: \(outcome)" }
            return check(count, query, kind, c)
        case .save(let c, let policy): return save(c, policy, outcome)
        case .unique(let c, let policy): contexts[c].uniquePolicy = policy
        case .convert(let c, let number, let kind): return convert(names[number]!, to: kind, c, outcome)
        case .rollback(let c): contexts[c].rollback()
        case .refresh(let c): return refresh(c, outcome)
        case .update(let number, let attribute, let value): rows[names[number]!]?[attribute] = value
        case .move(let number, let reference, let target):
            let before = self
            rows[names[number]!]?[reference] = target.map { names[$0]! }
            noteStale(since: before, by: nil)
        case .erase(let number):
            let before = self
            _ = erase([names[number]!])
            noteStale(since: before, by: nil)
        case .renew(let c): contexts[c] = ReferenceContext()
        case .transaction, .endGroup, .undo, .undoSaved: break
        }
        return nil
    }

    func numbers(_ keys: [RowKey]) -> [Int] {
        keys.map { key in names.first { $0.value == key }?.key ?? -1 }
    }

    // MARK: Edits

    private mutating func point(_ key: RowKey, _ reference: GraphReference, _ target: RowKey?, _ c: Int) {
        if reference.isOneToOne, let target {
            // The partner that the target had loses it.
            for (other, row) in rows where contexts[c].objects[other] == nil && row[reference] == target {
                contexts[c].objects[other] = .init(row: row, phase: .registered)
            }
            for (other, object) in contexts[c].objects where other != key && object.row[reference] == target {
                contexts[c].write(.empty, to: .reference(reference), of: other)
            }
        }
        contexts[c].write(target.map(GraphValue.key) ?? .empty, to: .reference(reference), of: key)
        // It comes behind the others.
        for end in contexts[c].arrangements.keys { contexts[c].arrangements[end]?.removeAll { $0 == key } }
    }

    private mutating func assign(_ owner: RowKey, _ reference: GraphReference, _ keys: [RowKey], _ c: Int) {
        let old = members(.init(owner: owner, reference: reference), c).sure
        for key in old.subtracting(keys) {
            if contexts[c].objects[key] == nil, let row = rows[key] {
                contexts[c].objects[key] = .init(row: row, phase: .registered)
            }
            point(key, reference, nil, c)
        }
        for key in keys where !old.contains(key) { point(key, reference, owner, c) }
        if reference.isOrdered { contexts[c].arrangements[.init(owner: owner, reference: reference)] = keys }
    }

    private mutating func pair(_ pair: GraphPair, _ c: Int, isAdded: Bool) {
        let isThere = contexts[c].paired.contains(pair) || pairs.contains(pair) && !contexts[c].unpaired.contains(pair)
        guard isThere != isAdded else { return }
        if isAdded {
            if contexts[c].unpaired.remove(pair) == nil { contexts[c].paired.insert(pair) }
        } else if contexts[c].paired.remove(pair) == nil {
            contexts[c].unpaired.insert(pair)
        }
    }

    /// Whether one end of the pairs shows what it must.
    func comparePartners(_ key: RowKey, _ keys: [RowKey], _ c: Int) -> String? {
        let own = contexts[c]
        var sure: Set<RowKey> = []
        var unsure: Set<RowKey> = []
        for pair in pairs.union(own.paired) where pair.person == key || pair.skill == key {
            let partner = pair.person == key ? pair.skill : pair.person
            let phase = own.objects[partner]?.phase
            let isOutOfDate = own.stalePairs.contains(partner) || phase == .registered && rows[partner] == nil
            if phase == .deleted || isOutOfDate {
                unsure.insert(partner)
            } else if !own.unpaired.contains(pair) {
                sure.insert(partner)
            }
        }
        // What others have deleted stays until the end is read again.
        for partner in keys where rows[partner] == nil && own.objects[partner]?.phase != .inserted {
            unsure.insert(partner)
        }
        if Set(keys).symmetricDifference(sure).isSubset(of: unsure), Set(keys).count == keys.count { return nil }
        return "the pairs of \(numbers([key])) in context \(c) are \(numbers(keys)), not \(numbers(sure.sorted()))"
    }

    /// Everything is what it was, but for what was read meanwhile.
    mutating func goBack(to other: ReferenceGraph, _ c: Int) {
        let claimed = contexts[c].claimed
        self = other
        keepOrder(of: claimed, c)
        contexts[c].readsFirst = false
        for key in contexts[c].objects.keys { contexts[c].objects[key]?.mayBeReread = true }
    }

    /// Whether everything is in memory, as its row has it, and nothing unsaved.
    func isInStep(_ c: Int) -> Bool {
        let own = contexts[c]
        return !own.hasChanges && own.stale.isEmpty && own.stalePairs.isEmpty && own.staleGifts.isEmpty
            && rows.allSatisfy { key, row in own.objects[key].map { $0.phase == .registered && $0.row == row } ?? false
            }
            && own.objects.allSatisfy { rows[$0.key] != nil }
    }

    /// What was saved is as unsaved as if everything had been made by hand what it was at another time.
    ///
    /// - Parameters:
    ///   - written: what counts as changed although it may have the same value.
    ///   - last: what objects that go have then.
    ///   - loaded: the ends that were in memory all the time: they are what they were in their order too.
    mutating func change(
        to other: ReferenceGraph, _ written: [RowKey: Set<GraphSlot>], last: [RowKey: GraphRow],
        loaded: ReferenceContext.LoadedEnds, _ c: Int
    ) {
        for (key, object) in other.contexts[c].objects {
            guard let own = contexts[c].objects[key] else {
                contexts[c].objects[key] = .init(row: object.row, phase: .inserted)
                continue
            }
            // It stands for a row for which another one stood.
            if own.row.number != object.row.number { contexts[c].renumber(key, object.row.number) }
            for slot in object.row.kind.slots
            where own.row[slot] != object.row[slot] || written[key]?.contains(slot) == true {
                contexts[c].write(object.row[slot], to: slot, of: key)
            }
        }
        for (key, object) in contexts[c].objects where other.contexts[c].objects[key] == nil {
            for slot in object.row.kind.slots {
                if let value = last[key]?[slot], value != object.row[slot] {
                    contexts[c].write(value, to: slot, of: key)
                }
            }
            // It stood for a row that was made in an earlier group.
            if let number = last[key]?.number, number != object.row.number { contexts[c].renumber(key, number) }
            contexts[c].delete(key)
        }
        let (now, then) = (orders ?? [:], other.orders ?? [:])
        for end in Set(now.keys).union(then.keys) where now[end] != then[end] {
            // What comes back to an end that was not in memory may be behind the others.
            contexts[c].arrangements[end] = loaded.ends.contains(end) ? then[end] ?? [] : []
        }
        contexts[c].paired = other.pairs.subtracting(pairs)
        contexts[c].unpaired = pairs.subtracting(other.pairs)
        giveBack(other, known: loaded.sites, c)
        for key in contexts[c].objects.keys { contexts[c].objects[key]?.mayBeReread = true }
    }

    // MARK: Saves and reads

    private mutating func save(_ c: Int, _ policy: ConflictPolicy, _ outcome: GraphOutcome) -> String? {
        let saved = saved(c, policy)
        switch outcome {
        case .done where saved.errors.isEmpty: self = saved.graph
        case .failed(let code) where saved.errors.contains(code) || saved.possibleErrors.contains(code): break
        default: return "the save: \(outcome), expected \(saved.errors.isEmpty ? "success" : "\(saved.errors)")"
        }
        return nil
    }

    private mutating func refresh(_ c: Int, _ outcome: GraphOutcome) -> String? {
        var isMissing = false
        for (key, object) in contexts[c].objects where object.phase == .registered {
            if isOutdated(key, c) {
                // Nobody may hold the object that takes its place.
                contexts[c].objects[key] = nil
            } else if let row = rows[key] {
                if !object.hasWritten, !object.seemsChanged { contexts[c].objects[key]?.row = row }
            } else {
                isMissing = true
                if !object.hasWritten, !object.seemsChanged { contexts[c].objects[key] = nil }
            }
        }
        let expected = isMissing ? GraphOutcome.failed(.modelNotFound) : .done
        return outcome == expected ? nil : "the refresh: \(outcome), not \(expected)"
    }

    /// The objects show what was read, unless they have unsaved changes.
    private mutating func read(_ keys: [RowKey], _ reading: GraphQuery.Reading, _ c: Int) {
        for key in keys {
            guard let row = rows[key] else { continue }
            let object = contexts[c].objects[key]
            if let object, object.phase != .registered || object.hasWritten || object.seemsChanged { continue }
            if reading == .partial, object != nil {
                contexts[c].objects[key]?.row[.name] = row[.name]
            } else {
                contexts[c].objects[key] = .init(row: row, phase: .registered)
            }
        }
    }

    /// An end that is edited is loaded first, and with it those of other objects of the same fetch: objects without unsaved changes may be read again
    /// before the edit.
    private mutating func expectLoading(_ c: Int) {
        for (key, object) in contexts[c].objects where !object.hasWritten {
            contexts[c].objects[key]?.mayBeReread = true
        }
    }

    /// What is not in memory of objects is what the rows hold now.
    private mutating func expectReading(_ c: Int) {
        for (key, object) in contexts[c].objects where !object.unread.isEmpty {
            for slot in object.unread where !object.owns(slot) {
                if let row = rows[key] { contexts[c].objects[key]?.row[slot] = row[slot] }
            }
        }
    }
}
