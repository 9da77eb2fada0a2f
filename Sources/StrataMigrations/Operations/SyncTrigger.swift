import StrataRepository

/// A trigger that carries over what old and new code write to a table while both run.
struct SyncTrigger: Hashable, Sendable {
    enum Moment: String, CaseIterable, Sendable {
        case before, after, deleted
    }

    var moment: Moment
    var table: String
    var stage: StageName

    /// Triggers fire in the order of their names, those of foreign keys ("RI_…") among them: what a key refers to must be there
    /// before it is looked for.
    var name: String { Naming.joined("0_strata_sync", moment.rawValue) }
    var function: String { Naming.joined("strata_sync", stage.recorded, table, moment.rawValue) }

    var timing: String {
        switch moment {
        case .before: "BEFORE INSERT OR UPDATE"
        case .after: "AFTER INSERT OR UPDATE"
        case .deleted: "AFTER DELETE"
        }
    }

    var result: String { moment == .before ? "NEW" : "NULL" }

    func drop(_ sql: SchemaSQL) -> String { "DROP TRIGGER \(sql.quoted(name)) ON \(sql.table(table))" }
    func dropFunction(_ sql: SchemaSQL) -> String { "DROP FUNCTION \(sql.table(function))()" }
}
