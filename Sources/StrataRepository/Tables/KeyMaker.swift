/// What makes keys for rows of a table that come without one.
package enum KeyMaker: Hashable, Sendable {
    /// A sequence whose next value is the key, as it is: of an identity column, or of a default that asks it.
    case sequence
    /// Any other default, as PostgreSQL prints it.
    case expression(String)
}

extension ColumnDefinition {
    /// What makes values for rows that come without one; `nil` where they have none then, or all the same: a default that calls no function, or only
    /// such as always say the same.
    package var keyMaker: KeyMaker? {
        if isNumberedBySequence { return .sequence }
        guard !isGenerated, let expression = defaultExpression, !FunctionCalls(in: expression).mutable.isEmpty else {
            return nil
        }
        return .expression(expression)
    }
}
