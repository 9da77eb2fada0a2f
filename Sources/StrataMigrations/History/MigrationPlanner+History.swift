import StrataRepository

extension MigrationPlanner {
    /// Adds to the planned steps what keeps the history's triggers fitting, each in the transaction that changes what they
    /// watch: a trigger that names a column which is not there any more would make every write fail.
    mutating func weaveHistory() {
        let history = StageHistory(self)
        let describes = recordsHistory && !(history.old.isEmpty && history.new.isEmpty)
        let begins = describes && weaveBeginning(history)
        draft.change(.sync, followStatements)
        draft.change(.backfillSQL, followStatements)
        if describes { weaveLeading(history, begins: begins) } else { weaveSyncs() }
        draft.change(.contractSQL, followStatements)
    }

    /// While tables and columns of both versions stand side by side, both are recorded. Returns whether they are.
    private mutating func weaveBeginning(_ history: StageHistory) -> Bool {
        let places = [StageDraft.Place.createTables, .addColumns]
        let isNeeded = history.upcoming.withoutFormerNames != history.old && places.contains(where: draft.has)
        let beginning = HistoryCall.expect(history.beginning)
        let undo = HistoryCall.expect(nil)
        let (recorded, sql) = (Set(history.old.entities.map(\.name)), sql)
        var isFirst = isNeeded
        for place in places {
            draft.change(place) { entry in
                entry.following.append(isFirst ? beginning : .sync)
                entry.following += entry.operation.silentlyFilled.filter(recorded.contains).map { .reset(entity: $0) }
                if entry.isUndoable(sql) { entry.undoing.append(isFirst ? undo : .sync) }
                isFirst = false
            }
        }
        return isNeeded
    }

    /// From here on, the new version's names are the ones that count: in the switch where there is one.
    private mutating func weaveLeading(_ history: StageHistory, begins: Bool) {
        let isSwitched = draft.has(.switchNames)
        let isOther = history.old != history.new.withoutFormerNames
        if isSwitched || isOther || begins {
            let calls: [HistoryCall] =
                history.ended.map { .reset(entity: $0) }
                + [.follow(HistoryDifference(from: history.old, to: history.leading))]
                + history.begun.map { .reset(entity: $0) }
            let undo = HistoryCall.follow(
                HistoryDifference(from: history.leading.withoutFormerNames, to: history.old),
                next: begins ? history.beginning : nil)
            if isSwitched {
                let gone = history.old.tables.filter { !flows.tables.values.contains($0) }
                draft.change(.switchNames) { entry in
                    entry.following += calls
                    entry.undoing.append(undo)
                    entry.alsoLocked.formUnion(gone)
                }
            } else {
                let (lock, tables) = lockOfLeading(history, begins: begins)
                if lock == .none, !draft.hasContract(besides: .record) {
                    // Nothing comes between, and nothing is left to take back when it is done.
                    draft.change(.record) { $0.leading = calls + $0.leading }
                } else {
                    draft.add(
                        .followNew,
                        RecordHistory(version: new.version, calls: calls, before: undo, lock: lock, tables: tables))
                }
            }
        }
        if history.leading != history.new {
            let ending = HistoryDifference(
                from: history.leading.withoutFormerNames, to: history.new.withoutFormerNames)
            draft.change(.record) { $0.leading.append(.follow(ending)) }
        }
    }

    /// Triggers that come or go need a lock on their table; where only what they do changes, none is taken.
    private func lockOfLeading(_ history: StageHistory, begins: Bool) -> (MigrationStep.Lock, [String]) {
        var before = history.old.watched
        if begins { before.merge(history.upcoming.watched) { $0.union($1) } }
        let after = history.leading.watched
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        guard !changed.isEmpty else { return (.none, []) }
        let isOnlyMore = changed.allSatisfy { after[$0] != nil && (before[$0] ?? []).isEmpty }
        return (isOnlyMore ? .shareRowExclusive : .accessExclusive, changed.sorted())
    }

    /// Where history is not recorded, there may yet be triggers of a time when it was.
    private mutating func weaveSyncs() {
        let sql = sql
        for place in [
            StageDraft.Place.createTables, .addColumns, .switchNames, .dropColumns, .dropTables,
        ] {
            draft.change(place) { entry in
                entry.following.append(.sync)
                if entry.isUndoable(sql) { entry.undoing.append(.sync) }
            }
        }
    }

    /// A statement of the plan's own may have changed anything but rows.
    private func followStatements(_ entry: inout StageDraft.Entry) {
        guard let own = entry.operation as? RunStatement, own.mayChangeTables else { return }
        entry.following.append(.sync)
    }

    /// A class by its table, with all below it, by their older names.
    func family(of table: String) -> [String] {
        guard let entity = new.entities.first(where: { $0.table == table }) else { return [] }
        return new.family(of: entity).compactMap { match.oldEntity(of: $0)?.name }
    }
}

extension StageDraft.Entry {
    fileprivate func isUndoable(_ sql: SchemaSQL) -> Bool { !operation.undo(sql).isEmpty }
}
