import StrataRepository

/// Types and keys that turn out too small, and foreign keys nobody can follow back.
enum TypeRules {
    static func matches(in subject: LintSubject) -> [LintMatch] {
        subject.groups.flatMap { group in
            group.statements.flatMap { statement in
                columns(of: statement).flatMap { preferences($0, statement) } + keys(of: statement)
                    + foreignKeys(of: statement, group, subject)
            }
        }
    }

    private static func columns(of statement: LintStatement) -> [AddedColumn] {
        switch statement.shape {
        case .createTable(_, let items, _, _): newColumns(items)
        case .alterTable(_, let actions):
            actions.compactMap { if case .addColumn(let column) = $0 { column } else { nil } }
        default: []
        }
    }

    private static func newColumns(_ items: [LintWords]) -> [AddedColumn] {
        items.filter { AddedConstraint($0) == nil && !$0.starts("like") && !$0.starts("exclude") }.compactMap(
            AddedColumn.init)
    }

    private static func preferences(_ column: AddedColumn, _ statement: LintStatement) -> [LintMatch] {
        var matches: [LintMatch] = []
        func add(_ rule: LintRule, _ message: String) { matches.append(LintMatch(rule, statement, message)) }
        switch column.type.name {
        case "json": add(.preferJsonb, "\(column.name) is json")
        case "char": add(.preferTextOverChar, "\(column.name) is char(\(column.type.arguments.first ?? 1))")
        case "varchar" where !column.type.arguments.isEmpty:
            add(.preferTextOverVarchar, "\(column.name) is varchar with a limit")
        case "timestamp": add(.preferTimestamptz, "\(column.name) is timestamp without time zone")
        default: break
        }
        if column.isSerial { add(.preferIdentity, "\(column.name) is \(column.type.name)") }
        if column.rest.has("primary", "key"), isSmall(column.type) {
            add(.preferBigintKey, "the key \(column.name) is \(column.type.name)")
        }
        return matches
    }

    private static func isSmall(_ type: WrittenType) -> Bool {
        ["integer", "smallint", "serial", "smallserial", "serial4", "serial2"].contains(type.name)
    }

    /// Keys that stand behind the columns.
    private static func keys(of statement: LintStatement) -> [LintMatch] {
        guard case .createTable(_, let items, _, _) = statement.shape else { return [] }
        let key = items.compactMap(AddedConstraint.init).first { $0.kind == .primaryKey }?.columns ?? []
        return newColumns(items).filter { key == [$0.name] && isSmall($0.type) }.map {
            LintMatch(.preferBigintKey, statement, "the key \($0.name) is \($0.type.name)")
        }
    }

    private static func foreignKeys(
        of statement: LintStatement, _ group: LintSubject.Group, _ subject: LintSubject
    ) -> [LintMatch] {
        guard let table = statement.table else { return [] }
        var keys: [[String]] = []
        switch statement.shape {
        case .createTable(_, let items, _, _):
            keys =
                items.compactMap(AddedConstraint.init).filter { $0.kind == .foreignKey }.map(\.columns)
                + newColumns(items).filter { $0.rest.has("references") }.map { [$0.name] }
        case .alterTable(_, let actions):
            for action in actions {
                switch action {
                // One that takes another's place has its index, and so has the key of every table of a stage.
                case .addConstraint(let added) where added.kind == .foreignKey && !group.replaces(added, on: table):
                    if subject.script == nil || added.columns != [Naming.key] { keys.append(added.columns) }
                case .addColumn(let column) where column.rest.has("references"): keys.append([column.name])
                default: break
                }
            }
        default: return []
        }
        let indexed = indexedColumns(of: table, keys.flatMap(\.self), subject)
        return keys.filter { key in !key.isEmpty && !indexed.contains { key.contains($0) } }.map {
            LintMatch(
                .foreignKeyWithoutIndex, statement,
                "no index of \(table.text) begins with \($0.joined(separator: ", "))")
        }
    }

    /// The first columns of all indexes the table has or gets; `names` are looked up under the names they had, too.
    private static func indexedColumns(of table: LintName, _ names: [String], _ subject: LintSubject) -> Set<String> {
        var columns: Set<String> = []
        func insert(_ list: [String]?) { if let first = list?.first { columns.insert(first) } }
        if let old = subject.renamed(table) {
            let lists =
                [old.primaryKey?.columns ?? []] + old.uniques.map(\.columns)
                + old.indexes.filter { $0.predicate == nil }.map(\.columns)
            let indexed = Set(lists.compactMap(\.first))
            columns = indexed.union(
                names.filter { indexed.contains(subject.namesBefore.column($0, of: table.text)) })
        }
        func take(_ constraint: AddedConstraint) {
            if constraint.kind == .primaryKey || constraint.kind == .unique { insert(constraint.columns) }
        }
        func take(_ column: AddedColumn) {
            if column.rest.has("primary", "key") || column.rest.has("unique") { columns.insert(column.name) }
        }
        for statement in subject.statements where statement.table?.text == table.text {
            switch statement.shape {
            case .createIndex(let index): insert(index.columns)
            case .createTable(_, let items, _, _):
                items.compactMap(AddedConstraint.init).forEach(take)
                newColumns(items).forEach(take)
            case .alterTable(_, let actions):
                for action in actions {
                    switch action {
                    case .addConstraint(let constraint): take(constraint)
                    case .addColumn(let column): take(column)
                    default: break
                    }
                }
            default: break
            }
        }
        return columns
    }
}
