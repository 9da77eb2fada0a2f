import StrataModels
import StrataRepository

/// Everything that gets its final name, in one transaction; it can be taken back as a whole.
struct SwitchNames: PlannedOperation {
    /// A generated column that goes on, whose comment goes by the names of the columns that it is computed of.
    struct MarkedColumn {
        var table: String
        var column: String
        var mark: DefinitionMark

        fileprivate func statement(_ sql: SchemaSQL) -> String {
            mark.comment(on: column, of: TableName(schema: sql.schemaName, name: table)).text
        }
    }

    var renames: [Rename]
    /// As they are before the switch, and behind it.
    var marks: [(old: MarkedColumn, new: MarkedColumn)] = []
    var version: Schema.Version
    var tables: [String]

    var kind: MigrationOperation { renames.allSatisfy(\.kind.isHidden) ? .switchHiddenNames : .switchNames }
    var title: String { "switch to the names of version \(version)" }
    var lock: MigrationStep.Lock { .accessExclusive }

    func statements(_ sql: SchemaSQL) -> [String] {
        renames.map { $0.statement(sql) } + marks.map { $0.new.statement(sql) }
    }

    func undo(_ sql: SchemaSQL) -> [String] {
        renames.reversed().map { $0.inverse.statement(sql) } + marks.map { $0.old.statement(sql) }
    }
}
