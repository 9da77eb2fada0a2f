extension LintRule {
    /// The rules that are off unless a project asks for them: many a client never notices.
    var clientFacts: LintRuleFacts {
        switch self {
        case .dropObject:
            .init(
                .off, "Code that names the dropped object fails from now on.",
                fix: "drop it when nothing names it any more")
        case .changedDefault:
            .init(
                .off, "Inserts that leave the column out store something else from now on.",
                fix: "have code name the value first")
        case .disabledTrigger:
            .init(
                .off, lock: "SHARE ROW EXCLUSIVE", "While disabled, other sessions' changes are not seen by it either.",
                fix: "give the trigger a WHEN condition on a setting of the session")
        case .replicaIdentity:
            .init(
                .off, lock: "ACCESS EXCLUSIVE", "Subscribers of logical replication get other old values.",
                fix: "tell the subscribers first")
        case .revoke:
            .init(.off, "Code that uses the right fails from now on.", fix: "revoke when nothing uses it any more")
        case .replacedObject:
            .init(
                .off, "Running code gets the new view or function at once.",
                fix: "create it under a new name, move callers, drop the old one")
        case .alteredObject:
            .init(.off, "Running code sees the altered object at once.", fix: "check who uses it")
        case .alteredIdentity:
            .init(
                .off, lock: "ACCESS EXCLUSIVE", "Inserts may be refused or get other values.",
                fix: "deploy code that fits both forms first")
        case .newWriteRestriction:
            .init(
                .off, "Old code that writes what the constraint forbids fails, also while it is NOT VALID.",
                fix: "deploy code that keeps to it first")
        case .addedEnumValue:
            .init(.off, "Old code may read a value it does not know.", fix: "deploy code that knows the value first")
        case .addedCompositeAttribute:
            .init(
                .off, "Code that builds the composite type with all attributes fails.",
                fix: "name attributes, or make a new type")
        case .addedColumn:
            .init(
                .off, lock: "ACCESS EXCLUSIVE",
                "`SELECT *` returns one column more; prepared ones fail once with 0A000.",
                fix: "list columns in queries")
        case .detachedInheritance:
            .init(
                .off, lock: "ACCESS EXCLUSIVE", "Queries of the parent no longer return these rows.",
                fix: "do it when nothing reads them through the parent")
        default:
            .init(
                .off, "Without a schema the search path decides which table is meant.",
                fix: "write \"schema\".\"table\"")
        }
    }
}
