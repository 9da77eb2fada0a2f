import Foundation
import StrataClient
import StrataModels
import StrataRepository

/// Reads and writes the ledger for one PostgreSQL schema.
struct LedgerRecords {
    let session: RunnerSession
    private var schemaName: String { session.schemaName }

    init(session: RunnerSession) {
        self.session = session
    }

    /// A row of `strata.migration_step`.
    struct StepRecord {
        var stage: StageName
        var step: String
        var checksum: String
        var isDone: Bool
        var checkpoint: Int64?
        var rowsDone: Int64
        var rowsTotal: Int64?
        /// The line that says how the step is run; `nil` where nobody has written it down.
        var directive: String?
    }

    // MARK: The tables

    func exists() throws -> Bool {
        let names = [MigrationLedger.versions, MigrationLedger.steps].map {
            "pg_catalog.to_regclass(\(SQLFragment.literal("\($0.schema).\($0.name)"))) IS NOT NULL"
        }
        return try session.isTrue("SELECT " + names.joined(separator: " AND "))
    }

    // MARK: Versions

    func newestVersion() throws -> RecordedVersion? {
        let read: SQLFragment = """
            SELECT number, version, fingerprint, stage, applied, applied_by, description::text \
            FROM \(MigrationLedger.versions) WHERE schema_name = \(bind: schemaName) ORDER BY number DESC LIMIT 1
            """
        return try session.rows(read) { row in
            let text = try row.decode(1, as: String.self)
            guard let version = Schema.Version(recorded: text) else {
                throw MigrationError(
                    .integrity, "\(MigrationLedger.versions.name) holds \"\(text)\", which is no schema version.")
            }
            return RecordedVersion(
                number: try row.decode(0), version: version, fingerprint: try row.decode(2), stage: try row.decode(3),
                applied: try row.decode(4, as: Date.self), appliedBy: try row.decode(5),
                description: try row.decodeIfPresent(6))
        }.first
    }

    func record(_ version: StageScript.Version, stage: StageName, description: FrozenSchema?) throws {
        try session.execute(
            """
            INSERT INTO \(MigrationLedger.versions) (schema_name, version, fingerprint, stage) VALUES \
            (\(bind: schemaName), \(bind: version.version.description), \(bind: version.fingerprint), \(bind: stage.recorded))
            """ as SQLFragment)
        try describe(stage: stage, description)
    }

    /// Keeps the frozen form with the version that the stage has just recorded.
    func describe(stage: StageName, _ description: FrozenSchema?) throws {
        guard let description else { return }
        let json = PostgresJSONB(json: Data(description.canonicalJSON.utf8))
        try session.execute(
            """
            UPDATE \(MigrationLedger.versions) SET description = \(bind: json) WHERE number = (\
            SELECT max(number) FROM \(MigrationLedger.versions) \
            WHERE schema_name = \(bind: schemaName) AND stage = \(bind: stage.recorded))
            """ as SQLFragment)
    }

    /// Gives the newest version the frozen form that an earlier record of the same version has.
    func describeAsBefore() throws {
        try session.execute(
            """
            UPDATE \(MigrationLedger.versions) AS n SET description = (SELECT o.description \
            FROM \(MigrationLedger.versions) AS o WHERE o.schema_name = n.schema_name AND o.version = n.version \
            AND o.fingerprint = n.fingerprint AND o.description IS NOT NULL ORDER BY o.number DESC LIMIT 1) \
            WHERE n.description IS NULL AND n.number = (SELECT max(number) FROM \(MigrationLedger.versions) \
            WHERE schema_name = \(bind: schemaName))
            """ as SQLFragment)
    }

    /// Forgets all versions: after the way back from the first one.
    func removeVersions() throws {
        try session.execute(
            "DELETE FROM \(MigrationLedger.versions) WHERE schema_name = \(bind: schemaName)" as SQLFragment)
    }

    // MARK: Steps

    /// In the order in which they were begun.
    func steps() throws -> [StepRecord] {
        try session.rows(
            """
            SELECT stage, step, checksum, state = 'done', checkpoint, rows_done, rows_total, content[1] \
            FROM \(MigrationLedger.steps) WHERE schema_name = \(bind: schemaName) ORDER BY started, step
            """
        ) { row in
            StepRecord(
                stage: StageName(recorded: try row.decode(0)), step: try row.decode(1), checksum: try row.decode(2),
                isDone: try row.decode(3), checkpoint: try row.decodeIfPresent(4), rowsDone: try row.decode(5),
                rowsTotal: try row.decodeIfPresent(6), directive: try row.decodeIfPresent(7))
        }
    }

