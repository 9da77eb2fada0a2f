package import StrataClient
package import StrataModels

/// The `#Check` of a class that a row did not pass.
package struct BrokenRule {
    private let entity: EntityMapping
    private let check: Schema.EntityCheck
    private let error: PostgresError

    /// `nil` for any other error, and for a check that no class declares.
    package init?(_ error: PostgresError, mapping: StoreMapping) {
        guard error.sqlState == "23514" else { return nil }
        // By the constraint's name: in a stage the table may have another than the class says, and a rule that changes has its name
        // only from the switch on.
        var rules: [(entity: EntityMapping, check: Schema.EntityCheck)] = []
        for entity in mapping.entities {
            for check in entity.entity.modelChecks {
                let name = entity.constraint(of: check)
                if error.constraint == name || error.constraint == Naming.joined(name, "_new") {
                    rules.append((entity, check))
                }
            }
        }
        guard let rule = rules.first(where: { $0.entity.table.isNamed(by: error) }) ?? rules.first else { return nil }
        (entity, check) = rule
        self.error = error
    }

    /// - Parameter place: in front of it, which row it is.
    package func error(of place: String? = nil) -> SwiftDataError {
        SwiftDataError(
            .checkConstraint,
            "\(place.map { "\($0): " } ?? "")the rule \(check.name) of \(entity.name) refuses it: \(check.source). Change it so that the rule "
                + "holds. Nothing was saved.", details: error.detail, underlying: error)
    }
}
