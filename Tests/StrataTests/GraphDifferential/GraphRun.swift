import Strata
import StrataClient
import Testing

/// Steps on the library and on the reference model, side by side, up to the first difference.
final class GraphRun {
    let machine: GraphMachine
    private(set) var reference: ReferenceGraph
    private var depth = 0
    /// As they were read last.
    private var storedOrders: [ReferenceContext.End: [RowKey]] = [:]
    /// How many steps meant something.
    private(set) var performed: [String: Int] = [:]

    init(_ machine: GraphMachine, contexts: Int) {
        self.machine = machine
        reference = ReferenceGraph(contexts: contexts)
    }

    /// One step; the contexts with odd numbers go without blocking.
    ///
    /// - Throws: ``GraphDifference``.
    func perform(_ step: GraphStep) async throws {
        if case .undoSaved(let c, let steps, let saves, let redoes, let reads) = step {
            guard depth == 0, reference.allows(step) else { return }
            return try await undoSaved(step, c, steps, saves, redoes, reads)
        }
        guard let c = step.context, c % 2 == 1 else { return try performBlocking(step) }
        switch step {
        case .undo, .renew: return try performBlocking(step)
        default: break
        }
        guard reference.allows(step) else { return }
        if case .transaction(let c, let steps, let fails) = step {
            return try await transactionAwaiting(c, steps, fails)
        }
        try follow(step, try await machine.performAwaiting(step) { self.reference.names[$0] })
    }

    private func performBlocking(_ step: GraphStep) throws {
        guard reference.allows(step) else { return }
        // A context cannot go within its own transaction.
        if case .renew = step, depth > 0 { return }
        if case .undoSaved = step { return }
        // The transaction of a context may hold locks that others would wait for.
        if case .transaction(let c, let steps, let fails) = step { return try transaction(c, steps, fails) }
        if case .undo(let c, let steps, let redoes) = step { return try undo(step, c, steps, redoes) }
        try follow(step, try machine.perform(step) { self.reference.names[$0] })
    }

    private func follow(_ step: GraphStep, _ outcome: GraphOutcome) throws {
        let arranged = step.context.map { reference.mayArrange($0) } ?? []
        if let difference = reference.follow(step, outcome) { throw GraphDifference("\(step)\n\(difference)") }
        count(step, outcome)
        try compare(step, arranged: arranged)
    }

    private func count(_ step: GraphStep, _ outcome: GraphOutcome) {
        var name = String(step.context == nil ? "SQL" : Mirror(reflecting: step).children.first?.label ?? "")
        if case .failed(let code) = outcome { name += " (\(code))" }
        performed[name, default: 0] += 1
    }

    // MARK: Transactions

    /// What becomes of a transaction, as far as it has come.
    private struct Course {
        /// What the save makes of everything with which a transaction within another begins.
        let opening: ReferenceGraph.Saved?
        /// `nil` until the block runs.
        var before: ReferenceGraph?
        var closing: ReferenceGraph.Saved?
        var error: (any Error)?
    }

    private func transaction(_ c: Int, _ steps: [GraphStep], _ fails: Bool) throws {
        guard var course = prepareTransaction(c) else { return }
        do {
            try machine.contexts[c].transaction(isolation: nil) {
                enter(&course)
                defer { depth -= 1 }
                for step in steps where step.context == c { try performBlocking(step) }
                try leave(&course, c, fails)
            }
        } catch {
            course.error = error
        }
        try end(course, c)
    }

    private func transactionAwaiting(_ c: Int, _ steps: [GraphStep], _ fails: Bool) async throws {
        guard var course = prepareTransaction(c) else { return }
        do {
            try await machine.contexts[c].transaction(isolation: nil) {
                enter(&course)
                defer { depth -= 1 }
                for step in steps where step.context == c { try await perform(step) }
                try leave(&course, c, fails)
            }
        } catch {
            course.error = error
        }
        try end(course, c)
    }

    private func prepareTransaction(_ c: Int) -> Course? {
        guard depth == 0 || reference.isSettled(c) else { return nil }
        machine.prepareTransaction(c)
        // A transaction within another saves first.
        return Course(opening: depth == 0 ? nil : reference.saved(c, .throw))
    }

    private func enter(_ course: inout Course) {
        if let opening = course.opening { reference = opening.graph }
        course.before = reference
        // What is written in it cannot be seen by others.
        reference.orders = nil
        depth += 1
    }

    private func leave(_ course: inout Course, _ c: Int, _ fails: Bool) throws {
        machine.prepareTransaction(c)
        if fails || !reference.isSettled(c) { throw Stop() }
        course.closing = reference.saved(c, .throw)
    }

