import StrataClient
import StrataRepository

extension StepRun {
    /// Statements outside a transaction. A concurrent build that was interrupted leaves an invalid index, which
    /// `IF NOT EXISTS` would take for a good one: it is dropped and built again.
    func runAlone() throws -> Int64? {
        try session.ledger.begin(step, of: stage)
        try retrying { _ in
            try removeInvalidIndex()
            try withSessionSettings {
                do {
                    try session.whileStep(mayTake: session.options.statementTimeout(of: step)) {
                        for sql in step.statements { try session.execute(sql) }
                    }
                } catch {
                    try cleanUp(after: error)
                    throw error
                }
            }
        }
        if let index = step.index, try session.validity(ofIndex: index) != true {
            throw MigrationError(
                .stepFailed, "Step \(step.id) of \(stage) has run, but the index \(index) is not there or not valid.",
                places: ["step \(step.id) of \(stage), phase \(step.phase): \(step.title)"],
                remedy: "run \(stage.command) again: the index is dropped and built again")
        }
        try session.transaction { try recordDone() }
        return nil
    }

    /// Waits for locks without end, and tells for whom. A concurrent build that gives up leaves an invalid index.
    private func withSessionSettings(_ body: () throws -> Void) throws {
        try session.setForSession(
            lockTimeout: 0, statementTimeout: session.options.statementTimeout(of: step), history: step.history)
        let watch = BlockerWatch(session, step: step.id)
        defer { watch.end() }
        do {
            try body()
        } catch {
            if session.connection.isUsable { try session.setForSession(statementTimeout: 0, history: .on) }
            throw error
        }
        try session.setForSession(statementTimeout: 0, history: .on)
    }

    private func removeInvalidIndex() throws {
        guard let index = step.index, try session.validity(ofIndex: index) == false else { return }
        try session.dropConcurrently(index)
        session.report(.indexRemoved(step: step.id, index: index))
    }

    /// An invalid index serves no reads, yet it costs writes, and a unique one refuses values.
    private func cleanUp(after error: any Error) throws {
        guard session.connection.isUsable, (error as? PostgresError)?.isConnectionLoss != true else { return }
        do {
            try session.setForSession(lockTimeout: 0, statementTimeout: 5000, history: .on)
            try removeInvalidIndex()
        } catch let later as PostgresError where !later.isConnectionLoss {
            // Somebody is in the way: it goes when the step is run again.
        }
    }
}

extension RunnerSession {
    /// `nil` where there is no such index.
    func validity(ofIndex index: String) throws -> Bool? {
        try rows(
            """
            SELECT i.indisvalid AND i.indisready FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS c \
            ON c.oid = i.indexrelid JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE n.nspname = \(bind: schemaName) AND c.relname = \(bind: index)
            """
        ) { try $0.decode(0, as: Bool.self) }.first
    }

    func dropConcurrently(_ index: String) throws {
        try execute(
            "DROP INDEX CONCURRENTLY IF EXISTS \(SQLFragment.quoted(schemaName)).\(SQLFragment.quoted(index))")
    }

    func setForSession(
        lockTimeout: Int = RunnerSession.lockTimeout, statementTimeout: Int, history: MigrationStep.History
    ) throws {
        try execute(
            """
            SELECT pg_catalog.set_config('lock_timeout', \(bind: "\(lockTimeout)"), false), \
            pg_catalog.set_config('statement_timeout', \(bind: "\(statementTimeout)"), false), \
            pg_catalog.set_config('strata.history', \(bind: history.rawValue), false)
            """ as SQLFragment)
    }
}
