import StrataRepository

/// The steps of a stage while they are planned: each goes to its place, whatever the order they are thought of.
struct StageDraft {
    /// The places, in the order they run.
    enum Place: Int, CaseIterable {
        case willMigrate
        // expand
        case createTables, addColumns, loosen, widenClasses, sync
        // What is missing then, a trigger brings.
        case dropDefaults
        // backfill
        case insertRows, fillColumns, copyLinks, classify, validate, prove, buildIndexes, addForeignKeys,
            validateForeignKeys, backfillSQL, addChecks, validateChecks, replaceViews
        // contract
        // Whatever follows is about the rows of all tenants. Nothing that a view reads can change before it is down.
        case dropPolicies, dropViews
        // What was moved is verified before classes change and the user's code runs: that may change values and links.
        case verify, dropSync, switchNames, followNew, moveRows, moveLinks, verifyMoved, reclassify, didMigrate,
            contractSQL
        case lateProve, dropConstraints, lateIndexes, replaceForeignKeys, validateLateForeignKeys,
            dropIndexes,
            // A rule holds of the rows that are left.
            deleteRows, lateChecks, validateLateChecks, dropColumns, dropTables, tighten, validateTight, refreshViews,
            createViews, verifyTenants, addPolicies, record

        var phase: MigrationPhase {
            if rawValue <= Place.dropDefaults.rawValue { return .expand }
            return rawValue <= Place.replaceViews.rawValue ? .backfill : .contract
        }
    }

    /// An operation in its place, and what tells the history of it in the same transaction.
    struct Entry {
        var operation: any PlannedOperation
        var leading: [HistoryCall] = []
        var following: [HistoryCall] = []
        /// Behind its undoing.
        var undoing: [HistoryCall] = []
        /// What the calls lock besides.
        var alsoLocked: Set<String> = []
    }

    /// What the statements are written for.
    let sql: SchemaSQL
    private(set) var entries: [Place: [Entry]] = [:]
    var checks: [DataCheck] = []
    var notes: [String] = []
    /// Why the stage cannot be taken back; empty when it can.
    var losses: [StageLoss] = []

    init(_ sql: SchemaSQL) {
        self.sql = sql
    }

    mutating func add(_ place: Place, _ operation: any PlannedOperation) {
        entries[place, default: []].append(Entry(operation: operation))
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
            for entry in entries[place] ?? [] {
                result.append(step(entry, id: "\(stage).\(result.count + 1)", in: place.phase))
            }
        }
        return result
    }

    private func step(_ entry: Entry, id: String, in phase: MigrationPhase) -> MigrationStep {
        let operation = entry.operation
        let limits = operation.kind.limits
        let execution = operation.execution(sql)
        let isRow: Bool = if case .batches = execution { true } else { false }
        let calls = { (calls: [HistoryCall]) in calls.map { $0.statement(in: sql.schemaName) } }
        return MigrationStep(
            id: id, phase: phase, operation: operation.kind, title: operation.title, execution: execution,
            lock: operation.lock,
            tables: entry.alsoLocked.isEmpty
                ? operation.tables : entry.alsoLocked.union(operation.tables).sorted(),
            columns: operation.columns, history: isRow ? .off : .on, lockTimeout: limits.lock,
            statementTimeout: limits.statement,
            statements: calls(entry.leading) + operation.statements(sql) + calls(entry.following),
            done: operation.done(sql), undo: operation.undo(sql) + calls(entry.undoing), index: operation.index,
            repeatedCheck: operation.repeatedCheck, notes: operation.notes)
    }

    func has(_ place: Place) -> Bool { entries[place]?.isEmpty == false }

    /// Whether phase contract changes rows, as far as the plan knows what others have written.
    var changesRowsInContract: Bool {
        Place.allCases.contains { place in
            place.phase == .contract && entries[place, default: []].contains { $0.operation.kind.changesRows }
        }
    }

    /// Whether contract does anything in another place than this one.
    func hasContract(besides place: Place) -> Bool {
        Place.allCases.contains { $0.phase == .contract && $0 != place && has($0) }
    }
}