    private func end(_ course: Course, _ c: Int) throws {
        if let difference = course.error as? GraphDifference { throw difference }
        let (opening, closing, error) = (course.opening, course.closing, course.error)
        guard let before = course.before else {
            guard let code = (error as? SwiftDataError)?.code, let opening,
                opening.errors.contains(code) || opening.possibleErrors.contains(code)
            else {
                throw GraphDifference("the save before the inner transaction failed: \(String(describing: error))")
            }
            return try compare(nil, c)
        }
        if let opening, !opening.errors.isEmpty {
            throw GraphDifference("the save before the inner transaction should fail with \(opening.errors)")
        }
        if let error {
            let code = (error as? SwiftDataError)?.code
            let isExpected =
                error is Stop && closing == nil
                || code.map { closing?.errors.contains($0) == true || closing?.possibleErrors.contains($0) == true }
                    ?? false
            guard isExpected else { throw GraphDifference("the transaction failed: \(error)") }
            takeBack(to: before, c)
        } else if let closing {
            guard closing.errors.isEmpty else {
                throw GraphDifference("the save of the transaction should fail with \(closing.errors)")
            }
            reference = closing.graph
        }
        performed["transaction (\(error == nil ? "done" : error is Stop ? "thrown" : "failed"))", default: 0] += 1
        if depth == 0 { try compareTables(nil, by: c, arranged: nil) }
        try compare(nil, c, isClean: error == nil)
    }

    private func takeBack(to before: ReferenceGraph, _ c: Int) {
        // A setting of the context is no change.
        let policy = reference.contexts[c].uniquePolicy
        reference = before
        reference.contexts[c].uniquePolicy = policy
        for key in before.contexts[c].objects.keys { reference.contexts[c].objects[key]?.mayBeReread = true }
    }

    // MARK: Undo

    /// Taking edits back makes everything what it was before them, doing them again what it was after them.
    private func undo(_ step: GraphStep, _ c: Int, _ steps: [GraphStep], _ redoes: Bool) throws {
        machine.beginUndo(c)
        defer { machine.endUndo(c) }
        let before = reference
        reference.contexts[c].readsFirst = true
        for step in steps where step.context == c {
            if case .endGroup = step { try performBlocking(step) } else if step.isEdit { try performBlocking(step) }
        }
        let after = reference
        machine.undo(c)
        reference.goBack(to: before, c)
        try compare(step, c)
        performed[redoes ? "undo and redo" : "undo", default: 0] += 1
        guard redoes else { return }
        machine.redo(c)
        reference.goBack(to: after, c)
        try compare(step, c)
    }

    /// What was saved is taken back by unsaved changes, which can be saved and taken back in their turn.
    private func undoSaved(
        _ step: GraphStep, _ c: Int, _ steps: [GraphStep], _ saves: Bool, _ redoes: Bool, _ reads: Bool
    ) async throws {
        // Rules are only taken back for what is in memory.
        try await perform(.save(c, .throw))
        try await perform(.refresh(c))
        for kind in GraphKind.allCases where kind.superkind == nil { try await perform(.fetch(c, kind, GraphQuery())) }
        guard reference.isInStep(c) else { return }
        if reads { try await readEnds(c) }
        machine.beginUndo(c)
        reference.contexts[c].readsFirst = true
        defer {
            machine.endUndo(c)
            reference.contexts[c].readsFirst = false
        }
        let before = reference
        var loaded = loadedEnds(c)
        var created: [RowKey: GraphRow] = [:]
        var written: [RowKey: Set<GraphSlot>] = [:]
        var edited: [RowKey: GraphRow] = [:]
        var known: Set<RowKey> = []
        for step in steps + [.save(c, .throw)] where step.context == c && (step.isEdit || step.endsGroup) {
            guard case .save = step else {
                try await perform(step)
                guard case .create(_, _, let number, _, _) = step, let key = reference.names[number] else { continue }
                created[key] = reference.contexts[c].objects[key]?.row
                continue
            }
            for (key, object) in reference.contexts[c].objects {
                written[key, default: []].formUnion(object.originals.keys)
                edited[key] = object.row
            }
            // What these lose is known when the save says it.
            let (sites, gifts) = (loadedEnds(c).sites, reference.gifts)
            guard try await saved(c) else { return }
            let losers = Set(gifts.filter { reference.gifts[$0.key] != $0.value }.values)
            known = known.subtracting(losers).union(losers.intersection(sites))
        }
        loaded.sites = known
        let after = reference
        machine.undo(c)
        reference.change(to: before, written, last: created, loaded: loaded, c)
        try compare(step, c)
        if saves { guard try await saved(c) else { return try await giveUpNumbers(c) } }
        performed[redoes ? "undo and redo of saved" : "undo of saved", default: 0] += 1
        guard redoes else { return try await giveUpNumbers(c) }
        // Only the group itself gave these.
        loaded.sites = Set(after.gifts.values)
        machine.redo(c)
        if saves {
            reference.change(to: after, written, last: edited, loaded: loaded, c)
        } else {
            reference.goBack(to: after, c)
        }
        try compare(step, c)
        if try await !saved(c) { try await giveUpNumbers(c) }
    }

