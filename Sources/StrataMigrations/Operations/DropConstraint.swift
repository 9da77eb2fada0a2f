/// A constraint that the new version does not have.
struct DropConstraint: PlannedOperation {
    enum Sort: Sendable {
        case check, unique
        case foreignKey(referenced: String)
    }

    var sort: Sort
    /// What the old version calls it.
    var name: String
    /// What it is called behind the switch.
    var nameNow: String
    var table: String

    var kind: MigrationOperation { .dropConstraint }
    var title: String {
        switch sort {
        case .check: "drop \(name)"
        case .unique: "drop unique constraint \(name)"
        case .foreignKey: "drop foreign key \(name)"
        }
    }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] {
        if case .foreignKey(let referenced) = sort { [table, referenced] } else { [table] }
    }

    func statements(_ sql: SchemaSQL) -> [String] {
        if case .check = sort { return [sql.alter(table, "DROP CONSTRAINT IF EXISTS \(sql.quoted(nameNow))")] }
        return [sql.dropConstraint(nameNow, of: table)]
    }
}
