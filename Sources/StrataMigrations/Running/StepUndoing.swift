import StrataClient

/// Takes steps of a stage back that were done, in the given order.
struct StepUndoing {
    private let session: RunnerSession
    private let stage: StageName
    private let direction: StageName.Direction

    /// - Parameter direction: Which way the command goes that undoes the steps: messages name it.
    init(_ session: RunnerSession, stage: StageName, going direction: StageName.Direction) {
        self.session = session
        self.stage = stage
        self.direction = direction
    }

    /// All in one transaction, in which the steps are also forgotten.
    func undo(_ steps: [MigrationStep], alsoForgetting others: [MigrationStep]) throws {
        // The first to be undone stands for all in messages.
        guard let first = steps.first else {
            try session.transaction { for step in others { try session.ledger.remove(step, of: stage) } }
            return
        }
        var named = first
        named.lock = steps.map(\.lock).max { $0.strength < $1.strength } ?? first.lock
        named.tables = Array(Set(steps.flatMap(\.tables))).sorted()
        named.execution = .transaction
        named.title = "undo " + steps.map(\.id).joined(separator: ", ")
        // A step that waits without end stops nobody meanwhile. What undoes all of them may.
        named.lockTimeout = steps.map(\.lockTimeout).filter { $0 > 0 }.max() ?? MigrationOperation.Limits().lock
        named.statementTimeout = steps.map(\.statementTimeout).longest
        let run = StepRun(session, step: named, stage: stage, going: direction, number: 0, record: nil)
        do {
            try run.retrying { attempt in
                try session.transaction {
                    try run.approachTables(&attempt)
                    try session.set(attempt, history: .on)
                    for step in steps {
                        try session.whileStep(mayTake: attempt.statementTimeout) {
                            for sql in step.undo { try session.execute(sql) }
                        }
                        try session.ledger.remove(step, of: stage)
                    }
                    for step in others { try session.ledger.remove(step, of: stage) }
                }
            }
        } catch {
            throw MigrationError(error, in: named, of: stage, going: direction)
        }
        for step in steps { session.report(.stepUndone(step: step.id, title: step.title)) }
    }

    /// Outside a transaction: what was made concurrently is dropped concurrently.
    func undoAlone(_ step: MigrationStep) throws {
        do {
            for sql in step.undo { try session.execute(sql) }
            try session.ledger.remove(step, of: stage)
        } catch {
            throw MigrationError(error, in: step, of: stage, going: direction)
        }
        session.report(.stepUndone(step: step.id, title: step.title))
    }
}

extension [Int] {
    /// Of timeouts, where 0 is without end.
    fileprivate var longest: Int { contains(0) ? 0 : self.max() ?? 0 }
}

extension MigrationStep.Lock {
    fileprivate var strength: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
