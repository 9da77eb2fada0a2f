package import StrataModels
import StrataRepository

/// Plans what leads from one frozen version to the next: correspondence → flows → steps in their places.
package struct MigrationPlanner {
    let match: SchemaCorrespondence
    let flows: ColumnFlows
    let names: PhysicalNames
    let schemaName: String
    let name: StageName
    let stage: MigrationChain.Stage
    let recordsHistory: Bool
    let isWayBack: Bool
    let views: ViewChanges
    var draft: StageDraft
    /// Triggers' work, by old table.
    var syncs: [String: TableSync] = [:]

    var old: FrozenSchema { match.old }
    var new: FrozenSchema { match.new }

    /// The script of one stage, down included.
    ///
    /// Throws ``MigrationError`` when something would vanish unaccounted for, or needs a declaration.
    package static func script(
        number: Int, from: FrozenSchema?, to: FrozenSchema, stage: MigrationChain.Stage, schemaName: String,
        recordsHistory: Bool = true
    ) throws(MigrationError) -> StageScript {
        guard let from else {
            var script = Creation(to, schemaName: schemaName, number: number, recordsHistory: recordsHistory).script
            script.generation = StageGeneration(of: stage)
            return script
        }
        let name = label(from.version) + "_" + label(to.version)
        var script = StageScript(
            number: number, name: name, from: .init(from.version, fingerprint: from.fingerprint),
            to: .init(to.version, fingerprint: to.fingerprint), schemaName: schemaName, steps: [],
            down: .none(reason: ""))
        var planner = MigrationPlanner(
            try SchemaCorrespondence(old: from, new: to, stage: stage), stage: stage,
            schemaName: schemaName, name: script.stage, recordsHistory: recordsHistory)
        try planner.plan()
        script.steps = planner.draft.numbered(number)
        script.checks = planner.draft.checks
        script.notes = planner.draft.notes
        script.down = wayBack(planner, number: number, name: script.wayBack)
        if case .steps = script.down { script.notes += planner.changedOnReturn() }
        script.generation = StageGeneration(of: stage)
        return script
    }

    package static func label(_ version: Schema.Version) -> String {
        var parts = [version.major, version.minor, version.patch]
        while parts.count > 1, parts.last == 0 { parts.removeLast() }
        return "v" + parts.map { "\($0)" }.joined(separator: "_")
    }

    init(
        _ match: SchemaCorrespondence, stage: MigrationChain.Stage, schemaName: String, name: StageName,
        recordsHistory: Bool, isWayBack: Bool = false
    ) {
        self.match = match
        self.isWayBack = isWayBack
        flows = ColumnFlows(match)
        names = PhysicalNames(match, flows)
        views = ViewChanges(match, flows, names)
        draft = StageDraft(SchemaSQL(schemaName: schemaName, [match.old.database, match.new.database]))
        (self.stage, self.schemaName, self.name, self.recordsHistory) = (
            stage, schemaName, name, recordsHistory
        )
    }

    mutating func plan() throws(MigrationError) {
        try refuseOtherKeys()
        try refuseOtherPartitions()
        try refuseOtherInheritance()
        try refuseTakenNames()
        planClosures()
        try accountForEverything()
        try refuseFormerlyComputed()
        try refuseGeneratedNames()
        planSaveRules()
        planTables()
        try planColumns()
        planDefaults()
        planRows()
        planLinks()
        planOrders()
        try planClasses()
        if let check = DataCheck.caselessTexts(new.database, after: old.database) { draft.check(check) }
        planConstraints()
        planPrimaryKeys()
        planSyncs()
        planSwitch()
        planDrops()
        planStatements()
        planViews()
        planPolicies()
        try refuseWalks()
        try refuseBuildsOverPartitions()
        draft.add(.record, RecordVersion(version: new.version, fingerprint: new.fingerprint, stage: name))
        weaveHistory()
    }

    // MARK: Ends

    private mutating func planClosures() {
        if stage.hasWillMigrate {
            draft.add(.willMigrate, RunClosure(closure: .willMigrate, version: old.version))
        }
        if stage.hasDidMigrate {
            draft.add(.didMigrate, RunClosure(closure: .didMigrate, version: new.version))
        }
    }

    private mutating func planStatements() {
        for change in match.changes {
            guard case .sql(let text, let phase) = change.kind else { continue }
            let place: StageDraft.Place =
                switch phase {
                case .expand: .sync
                case .backfill: .backfillSQL
                case .contract: .contractSQL
                }
            draft.add(place, RunStatement(text: text))
        }
    }

    // MARK: SQL

    var sql: SchemaSQL { draft.sql }
    func quoted(_ name: String) -> String { sql.quoted(name) }
    /// A table by the name it has at the time.
    func table(_ name: String) -> String { sql.table(name) }

    /// The key of an old class's table, as SQL.
    func oldKey(_ table: String, isLate: Bool = false) -> String { quoted(names.key(ofOld: table, isLate: isLate)) }
    /// The key of a new class's table, as SQL.
    func newKey(_ table: String, isLate: Bool = false) -> String { quoted(names.key(ofNew: table, isLate: isLate)) }

    /// Whether rows of two old tables of a hierarchy are of the same object.
    func isSameKey(
        _ table: String, _ alias: String, _ other: String, _ otherAlias: String, isLate: Bool = false
    ) -> String {
        zip(names.keyColumns(ofOld: table, isLate: isLate), names.keyColumns(ofOld: other, isLate: isLate))
            .map { "\(alias).\(quoted($0)) = \(otherAlias).\(quoted($1))" }.joined(separator: " AND ")
    }

    /// Rows of one old class in its own table `alias`, as a condition; `nil` for all rows of the table.
    ///
    /// - Parameter isLate: whether the names are those behind the switch.
    func isOfClass(_ rows: SchemaCorrespondence.RowClass, alias: String, isLate: Bool = false) -> String? {
        var parts: [String] = []
        if !old.children(of: rows.old).isEmpty || old.sharesTable(rows.old), let root = old.chain(of: rows.old).first {
            let name = SQLFragment.literal(rows.old.discriminator)
            let classColumn = quoted(names.classColumn(ofOld: root.table, isLate: isLate))
            if root.table == rows.old.table {
                parts.append("\(alias).\(classColumn) = \(name)")
            } else {
                let from = table(isLate ? names.lateTable(root.table) : root.table)
                let isSame = isSameKey(root.table, "r", rows.old.table, alias, isLate: isLate)
                parts.append("EXISTS (SELECT 1 FROM \(from) AS r WHERE \(isSame) AND r.\(classColumn) = \(name))")
            }
        }
        if let condition = rows.condition { parts.append("(\(condition))") }
        return parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }
}
