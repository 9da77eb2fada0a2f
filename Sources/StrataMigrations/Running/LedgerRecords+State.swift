import StrataRepository

extension LedgerRecords {
    func state(of scripts: [StageScript], ignoring ignored: Set<String>) throws -> MigrationState {
        if try exists() {
            let version = try newestVersion()
            if let stage = try stageInProgress() {
                return .inProgress(version: version, try progress(of: stage, in: scripts))
            }
            if let version { return .at(version) }
        }
        let tables = try tables().filter { !ignored.covers($0) }
        return tables.isEmpty ? .empty : .unrecorded(tables: tables)
    }

    /// The tables of the PostgreSQL schema, without those of extensions.
    func tables() throws -> [String] {
        try session.rows(
            """
            SELECT c.relname::text FROM pg_catalog.pg_class AS c \
            WHERE c.oid = ANY (\(SchemaObjects.of(session.schemaName, .relations))) AND c.relkind IN ('r', 'p') \
            AND NOT c.relispartition AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d \
            WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e') ORDER BY 1
            """
        ) { try $0.decode(0, as: String.self) }
    }

    private func progress(of stage: StageName, in scripts: [StageScript]) throws -> StageProgress {
        let records = try steps().filter { $0.stage == stage }
        return StageProgress(
            of: stage,
            records.map { record in
                StageProgress.Record(
                    step: record.step, isDone: record.isDone, rowsDone: record.rowsDone, rowsTotal: record.rowsTotal,
                    directive: record.directive)
            }, in: scripts)
    }
}
