import StrataRepository

/// The script that makes the first version, or any version at once, in an empty database.
package struct Creation {
    package let script: StageScript

    package init(
        _ schema: FrozenSchema, schemaName: String, number: Int, name: String? = nil, recordsHistory: Bool = true
    ) {
        let name = name ?? MigrationPlanner.label(schema.version)
        var script = StageScript(
            number: number, name: name, from: nil, to: .init(schema.version, fingerprint: schema.fingerprint),
            schemaName: schemaName, steps: [],
            down: .none(reason: "it creates the first version: dropping the tables would drop all data"))
        var draft = StageDraft(SchemaSQL(schemaName: schemaName))
        draft.add(
            .createTables, CreateVersion(version: schema.version, database: schema.database.creationOrder))
        let description = HistoryDescription(schema).withoutFormerNames
        if recordsHistory, !description.isEmpty {
            draft.change(.createTables) { $0.following.append(.describe(description)) }
        }
        draft.add(
            .record, RecordVersion(version: schema.version, fingerprint: schema.fingerprint, stage: script.stage))
        script.steps = draft.numbered(number)
        if let check = DataCheck.caselessTexts(schema.database) { script.checks.append(check) }
        self.script = script
    }
}

extension DatabaseDefinition {
    /// Tables after the ones their own key refers to: a subclass's table after its parent's.
    var creationOrder: DatabaseDefinition {
        var ordered: [TableDefinition] = []
        var pending = tables
        while !pending.isEmpty {
            let ready = pending.filter { table in
                table.foreignKeys.allSatisfy { key in
                    key.columns != table.primaryKey?.columns || !pending.contains { $0.name == key.referencedTable }
                }
            }
            guard !ready.isEmpty else {
                return DatabaseDefinition(tables: ordered + pending, sequences: sequences, views: views)
            }
            ordered += ready
            pending.removeAll { table in ready.contains { $0.name == table.name } }
        }
        return DatabaseDefinition(tables: ordered, sequences: sequences, views: views)
    }
}
