import StrataClient
import StrataRepository

/// Runs one step and records that it is done.
struct StepRun {
    let session: RunnerSession
    let step: MigrationStep
    let stage: StageName
    let number: Int
    let record: LedgerRecords.StepRecord?
    /// Which way the command goes that is at work: it is what whoever waits for a lock in vain runs again.
    let direction: StageName.Direction
    /// What else belongs into the transaction that records the step.
    var beforeRecord: (() throws -> Void)?

    /// - Parameter direction: The stage's own where it is left out.
    init(
        _ session: RunnerSession, step: MigrationStep, stage: StageName, going direction: StageName.Direction? = nil,
        number: Int, record: LedgerRecords.StepRecord?
    ) {
        self.session = session
        self.step = step
        self.stage = stage
        self.number = number
        self.record = record
        self.direction = direction ?? stage.direction
    }

    func run() throws {
        do {
            if try isFoundDone() {
                try session.transaction { try recordDone() }
                session.report(.stepSkipped(step: step.id, title: step.title, reason: .found))
                return
            }
            session.report(.stepStarted(step: step.id, title: step.title))
            if !step.statements.isEmpty { session.report(.statements(step: step.id, step.statements)) }
            let begin = ContinuousClock.now
            let rows: Int64? =
                switch step.execution {
                case .transaction: try runInTransaction()
                case .alone: try runAlone()
                case .batches(let table, let key, let size, let kind):
                    try runInBatches(table: table, key: key, kind, size: size)
                case .closure(let closure): try run(closure)
                case .verify: try verify()
                }
            session.report(
                .stepFinished(step: step.id, title: step.title, rows: rows, duration: begin.duration(to: .now)))
        } catch {
            throw MigrationError(error, in: step, of: stage)
        }
    }

    func recordDone() throws {
        try beforeRecord?()
        try session.ledger.finish(step, of: stage)
    }

    private func isFoundDone() throws -> Bool {
        // What runs in a transaction is recorded in the same one: something of that name would be somebody else's.
        guard step.execution == .alone, let probe = step.done else { return false }
        // An index of an interrupted build exists; that is all that can be said for it.
        if let index = step.index, try session.validity(ofIndex: index) == false { return false }
        return try session.isTrue(probe)
    }

    // MARK: In a transaction

    private func runInTransaction() throws -> Int64? {
        try retrying { attempt in
            try session.transaction {
                try approachTables(&attempt)
                try session.set(attempt, history: step.history)
                var rows: Int64 = 0
                try session.whileStep(mayTake: attempt.statementTimeout) {
                    for sql in step.statements {
                        rows += Int64(try session.execute(sql))
                    }
                }
                try recordDone()
                return rows > 0 ? rows : nil
            }
        }
    }

    // MARK: Closures

    private func run(_ closure: StageClosure) throws -> Int64? {
        guard let closures = session.runner.closures else {
            throw MigrationError(.usage, "Step \(step.id) is a closure, and there is nobody to run it.")
        }
        do {
            try closures.perform(closure, stage: number)
        } catch {
            throw MigrationError(
                .stepFailed, "\(closure) of \(stage) has thrown: \(error)",
                places: ["step \(step.id) of \(stage), phase \(step.phase): \(step.title)"],
                remedy: "remove the cause and run \(stage.command) again\(stage.otherWay)", underlying: error)
        }
        try session.requireLock()
        try session.transaction { try recordDone() }
        return nil
    }

    // MARK: Verifying

    private func verify() throws -> Int64? {
        try retrying { attempt in
            try session.transaction {
                try session.set(attempt, history: .on)
                let places =
                    try isAllowed ? [] : session.whileStep(mayTake: attempt.statementTimeout) { try offenders() }
                guard places.isEmpty else {
                    throw MigrationError(
                        .stepRolledBack,
                        "Step \(step.id) of \(stage) found rows that are not as they must be (\(step.title)); nothing was dropped.",
                        places: places,
                        remedy: "correct the rows and run \(stage.command) again"
                            + (step.repeatedCheck.map { ", or accept what was found with --allow \($0)" } ?? "")
                            + stage.otherWay)
                }
                try recordDone()
            }
        }
        return nil
    }

    /// Whether the step repeats a check whose findings are accepted.
    private var isAllowed: Bool {
        step.repeatedCheck.map(session.options.allowedChecks.contains) ?? false
    }

    private func offenders() throws -> [String] {
        try step.statements.flatMap { query in
            let offenders = try OffenderQuery(query).run(session)
            guard offenders.count > 0 else { return [String]() }
            return ["\(offenders.count) \(offenders.count == 1 ? "row" : "rows"): \(query.beginning(200))"]
                + offenders.lines.map { "  " + $0 }
        }
    }
}
