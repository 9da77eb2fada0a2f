import StrataRepository

/// A proof that a column is never empty, in the steps that it takes to be found without a scan under lock: SET NOT NULL
/// believes a validated check (PostgreSQL manual, ALTER TABLE).
struct RequiredColumn: Sendable {
    var column: String
    var table: String
    /// Whether it happens behind the switch: then it is not taken back.
    var isLate: Bool

    var check: String { Naming.joined(table, column, "not_null") }
    var steps: [any PlannedOperation] {
        [
            ForbidEmpty(required: self),
            ValidateConstraint(name: check, table: table, meaning: "that \(table).\(column) is never empty"),
            RequireColumn(required: self),
        ]
    }
}