    /// Objects have numbers that others name, which nobody could tell apart.
    private func giveUpNumbers(_ c: Int) async throws {
        guard reference.contexts[c].objects.values.contains(where: { $0.originalNumber != nil }) else { return }
        if try await !saved(c) { try await perform(.rollback(c)) }
    }

    private func readEnds(_ c: Int) async throws {
        let sites = reference.contexts[c].objects.values.filter { $0.row.kind == .site }.map(\.row.number).sorted()
        for site in sites {
            try await perform(.read(c, site, .jobSite))
            try await perform(.readGiven(c, site))
        }
    }

    private func loadedEnds(_ c: Int) -> ReferenceContext.LoadedEnds {
        let keys = Set(reference.rows.keys).union(reference.contexts[c].objects.keys)
        var loaded = ReferenceContext.LoadedEnds()
        // A save reads what it deletes.
        loaded.sites = Set(reference.contexts[c].objects.filter { $1.phase == .deleted && $1.row.kind == .site }.keys)
        for (key, look) in machine.look(c, at: keys, rows: Set(reference.rows.keys)) {
            for reference in look.ends.keys where reference.isOrdered {
                loaded.ends.insert(.init(owner: key, reference: reference))
            }
            if look.given != nil { loaded.sites.insert(key) }
        }
        return loaded
    }

    private func saved(_ c: Int) async throws -> Bool {
        try await perform(.save(c, .throw))
        return !reference.contexts[c].hasChanges
    }

    // MARK: Comparing

    private func compare(_ step: GraphStep, arranged: Set<ReferenceContext.End>) throws {
        var isClean = false
        var writes = false
        switch step {
        case .save: (isClean, writes) = (!reference.contexts[step.context!].hasChanges, true)
        case .rollback: isClean = true
        case .convert, .update, .move, .erase: writes = true
        default: break
        }
        if writes, depth == 0 { try compareTables(step, by: step.context, arranged: arranged) }
        if let c = step.context { try compare(step, c, isClean: isClean) }
    }

    private func compare(_ step: GraphStep?, _ c: Int, isClean: Bool = false) throws {
        let place = step.map { "\($0)" } ?? "transaction of context \(c)"
        let keys = Set(reference.rows.keys).union(reference.contexts[c].objects.keys)
        let looks = machine.look(c, at: keys, rows: Set(reference.rows.keys))
        if let difference = reference.compare(c, looks, machine.lists(c), isClean: isClean) {
            throw GraphDifference("\(place)\n\(difference)")
        }
    }

    private func names(_ gifts: [RowKey: RowKey]) -> [[Int]] { gifts.map { reference.numbers([$0, $1]) } }
    private func names(_ pairs: Set<GraphPair>) -> [[Int]] { pairs.map { reference.numbers([$0.person, $0.skill]) } }

    /// Compares the tables with the reference's rows.
    private func compareTables(_ step: GraphStep?, by writer: Int?, arranged: Set<ReferenceContext.End>?) throws {
        let tables = try machine.tables()
        let place = step.map { "\($0)" } ?? "a transaction"
        let pairs = try machine.pairs()
        if pairs != reference.pairs {
            throw GraphDifference("\(place)\nthe pairs are \(names(pairs)), not \(names(reference.pairs))")
        }
        for key in Set(tables.keys).union(reference.rows.keys).sorted() where tables[key] != reference.rows[key] {
            let (found, expected) = (tables[key], reference.rows[key])
            throw GraphDifference(
                "\(place)\nthe row \(key) is \(found.map { "\($0)" } ?? "not there"), not \(expected.map { "\($0)" } ?? "gone")"
            )
        }
        let gifts = try machine.gifts()
        if gifts != reference.gifts {
            throw GraphDifference("\(place)\nbadges were given \(names(gifts)), not \(names(reference.gifts))")
        }
        let orders = try machine.orders()
        if let difference = reference.noteOrders(orders, since: storedOrders, by: writer, arranged: arranged) {
            throw GraphDifference("\(place)\n\(difference)")
        }
        storedOrders = orders
    }
}
