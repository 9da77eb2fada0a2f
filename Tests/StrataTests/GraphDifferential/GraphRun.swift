import Strata
import Testing

/// Steps on the library and on the reference model, side by side, up to the first difference.
final class GraphRun {
    let machine: GraphMachine
    private(set) var reference: ReferenceGraph
    private var depth = 0
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
        switch step {
        case .transaction, .undo: return try performBlocking(step)
        default: break
        }
        guard let c = step.context, c % 2 == 1 else { return try performBlocking(step) }
        guard reference.allows(step) else { return }
        try follow(step, try await machine.performAwaiting(step) { self.reference.names[$0] })
    }

    private func performBlocking(_ step: GraphStep) throws {
        guard reference.allows(step) else { return }
        // A context cannot go within its own transaction.
        if case .renew = step, depth > 0 { return }
        // The transaction of a context may hold locks that others would wait for.
        if case .transaction(let c, let steps, let fails) = step { return try transaction(c, steps, fails) }
        if case .undo(let c, let steps, let redoes) = step { return try undo(step, c, steps, redoes) }
        try follow(step, try machine.perform(step) { self.reference.names[$0] })
    }

    private func follow(_ step: GraphStep, _ outcome: GraphOutcome) throws {
        if let difference = reference.follow(step, outcome) { throw GraphDifference("\(step)\n\(difference)") }
        count(step, outcome)
        try compare(step)
    }

    private func count(_ step: GraphStep, _ outcome: GraphOutcome) {
        var name = String(step.context == nil ? "SQL" : Mirror(reflecting: step).children.first?.label ?? "")
        if case .failed(let code) = outcome { name += " (\(code))" }
        performed[name, default: 0] += 1
    }

    // MARK: Transactions

    private func transaction(_ c: Int, _ steps: [GraphStep], _ fails: Bool) throws {
        guard depth == 0 || reference.isSettled(c) else { return }
        machine.prepareTransaction(c)
        // A transaction within another saves first.
        let opening = depth == 0 ? nil : reference.saved(c, .throw)
        var before: ReferenceGraph?
        var closing: ReferenceGraph.Saved?
        var error: (any Error)?
        do {
            try machine.contexts[c].transaction(isolation: nil) {
                if let opening { reference = opening.graph }
                before = reference
                depth += 1
                defer { depth -= 1 }
                for step in steps where step.context == c { try performBlocking(step) }
                machine.prepareTransaction(c)
                if fails || !reference.isSettled(c) { throw Stop() }
                closing = reference.saved(c, .throw)
            }
        } catch let failure {
            error = failure
        }
        if let difference = error as? GraphDifference { throw difference }
        guard let before else {
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
        for step in steps where step.context == c && step.isEdit { try performBlocking(step) }
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

    // MARK: Comparing

    private func compare(_ step: GraphStep) throws {
        var isClean = false
        var writes = false
        switch step {
        case .save: (isClean, writes) = (!reference.contexts[step.context!].hasChanges, true)
        case .rollback: isClean = true
        case .update, .move, .erase: writes = true
        default: break
        }
        if let c = step.context { try compare(step, c, isClean: isClean) }
        if writes, depth == 0 { try compareTables(step) }
    }

    private func compare(_ step: GraphStep?, _ c: Int, isClean: Bool = false) throws {
        let place = step.map { "\($0)" } ?? "transaction of context \(c)"
        let keys = Set(reference.rows.keys).union(reference.contexts[c].objects.keys)
        let looks = machine.look(c, at: keys, rows: Set(reference.rows.keys))
        if let difference = reference.compare(c, looks, machine.lists(c), isClean: isClean) {
            throw GraphDifference("\(place)\n\(difference)")
        }
        if step == nil, depth == 0 { try compareTables(nil) }
    }

    private func names(_ pairs: Set<GraphPair>) -> [[Int]] { pairs.map { reference.numbers([$0.person, $0.skill]) } }

    /// Compares the tables with the reference's rows.
    private func compareTables(_ step: GraphStep?) throws {
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
    }
}
