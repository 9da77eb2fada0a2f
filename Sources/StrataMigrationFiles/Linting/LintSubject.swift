import StrataMigrations
import StrataRepository

/// A script as the rules see it: what runs together, what exists already, what is known.
struct LintSubject: Sendable {
    /// Statements that share a transaction, or one that has none.
    struct Group: Sendable {
        var isTransaction: Bool
        var step: MigrationStep?
        var statements: [LintStatement]

        func before(_ statement: LintStatement) -> [LintStatement] {
            statements.filter { $0.position < statement.position }
        }
        /// Whether a constraint of the same name goes in the same transaction.
        func replaces(_ added: AddedConstraint, on table: LintName) -> Bool {
            guard isTransaction, let name = added.name else { return false }
            return statements.contains { $0.table?.text == table.text && $0.actions.contains(.dropConstraint(name)) }
        }
        func after(_ statement: LintStatement) -> [LintStatement] {
            statements.filter { $0.position > statement.position }
        }
    }

    var groups: [Group]
    var target: LintTarget
    /// `nil` for SQL that is not part of a stage.
    var script: StageScript?
    var statements: [LintStatement] { groups.flatMap(\.statements) }

    /// Tables and materialized views the script makes itself: nobody waits for them.
    let created: Set<String>
    /// Columns the script adds, by table.
    let addedColumns: Set<Column>
    /// Names of constraints, indexes, triggers and functions the script makes.
    let createdNames: Set<String>
    let namesBefore: NamesBefore

    struct Column: Hashable, Sendable {
        var table: String
        var name: String
    }

    init(groups: [Group], target: LintTarget, script: StageScript? = nil) {
        self.groups = groups
        self.target = target
        self.script = script
        var created: Set<String> = []
        var columns: Set<Column> = []
        var names: Set<String> = []
        for statement in groups.flatMap(\.statements) {
            switch statement.shape {
            case .createTable(let table, _, _, _): created.insert(table.text)
            case .createIndex(let index): if let name = index.name { names.insert(name) }
            case .alterTable(let table, let actions):
                for action in actions {
                    switch action {
                    case .addColumn(let column): columns.insert(Column(table: table.text, name: column.name))
                    case .addConstraint(let constraint): if let name = constraint.name { names.insert(name) }
                    default: break
                    }
                }
            default:
                guard statement.words.starts("create"), let name = Self.createdName(statement.words) else { continue }
                names.insert(name)
                // Its rows are the server's, as those of a table are.
                if statement.words.starts("create", "materialized") { created.insert(name) }
            }
        }
        self.created = created
        addedColumns = columns
        createdNames = names
        namesBefore = NamesBefore(groups.flatMap(\.statements))
    }

    private static func createdName(_ words: LintWords) -> String? {
        guard
            let keyword = words.words.prefix(5).firstIndex(where: { word in
                ["trigger", "function", "procedure", "view", "sequence", "type"].contains { word.is($0) }
            })
        else { return nil }
        var index = keyword + 1
        _ = words.skip("if", "not", "exists", at: &index)
        return words.name(at: &index)?.text
    }

    // MARK: - What is known

    /// Others use the table while the script runs.
    func isInUse(_ table: LintName) -> Bool { !created.contains(table.text) && table.schema != "strata" }

    /// In use, and so large that a scan or a rewrite is felt.
    func isLarge(_ table: LintName) -> Bool {
        isInUse(table) && (target.rowEstimates[table.text] ?? .max) > target.smallTable
    }

    func old(_ table: LintName) -> TableDefinition? { target.before?.table(named: table.text) }

    /// The table as it was, under the name it had.
    func renamed(_ table: LintName) -> TableDefinition? {
        target.before?.table(named: namesBefore.table(table.text))
    }

    /// Whether every key of one table was in the other: it is the same, or refers to it by its own key.
    func hasKeys(_ table: String, of other: String) -> Bool {
        if table == other { return true }
        guard let definition = target.before?.table(named: table) else { return false }
        return definition.foreignKeys.contains { key in
            key.columns == definition.primaryKey?.columns && key.referencedTable != table
                && hasKeys(key.referencedTable, of: other)
        }
    }

    func oldType(_ column: String, of table: LintName) -> WrittenType? {
        old(table)?.column(named: column).map { WrittenType($0.type) }
    }

    func wasAdded(_ column: String, to table: LintName) -> Bool {
        created.contains(table.text) || addedColumns.contains(Column(table: table.text, name: column))
    }

    /// Whether a check of the stage looks at the table.
    func isChecked(_ table: LintName) -> Bool {
        guard let script else { return false }
        let names: Set = [table.text, namesBefore.table(table.text)]
        let queries =
            script.checks.map(\.query)
            + script.steps.filter { $0.execution == .verify }.flatMap(\.statements)
        return queries.contains { query in
            (try? SQLTokenizer.tokens(of: query))?.contains { names.contains($0.name ?? "") } ?? false
        }
    }

    /// Whether the script fills the table or one of its columns before the statement.
    func isFilled(_ table: LintName, column: String? = nil, before statement: LintStatement) -> Bool {
        statements.contains { other in
            guard other.position < statement.position else { return false }
            switch other.shape {
            case .update(let updated, let rest):
                return updated.text == table.text && column.map { rest.mentions($0) } ?? true
            case .insertSelect(let filled, _): return filled.text == table.text
            default: return false
            }
        }
    }

    /// All actions of all `ALTER TABLE`s on tables that are in use.
    func forEachAction(_ body: (TableAction, LintName, LintStatement, Group) -> Void) {
        for group in groups {
            for statement in group.statements {
                guard case .alterTable(let table, let actions) = statement.shape, isInUse(table) else { continue }
                for action in actions { body(action, table, statement, group) }
            }
        }
    }
}
