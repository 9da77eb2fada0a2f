import StrataClient
import StrataMigrationFiles
import StrataMigrations
import StrataModels
import StrataRepository

/// A stage of migration files that the database does not have, or not completely.
public struct PendingStage: Sendable, Equatable {
    /// A step that is still to be done.
    public struct Step: Sendable, Equatable {
        /// Its number, such as `4.3`.
        public let step: String
        /// `expand`, `backfill`, `contract` …
        public let phase: String
        /// What it does, in one line.
        public let title: String
        /// The strongest lock that it takes on a table in use, such as `AccessExclusive`; `nil` for none.
        public let lock: String?
        /// The tables that the lock is taken on.
        public let tables: [String]
        /// Its SQL.
        public let statements: [String]
    }

    /// The name of its file, without the ending.
    public let stage: String
    /// The version it starts from; `nil` where it starts from nothing.
    public let from: String?
    /// The version it leads to.
    public let to: String
    /// Whether some of its steps are done.
    public let isStarted: Bool
    /// What is still to be done, in order.
    public let steps: [Step]
}

extension StoreBrowser {
    /// What the migration files of a folder would still do, as `strata-migrations plan` says it; empty where nothing is pending.
    ///
    /// Throws ``BrowsingError``: `notFound` for a folder without files of this schema, `refused` for files that do not fit together, or
    /// do not fit the record of the database. The data are not asked whether they allow it.
    public func pendingStages(in folder: String, of schema: StoredSchema) async throws -> [PendingStage] {
        let scripts: [StageScript]
        do { scripts = try MigrationFolder(path: folder).contents().all } catch {
            throw BrowsingError(.refused, "The migration files of \(folder) cannot be used. \(error)")
        }
        guard scripts.contains(where: { $0.schemaName == schema.name }) else {
            throw BrowsingError(.notFound, "The folder \(folder) has no migration files of the schema \(schema.name).")
        }
        return try await read("read the record of migrations") { connection in
            let state = try await Self.state(of: schema, scripts, connection)
            do { return try PendingStages(state, scripts: scripts).stages.map(PendingStage.init) } catch {
                throw BrowsingError(.refused, "\(error)")
            }
        }
    }

    private static func state(
        of schema: StoredSchema, _ scripts: [StageScript], _ connection: PostgresConnection
    ) async throws -> MigrationState {
        let unrecorded: MigrationState = schema.tables.isEmpty ? .empty : .unrecorded(tables: schema.tables.map(\.name))
        guard try await connection.has(MigrationLedger.versions, MigrationLedger.steps) else { return unrecorded }
        let version = try await connection.rows(
            """
            SELECT number, version, fingerprint, stage, applied, applied_by FROM \(MigrationLedger.versions) \
            WHERE schema_name = \(bind: schema.name) ORDER BY number DESC LIMIT 1
            """, "newest version"
        ) { row in
            let text = try row.decode(1, as: String.self)
            guard let version = Schema.Version(recorded: text) else {
                throw BrowsingError(.refused, "The record of migrations holds \"\(text)\", which is no version.")
            }
            return RecordedVersion(
                number: try row.decode(0), version: version, fingerprint: try row.decode(2), stage: try row.decode(3),
                applied: try row.decode(4), appliedBy: try row.decode(5))
        }.first
        if let stage = try await stageUnderWay(in: schema, connection) {
            return .inProgress(
                version: version,
                StageProgress(of: stage, try await records(of: stage, in: schema, connection), in: scripts))
        }
        return version.map { .at($0) } ?? unrecorded
    }

    /// The steps of a stage that were begun, in that order.
    private static func records(
        of stage: StageName, in schema: StoredSchema, _ connection: PostgresConnection
    ) async throws -> [StageProgress.Record] {
        try await connection.rows(
            """
            SELECT step, state = 'done', rows_done, rows_total, content[1] FROM \(MigrationLedger.steps) \
            WHERE schema_name = \(bind: schema.name) AND stage = \(bind: stage.recorded) ORDER BY started, step
            """, "steps of the stage under way"
        ) { row in
            StageProgress.Record(
                step: try row.decode(0), isDone: try row.decode(1), rowsDone: try row.decode(2),
                rowsTotal: try row.decodeIfPresent(3), directive: try row.decodeIfPresent(4))
        }
    }

    /// Where the tables are not what the newest recorded version says, one line each; `nil` where that cannot be said: no version has
    /// its frozen form in the record, or a stage is under way and the tables are between two versions.
    ///
    /// Looks at tables, columns, constraints, indexes and what migrations leave behind. `strata-migrations drift` looks at owners, views, rows, the
    /// conditions of indexes and checks and the history's triggers too, and knows which tables belong to others.
    public func drift(of schema: StoredSchema) async throws -> [String]? {
        try await read("compare the tables with their version") { connection in
            guard let frozen = try await Self.version(of: schema.name, connection)?.frozen,
                try await Self.stageUnderWay(in: schema, connection) == nil
            else { return nil }
            let found = try await CatalogInspection.read(schemaName: schema.name, connection: connection)
            // Within a transaction that only reads.
            let expected = frozen.database.takingConditions(from: found.definition)
            return CatalogDifference(expected: expected, found: found).lines
        }
    }
}

extension PendingStage {
    fileprivate init(_ pending: PendingStages.Stage) {
        stage = pending.script.stem
        from = pending.script.from?.version.description
        to = pending.script.to.version.description
        isStarted = pending.isStarted
        steps = pending.steps.map { step in
            Step(
                step: step.id, phase: step.phase.rawValue, title: step.title,
                lock: step.lock == .none ? nil : step.lock.rawValue, tables: step.tables, statements: step.statements)
        }
    }
}
