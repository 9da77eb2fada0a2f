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
            SELECT c.relname::text FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n \
            ON n.oid = c.relnamespace WHERE n.nspname = \(bind: session.schemaName) AND c.relkind IN ('r', 'p') \
            AND NOT c.relispartition AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d \
            WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e') ORDER BY 1
            """
        ) { try $0.decode(0, as: String.self) }
    }

    private func progress(of stage: String, in scripts: [StageScript]) throws -> StageProgress {
        let records = try steps().filter { $0.stage == stage }
        let isRollback = stage.hasSuffix(StageProgress.rollbackSuffix)
        let stem = isRollback ? String(stage.dropLast(StageProgress.rollbackSuffix.count)) : stage
        let script = scripts.first { $0.stem == stem }
        var steps = script?.steps ?? []
        if isRollback, let script { if case .steps(let down, _) = script.down { steps = down } else { steps = [] } }
        let done = Set(records.filter(\.isDone).map(\.step))
        let pending = steps.filter { !done.contains($0.id) }
        let current = records.last { !$0.isDone }.map {
            StageProgress.CurrentStep(id: $0.step, rowsDone: $0.rowsDone, rowsTotal: $0.rowsTotal)
        }
        var underWay = StageUnderWay(stage)
        for record in records { underWay.add(record.directive, isDone: record.isDone) }
        return StageProgress(
            stage: stage, begun: underWay.phase, number: script?.number, target: isRollback ? script?.from : script?.to,
            done: records.filter(\.isDone).map(\.step), pending: pending.map(\.id), phase: pending.first?.phase,
            current: current)
    }
}
