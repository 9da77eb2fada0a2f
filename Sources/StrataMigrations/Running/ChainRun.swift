/// Goes from the version a database has to the newest of the scripts, stage by stage.
struct ChainRun {
    private let session: RunnerSession
    private let scripts: [StageScript]
    private let phase: MigrationPhase
    private let last: Int?

    init(_ session: RunnerSession, scripts: [StageScript], through phase: MigrationPhase, to last: Int?) {
        self.session = session
        self.scripts = scripts
        self.phase = phase
        self.last = last
    }

    func run() throws {
        guard !scripts.isEmpty else { return }
        let ledger = session.ledger
        let recorded = try ledger.newestVersion()
        var interrupted = try ledger.stageInProgress()
        if let recorded { try requireKnown(recorded) }
        if let interrupted, interrupted.direction == .back {
            throw MigrationError(
                .usage, "A rollback was interrupted: \(interrupted) is not complete.", remedy: "run rollback again")
        }
        if recorded == nil, interrupted == nil { try requireEmpty() }
        if session.options.verifiesAppliedStages, let error = MigrationError(edits: try ledger.edits(in: scripts)) {
            throw error
        }

        var position = recorded.map { StageScript.Version($0.version, fingerprint: $0.fingerprint) }
        while let script = try next(after: position, interrupted: interrupted) {
            if let last, script.number > last { return }
            // No old code runs on a database that is empty.
            let stage = StageRun(
                session, script: script, through: script.from == nil ? .contract : phase,
                description: session.options.descriptions[script.number])
            guard try stage.run() else { return }
            position = script.to
            interrupted = nil
        }
    }

    private func next(after position: StageScript.Version?, interrupted: StageName?) throws -> StageScript? {
        let candidates = scripts.filter { $0.from == position }
        if let interrupted {
            guard let script = candidates.first(where: { $0.stage == interrupted }) else {
                throw MigrationError(
                    .integrity,
                    "The stage \(interrupted) was begun on this database, and no migration of this name leads on from there.",
                    remedy: "bring its file back")
            }
            return script
        }
        // Several ways lead to a new database only when one of them is squashed: that is the last, if it is not too far.
        let next = position == nil ? candidates.last { $0.number <= last ?? .max } : candidates.first
        if next == nil, let position,
            let other = scripts.first(where: { $0.from?.version == position.version })
        {
            throw MigrationError(
                .integrity,
                "\(other.stem) starts from version \(position.version) as it is written down now, and the database has another one.",
                places: ["recorded \(position.fingerprint)", "expected \(other.from?.fingerprint ?? "none")"],
                remedy: "a released version must not be changed: restore it and add a new one")
        }
        return next
    }

    private func requireKnown(_ recorded: RecordedVersion) throws {
        let known = scripts.flatMap { [$0.from, $0.to] }.compactMap(\.self)
        let sameVersion = known.filter { $0.version == recorded.version }
        if sameVersion.contains(where: { $0.fingerprint == recorded.fingerprint }) { return }
        if let other = sameVersion.first {
            throw MigrationError(
                .integrity, "Version \(recorded.version) was changed after it had been applied.",
                places: ["recorded \(recorded.fingerprint)", "expected \(other.fingerprint)"],
                remedy: "a released version must not be changed: restore it and add a new one")
        }
        let newest = known.map(\.version).max()
        if let newest, recorded.version > newest {
            throw MigrationError(
                .integrity,
                "The database is newer than the code: it is at version \(recorded.version), the newest known is \(newest).",
                remedy: "use the code that knows version \(recorded.version)")
        }
        throw MigrationError(
            .integrity,
            "The database is at version \(recorded.version), which no migration starts from or leads to.",
            places: ["recorded by \(recorded.stage), \(recorded.applied)"], remedy: "bring its files back")
    }

    private func requireEmpty() throws {
        let tables = try session.ledger.tables().filter { !session.options.ignoredTables.covers($0) }
        guard !tables.isEmpty else { return }
        throw MigrationError(
            .drift,
            "The schema \"\(session.schemaName)\" holds tables, but there is no record of migrations.",
            places: tables.prefix(10).map { "table \($0)" },
            remedy: "record with baseline which version it is, or apply to an empty schema")
    }
}
