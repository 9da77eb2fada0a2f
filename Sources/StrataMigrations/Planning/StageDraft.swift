/// The steps of a stage while they are planned: each goes to its place, whatever the order they are thought of.
struct StageDraft {
    /// The places, in the order they run.
    enum Place: Int, CaseIterable {
        case willMigrate
        // expand
        case createTables, addColumns, loosen, widenClasses, sync
        // backfill
        case insertRows, fillColumns, copyLinks, classify, validate, prove, buildIndexes, addForeignKeys,
            validateForeignKeys, backfillSQL
        // contract
        // What was moved is verified before classes change and the user's code runs: that may change values and links.
        case verify, dropSync, switchNames, followNew, moveRows, moveLinks, verifyMoved, reclassify, didMigrate,
            contractSQL
        case lateProve, dropConstraints, lateIndexes, replaceForeignKeys, validateLateForeignKeys, dropIndexes,
            deleteRows, dropColumns, dropTables, tighten, validateTight, record

        var phase: MigrationPhase {
            if rawValue <= Place.sync.rawValue { return .expand }
            return rawValue <= Place.backfillSQL.rawValue ? .backfill : .contract
        }
    }

    /// A step, and what is known of it while it is planned.
    struct Entry {
        var step: MigrationStep
        /// Classes whose objects get a value for a new column without a statement that triggers could see.
        var silentlyFilled: [String] = []
        /// Whether it is a statement of the plan's own.
        var isOwn = false
    }

    private(set) var entries: [Place: [Entry]] = [:]
    var checks: [DataCheck] = []
    var notes: [String] = []
    /// Why the stage cannot be taken back; empty when it can.
    var losses: [String] = []

    /// - Parameter isScan: whether the statement reads a whole table under a lock that lets everybody work: then neither
    ///   it nor its wait has a limit.
    mutating func add(
        _ place: Place, _ title: String, _ statements: [String], execution: MigrationStep.Execution = .transaction,
        lock: MigrationStep.Lock = .none, on tables: [String] = [], columns: [String] = [], done: String? = nil,
        undo: [String] = [],
        index: String? = nil, notes: [String] = [], isScan: Bool = false, silentlyFilled: [String] = [],
        isOwn: Bool = false
    ) {
        var step = MigrationStep(
            phase: place.phase, title: title, execution: execution, lock: lock, tables: tables, columns: columns,
            statements: statements, done: done, undo: undo, index: index, notes: notes)
        switch execution {
        case .alone: (step.lockTimeout, step.statementTimeout) = (0, 0)
        case .batches: (step.history, step.statementTimeout) = (.off, 600_000)
        case .verify: step.statementTimeout = 0
        case .closure: step.statementTimeout = 0
        case .transaction:
            if isScan { (step.lockTimeout, step.statementTimeout) = (0, 0) }
        }
        entries[place, default: []].append(
            Entry(step: step, silentlyFilled: silentlyFilled, isOwn: isOwn))
    }

    /// A question that two plans of one table ask is asked once.
    mutating func check(_ check: DataCheck) {
        if !checks.contains(check) { checks.append(check) }
    }

    /// Changes the steps of a place that are there already.
    mutating func change(_ place: Place, _ body: (inout Entry) -> Void) {
        guard var list = entries[place] else { return }
        for index in list.indices { body(&list[index]) }
        entries[place] = list
    }

    /// All steps in their order, numbered.
    func numbered(_ stage: Int) -> [MigrationStep] {
        var result: [MigrationStep] = []
        for place in Place.allCases {
            for var step in (entries[place] ?? []).map(\.step) {
                step.id = "\(stage).\(result.count + 1)"
                result.append(step)
            }
        }
        return result
    }

    func has(_ place: Place) -> Bool { entries[place]?.isEmpty == false }
}
