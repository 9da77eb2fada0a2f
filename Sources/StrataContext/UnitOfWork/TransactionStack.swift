/// The levels of an open transaction, who is inside, and whose turn it is to send statements on its connections.
///
/// A pure state machine: it decides, and neither sends nor waits. `Memory` is what a level keeps until it ends, `Waiter` whoever is to be
/// told that it may go on. The outermost level is the transaction, those within are savepoints.
struct TransactionStack<Scope: AnyObject, Memory, Waiter> {
    struct Level {
        /// Who is inside.
        let scope: Scope
        /// `nil` for the outermost.
        let savepoint: String?
        /// Whether the level is being committed or rolled back: nobody is inside any more.
        fileprivate(set) var isEnding = false
        var memory: Memory
    }

    private(set) var levels: [Level] = []
    /// How many pieces of work have the transaction's connections just now.
    private var uses = 0
    /// Who waits until none has.
    private var endOfUses: Waiter?
    /// Whether a piece of work sends statements on them just now.
    private(set) var isTurnTaken = false
    /// Who sends next, in order.
    private(set) var awaitingTurn: [Waiter] = []

    var isOpen: Bool { !levels.isEmpty }
    /// Who is inside the innermost level; `nil` where no transaction is open.
    var innermost: Scope? { levels.indices.last.map { levels[$0].scope } }
    var isInUse: Bool { uses > 0 }

    // MARK: Levels

    /// Begins a level: from now on all others are outside.
    mutating func enter(_ scope: Scope, _ memory: Memory) {
        let savepoint = levels.isEmpty ? nil : "strata_\(levels.count)"
        levels.append(Level(scope: scope, savepoint: savepoint, memory: memory))
    }

    /// Who is inside the innermost level; `nil` where no transaction is open, and where the level is ending.
    var admitting: Scope? {
        // By its place: who asks for every call is not to copy what the level keeps.
        guard let last = levels.indices.last, !levels[last].isEnding else { return nil }
        return levels[last].scope
    }

    /// Whether the level is there: it is not when one around it was rolled back.
    func isOpen(_ scope: Scope) -> Bool { place(of: scope) != nil }

    func level(of scope: Scope) -> Level? { place(of: scope).map { levels[$0] } }

    /// The level's savepoint; `nil` for the outermost, and where the level is not there.
    func savepoint(of scope: Scope) -> String? { place(of: scope).flatMap { levels[$0].savepoint } }

    private func place(of scope: Scope) -> Int? { levels.indices.last { levels[$0].scope === scope } }

    /// From now on nobody is inside this level, and those within it.
    mutating func close(_ scope: Scope) {
        guard let index = place(of: scope) else { return }
        for level in index..<levels.count { levels[level].isEnding = true }
    }

    /// Ends the innermost level.
    mutating func pop() -> Level? { levels.popLast() }

    /// Ends the innermost level as long as it is this one or one within it: the levels that end with this one, the innermost first.
    mutating func pop(through scope: Scope) -> Level? { isOpen(scope) ? levels.popLast() : nil }

    /// Takes a level out that could not be opened.
    mutating func remove(_ scope: Scope) { levels.removeAll { $0.scope === scope } }

    /// Changes what the level keeps; nothing where it is not there.
    mutating func change(_ scope: Scope, _ change: (inout Memory) -> Void) {
        guard let index = place(of: scope) else { return }
        change(&levels[index].memory)
    }

    // MARK: Uses

    /// A piece of work has the connections until it says otherwise, also where it waits.
    mutating func beginUse() { uses += 1 }

    /// - Returns: who may go on, if this was the last piece of work.
    mutating func endUse() -> Waiter? {
        uses -= 1
        guard uses == 0 else { return nil }
        defer { endOfUses = nil }
        return endOfUses
    }

    /// Somebody waits until no piece of work has the connections. There is one who ends the transaction.
    mutating func awaitEndOfUses(_ waiter: Waiter) { endOfUses = waiter }

    // MARK: Turns

    /// Takes the turn. False where another has it: then whoever asks waits (``awaitTurn(_:)``).
    mutating func takeTurn() -> Bool {
        guard !isTurnTaken else { return false }
        isTurnTaken = true
        return true
    }

    mutating func awaitTurn(_ waiter: Waiter) { awaitingTurn.append(waiter) }

    /// Passes the turn on; it stays taken where somebody waits for it.
    ///
    /// - Returns: who has it now.
    mutating func passTurn() -> Waiter? {
        guard awaitingTurn.isEmpty else { return awaitingTurn.removeFirst() }
        isTurnTaken = false
        return nil
    }
}