    /// The stage that was begun and whose version was not recorded since.
    func stageInProgress() throws -> StageName? {
        try session.rows(StageUnderWay.name(in: schemaName)) { StageName(recorded: try $0.decode(0)) }.first
    }

    func begin(_ step: MigrationStep, of stage: StageName, rowsTotal: Int64? = nil) throws {
        let (content, checksum) = step.contentAndChecksum
        var sql: SQLFragment = """
            INSERT INTO \(MigrationLedger.steps) (schema_name, stage, step, checksum, state, content, rows_total) VALUES \
            (\(bind: schemaName), \(bind: stage.recorded), \(bind: step.id), \(bind: checksum), 'started', 
            """
        try sql.append(texts: content)
        sql.append(raw: ", ")
        if let rowsTotal { sql.append(bind: rowsTotal) } else { sql.appendNull(.int8) }
        sql.append(raw: ") ON CONFLICT (schema_name, stage, step) DO NOTHING")
        try session.execute(sql)
    }

    func advance(_ step: MigrationStep, of stage: StageName, to checkpoint: Int64, rowsDone: Int64) throws {
        try session.execute(
            """
            UPDATE \(MigrationLedger.steps) SET checkpoint = \(bind: checkpoint), rows_done = \(bind: rowsDone) \
            WHERE \(row(step.id, stage))
            """ as SQLFragment)
    }

    func finish(_ step: MigrationStep, of stage: StageName) throws {
        let (content, checksum) = step.contentAndChecksum
        var sql: SQLFragment = """
            INSERT INTO \(MigrationLedger.steps) AS s (schema_name, stage, step, checksum, state, finished, content) \
            VALUES (\(bind: schemaName), \(bind: stage.recorded), \(bind: step.id), \(bind: checksum), 'done', \
            pg_catalog.clock_timestamp(), 
            """
        try sql.append(texts: content)
        sql.append(
            raw: """
                ) ON CONFLICT (schema_name, stage, step) DO UPDATE SET state = 'done', finished = excluded.finished, \
                checksum = excluded.checksum, content = excluded.content
                """)
        try session.execute(sql)
    }

    /// A backfill that was begun starts again from the first row: what is done of it was done by the old text.
    func accept(_ step: MigrationStep, of stage: StageName) throws {
        let (content, checksum) = step.contentAndChecksum
        var sql: SQLFragment =
            "UPDATE \(MigrationLedger.steps) SET checksum = \(bind: checksum), content = "
        try sql.append(texts: content)
        sql.append(
            """
            , checkpoint = CASE WHEN state = 'done' THEN checkpoint END, \
            rows_done = CASE WHEN state = 'done' THEN rows_done ELSE 0 END WHERE \(row(step.id, stage))
            """)
        try session.execute(sql)
    }

    /// What a step was when it was begun, part by part; `nil` where nobody has written it down.
    func content(ofStep step: String, of stage: StageName) throws -> [String]? {
        let texts = try session.rows(
            """
            SELECT pg_catalog.array_to_json(content)::text FROM \(MigrationLedger.steps) \
            WHERE \(row(step, stage))
            """
        ) { try $0.decodeIfPresent(0, as: String.self) }
        guard let text = texts.first ?? nil else { return nil }
        return try JSONDecoder().decode([String].self, from: Data(text.utf8))
    }

    func isRecorded(_ step: MigrationStep, of stage: StageName) throws -> Bool {
        let read: SQLFragment = "SELECT count(*) > 0 FROM \(MigrationLedger.steps) WHERE \(row(step.id, stage))"
        return try session.rows(read) { try $0.decode(0, as: Bool.self) } == [true]
    }

    func remove(_ step: MigrationStep, of stage: StageName) throws { try remove(step.id, of: stage) }

    func remove(_ step: String, of stage: StageName) throws {
        try session.execute("DELETE FROM \(MigrationLedger.steps) WHERE \(row(step, stage))" as SQLFragment)
    }

    func removeSteps(of stage: StageName) throws {
        try session.execute(
            "DELETE FROM \(MigrationLedger.steps) WHERE schema_name = \(bind: schemaName) AND stage = \(bind: stage.recorded)"
                as SQLFragment)
    }

    private func row(_ step: String, _ stage: StageName) -> SQLFragment {
        "schema_name = \(bind: schemaName) AND stage = \(bind: stage.recorded) AND step = \(bind: step)"
    }
}

extension SQLFragment {
    /// Binds an array of `text`.
    mutating func append(texts: [String]) throws {
        var array = PostgresArray(elementType: .text)
        for text in texts { try array.append(text) }
        append(bind: array)
    }
}
