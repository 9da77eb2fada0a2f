import StrataRepository

extension MigrationPlanner {
    /// One function and its triggers for each table whose writes must be followed while both codes run.
    mutating func planSyncs() {
        for (name, sync) in syncs.sorted(by: { $0.key < $1.key }) {
            for trigger in triggers(of: sync, on: name) {
                draft.add(.sync, KeepInStep(trigger: trigger, lines: sync.lines(trigger.moment)))
            }
        }
        endSyncs()
    }

    private func triggers(of sync: TableSync, on name: String) -> [SyncTrigger] {
        SyncTrigger.Moment.allCases.filter { !sync.lines($0).isEmpty }.map {
            SyncTrigger(moment: $0, table: name, stage: self.name)
        }
    }

    /// Superclasses are locked first, as saves do. Before the switch: functions name columns that are renamed by it.
    private mutating func endSyncs() {
        guard !syncs.isEmpty else { return }
        let order = new.database.creationOrder.tables.map { names.table($0.name) }
        let tables = order.filter { syncs[$0] != nil } + syncs.keys.filter { !order.contains($0) }.sorted()
        draft.add(
            .dropSync,
            EndInStep(
                triggers: tables.flatMap { triggers(of: syncs[$0] ?? TableSync(), on: $0) },
                isOneWay: syncs.values.contains(where: \.isOneWay)))
    }
}
