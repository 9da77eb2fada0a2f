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
        let owner = mapping.entities.first {
            $0.table.name == error.table && (error.schema == nil || $0.table.schema == error.schema)
        }
        guard let owner,
            let check = owner.entity.modelChecks.first(where: { owner.constraint(ofCheck: $0.name) == error.constraint }
            )
        else { return nil }
        entity = owner
        self.check = check
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
