import Logging
package import StrataClient
package import StrataRepository

/// Applies stages to one PostgreSQL schema, and can be killed at any moment: applied again, it goes on where it was.
///
/// Everything blocks the calling thread. All work is done on one connection that holds an advisory lock meanwhile, so
/// that there is one runner at a time; each call opens the connection anew and closes it.
package struct MigrationRunner: Sendable {
    package let configuration: PostgresConfiguration
    package let schemaName: String
    package let options: RunnerOptions
    package let closures: (any StageClosures)?
    package let report: @Sendable (MigrationEvent) -> Void

    package init(
        configuration: PostgresConfiguration, schemaName: String, options: RunnerOptions = RunnerOptions(),
        closures: (any StageClosures)? = nil, report: @escaping @Sendable (MigrationEvent) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.schemaName = schemaName
        self.options = options
        self.closures = closures
        self.report = report
    }

    /// Where the database stands. Reads only, takes no lock and creates nothing.
    package func state(of scripts: [StageScript]) throws(MigrationError) -> MigrationState {
        do {
            let session = try RunnerSession(self)
            defer { session.close() }
            return try session.ledger.state(of: scripts, ignoring: options.ignoredTables)
        } catch {
            throw MigrationError(running: error)
        }
    }

    /// The steps of complete stages, and of the one in progress, that the scripts no longer have as they were run. Reads
    /// only.
    package func editedSteps(in scripts: [StageScript]) throws(MigrationError) -> [EditedStep] {
        do {
            let session = try RunnerSession(self)
            defer { session.close() }
            return try session.ledger.exists() ? session.ledger.edits(in: scripts) : []
        } catch {
            throw MigrationError(running: error)
        }
    }

    /// Brings the database from where it stands to the newest version, or stops after `phase` of the first stage that has
    /// steps behind that phase, or at the stage with the number `number`.
    package func apply(
        _ scripts: [StageScript], through phase: MigrationPhase = .contract, to number: Int? = nil
    ) throws(MigrationError) {
        try locked { session in
            try ChainRun(session, scripts: scripts, through: phase, to: number).run()
        }
    }

    /// Takes the stage back: by its way down when it is complete, by the undoing of its steps when it is not.
    package func rollback(_ script: StageScript) throws(MigrationError) {
        try locked { session in try StageRollback(session, script: script).run() }
    }

    /// Records that the database is at this version, and begins to record its history where that is wanted.
    package func baseline(
        _ version: StageScript.Version, description: FrozenSchema?, recordsHistory: Bool = true
    ) throws(MigrationError) {
        try locked { session in
            if let recorded = try session.ledger.newestVersion() {
                guard recorded.version == version.version, recorded.fingerprint == version.fingerprint else {
                    throw MigrationError(
                        .usage,
                        "The database has a record of migrations already: it is at version \(recorded.version).",
                        remedy: "a baseline is for databases without a record; use apply or rollback")
                }
                return
            }
            guard try session.ledger.steps().isEmpty else {
                throw MigrationError(
                    .usage, "A stage was begun on this database and is not complete.", remedy: "apply or rollback it")
            }
            let history = description.flatMap { recordsHistory ? HistoryDescription($0).withoutFormerNames : nil }
            try HistoryMending(session, history).run {
                try session.ledger.record(version, stage: StageName("baseline"), description: description)
            }
        }
    }

    /// Creates a version in a PostgreSQL schema that is not there, and records it: the tables in one transaction, the history's triggers and the
    /// record in another. Tables or a store that are there, recorded or not, may be somebody's: they are an error.
    package func create(
        _ schema: FrozenSchema, recordsHistory: Bool, on placement: TenantPlacement = .server
    ) throws(MigrationError) {
        let version = StageScript.Version(schema.version, fingerprint: schema.fingerprint)
        try locked { session in
            guard try session.ledger.newestVersion() == nil, try session.ledger.steps().isEmpty else {
                throw MigrationError(
                    .usage, "The PostgreSQL schema \"\(schemaName)\" has a record of migrations already.",
                    remedy: "choose another name, or use apply")
            }
            let description = HistoryDescription(schema).withoutFormerNames
            let history = recordsHistory && !description.isEmpty ? description : nil
            try placement.require(on: session, recordsHistory: history != nil)
            let creation = CreateVersion(version: schema.version, database: schema.database.creationOrder)
            try session.transaction {
                // Programs that create stores at the same time do not have the runner's lock.
                try session.execute(StorePreparation.waitForCreators)
                try requireVacancy(on: session)
                for sql in creation.statements(SchemaSQL(schemaName: schemaName)) { try session.execute(sql) }
            }
            try HistoryMending(session, history).run {
                try session.ledger.record(version, stage: StageName("baseline"), description: schema)
            }
            try placement.place(session)
        }
    }

    private func requireVacancy(on session: RunnerSession) throws {
        let vacancy = TenantVacancy(schemaName)
        var batch = PostgresBatch()
        // The library is installed by then.
        try vacancy.addReading(to: &batch, hasStores: true)
        try session.connection.run(batch)
        guard vacancy.isTaken else { return }
        throw MigrationError(
            .usage, "Nothing was created: \(vacancy.reason).",
            remedy:
                "choose another name; if these are the tables of a creation that was interrupted, record them: baseline "
                + "--schema \(schemaName)")
    }

    /// Accepts the scripts as they are now for what was applied or begun, and drops the invalid indexes that interrupted builds
    /// have left. Returns what was done, one line each.
    package func repair(_ scripts: [StageScript]) throws(MigrationError) -> [String] {
        try locked { session in
            let lines = try StageRepair(session, scripts: scripts).run()
            let findings = try HistoryInspection(schemaName, on: session.connection).findings.filter { $0.isMendable }
            guard !findings.isEmpty else { return lines }
            try HistoryMending(session, nil).run()
            return lines + findings.map { "mended: \($0.line)" }
        }
    }

    /// Makes the history's triggers be what the description says, whatever was there; `nil` keeps the description. A stage in
    /// progress keeps the one that it has set. Returns what was wrong, one line each.
    package func syncHistory(_ description: HistoryDescription?) throws(MigrationError) -> [String] {
        try locked { session in
            let kept = try session.ledger.stageInProgress() != nil ? nil : description
            let inspection = try HistoryInspection(schemaName, on: session.connection)
            let lines = kept.map { inspection.lines(expecting: $0) } ?? inspection.findings.map(\.line)
            try HistoryMending(session, kept).run()
            return lines
        }
    }

    private func locked<Result>(_ body: (RunnerSession) throws -> Result) throws(MigrationError) -> Result {
        do {
            let session = try RunnerSession(self)
            defer { session.close() }
            try session.lock()
            try session.installLibrary()
            return try body(session)
        } catch {
            throw MigrationError(running: error)
        }
    }
}
