@testable import StrataMigrations

/// What a step really took, as the server noted it: proof instead of folklore.
struct ObservedLocks: Hashable {
    /// The strongest lock on each table that was there before, in PostgreSQL's spelling: `AccessExclusiveLock`. Tables go by
    /// the names they had when the step began.
    private(set) var modes: [String: String] = [:]
    /// Tables whose rows were written anew.
    var rewritten: Set<String> = []

    mutating func add(_ mode: String, on table: String) {
        if Self.rank(mode) > modes[table].map(Self.rank) ?? -1 { modes[table] = mode }
    }

    /// Where a step took more than it declares, or wrote a table anew; empty when its word is good.
    ///
    /// Reads never count, nor do writes to other tables that a trigger of the declared one makes: they stop nobody.
    func lines(exceeding step: MigrationStep) -> [String] {
        let declared = Self.rank(of: step.lock)
        let written = Self.rank(of: .rowExclusive)
        let locks = modes.sorted { $0.key < $1.key }.compactMap { table, mode -> String? in
            let taken = Self.rank(mode)
            if step.tables.contains(table) {
                return taken > declared ? "\(table): \(mode) was taken, \(step.lock.rawValue) is declared" : nil
            }
            let allowed = declared >= written ? written : Self.rank(of: .none)
            return taken > allowed ? "\(table): \(mode) was taken, and the step does not name the table" : nil
        }
        // A stage asks whether that may be (M209), of the table that the step names.
        let unsaid = step.operation == .addGeneratedColumn ? rewritten.subtracting(step.tables) : rewritten
        return locks + unsaid.sorted().map { "\($0): all rows were written anew" }
    }

    /// Where a step declares more than it took on any of the tables that it names, or names one that its statements did not lock;
    /// empty where none of them was there before the stage.
    func lines(below step: MigrationStep) -> [String] {
        let taken = modes.filter { step.tables.contains($0.key) }
        guard step.lock != .none, let strongest = taken.values.max(by: { Self.rank($0) < Self.rank($1) }) else {
            return []
        }
        // A strong lock is approached on all tables that are named, whatever the statements of the step lock after that.
        let isApproached = Self.rank(of: step.lock) > Self.rank(of: .shareUpdateExclusive)
        let weakest = Self.rank(of: isApproached ? .shareUpdateExclusive : .none)
        let unlocked = taken.filter { Self.rank($0.value) <= weakest }.keys.sorted()
        return unlocked.map { "\($0): no statement has locked it, \(step.lock.rawValue) is declared" }
            + (Self.rank(strongest) < Self.rank(of: step.lock)
                ? ["\(strongest) is the strongest lock taken, \(step.lock.rawValue) is declared"] : [])
    }

    /// From the weakest to the strongest (manual, 13.3.1).
    private static let order = [
        "AccessShareLock", "RowShareLock", "RowExclusiveLock", "ShareUpdateExclusiveLock", "ShareLock",
        "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock",
    ]

    private static func rank(_ mode: String) -> Int { order.firstIndex(of: mode) ?? order.count }

    private static func rank(of lock: MigrationStep.Lock) -> Int {
        rank(lock == .none ? "RowShareLock" : lock.rawValue + "Lock")
    }
}
