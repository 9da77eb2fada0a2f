/// What tables and columns were called before a script renamed them.
struct NamesBefore: Sendable {
    private var tables: [String: String] = [:]
    private var columns: [LintSubject.Column: String] = [:]

    init(_ statements: [LintStatement]) {
        for statement in statements {
            guard case .alterTable(let name, let actions) = statement.shape else { continue }
            for action in actions {
                switch action {
                case .renameTable(let new): tables[new] = table(name.text)
                case .renameColumn(let old, let new):
                    let before = column(old, of: name.text)
                    columns[LintSubject.Column(table: table(name.text), name: new)] = before
                default: break
                }
            }
        }
    }

    func table(_ name: String) -> String { tables[name] ?? name }

    func column(_ name: String, of table: String) -> String {
        columns[LintSubject.Column(table: self.table(table), name: name)] ?? name
    }
}
