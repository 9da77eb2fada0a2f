/// What some clients notice. All of these are off unless asked for.
enum ClientRules {
    static func matches(in subject: LintSubject) -> [LintMatch] {
        subject.statements.flatMap { objects($0, subject) + tables($0, subject) }
    }

    private static let dropped: Set<String> = [
        "view", "materialized", "function", "procedure", "type", "schema", "sequence", "domain", "extension", "policy",
        "role",
    ]
    private static let altered: Set<String> = [
        "policy", "function", "procedure", "view", "role", "user", "database", "system", "sequence",
    ]

    private static func objects(_ statement: LintStatement, _ subject: LintSubject) -> [LintMatch] {
        var matches: [LintMatch] = []
        func add(_ rule: LintRule, _ message: String) { matches.append(LintMatch(rule, statement, message)) }
        let words = statement.words
        let second = words[1]?.text ?? ""
        switch statement.shape {
        case .drop(let kind, let name) where dropped.contains(kind) && !subject.createdNames.contains(name?.text ?? ""):
            add(.dropObject, "\(kind) \(name?.text ?? "") is dropped")
        case .dropIndex(let names, _) where names.contains { !subject.createdNames.contains($0.text) }:
            add(.dropObject, "an index is dropped")
        default: break
        }
        if words.starts("revoke") { add(.revoke, "a right is revoked") }
        if words.starts("create", "or", "replace"), words.has("view") || words.has("function") || words.has("procedure")
        {
            add(.replacedObject, "a \(words[3]?.text ?? "object") is replaced")
        }
        if words.starts("alter"), altered.contains(second) { add(.alteredObject, "a \(second) is altered") }
        if words.starts("alter", "type"), words.has("add", "value") { add(.addedEnumValue, "an enum gets a value") }
        if words.starts("alter", "type"), words.has("add", "attribute") {
            add(.addedCompositeAttribute, "a composite type gets an attribute")
        }
        if let table = statement.table, table.schema == nil {
            add(.tableWithoutSchema, "\(table.text) is named without its schema")
        }
        return matches
    }

    private static func tables(_ statement: LintStatement, _ subject: LintSubject) -> [LintMatch] {
        guard case .alterTable(let table, let actions) = statement.shape, subject.isInUse(table) else { return [] }
        return actions.compactMap { action in
            func match(_ rule: LintRule, _ what: String) -> LintMatch {
                LintMatch(rule, statement, "\(table.text): \(what)")
            }
            switch action {
            case .setDefault(let column), .dropDefault(let column):
                return match(.changedDefault, "the default of \(column) changes")
            case .addColumn(let column): return match(.addedColumn, "column \(column.name)")
            case .setNotNull(let column): return match(.newWriteRestriction, "\(column) must not be null")
            case .addConstraint(let added) where !added.usesIndex:
                return match(.newWriteRestriction, "constraint \(added.name ?? "without a name")")
            case .other(let words):
                if words.starts("disable", "trigger") { return match(.disabledTrigger, "a trigger is disabled") }
                if words.starts("replica", "identity") {
                    return match(.replicaIdentity, "the replica identity changes")
                }
                if words.starts("no", "inherit") { return match(.detachedInheritance, "no longer inherits") }
                if words.has("row", "level", "security") { return match(.alteredObject, "row level security changes") }
                if words.starts("alter"),
                    words.has("identity") || words.has("drop", "expression") || words.has("set", "expression")
                        || words.has("set", "generated") || words.has("restart")
                {
                    return match(.alteredIdentity, "an identity or generated column changes")
                }
                return nil
            default: return nil
            }
        }
    }
}
