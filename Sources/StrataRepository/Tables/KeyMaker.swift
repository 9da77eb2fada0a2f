/// What makes keys for rows of a table that come without one.
package enum KeyMaker: Hashable, Sendable {
    /// A sequence whose next value is the key, as it is: of an identity column, or of a default that asks it.
    case sequence
    /// Any other default, as PostgreSQL prints it.
    case expression(String)

    /// Whether keys can be made before they are needed, on any connection: what makes them depends neither on the time nor on the session, and takes part
    /// in no transaction.
    package var isTakenAhead: Bool {
        switch self {
        case .sequence: true
        case .expression(let expression):
            FunctionCalls(in: Self.withoutLengths(expression)).mutable.allSatisfy(Self.timeless.contains)
        }
    }

    private static let timeless: Set<String> = ["nextval", "gen_random_uuid", "uuid_generate_v4"]

    /// The lengths of types look like calls: `'abc'::character varying(5)`.
    fileprivate static func withoutLengths(_ expression: String) -> String {
        expression.replacing(/::\s*(character varying|bit varying|\w+)\s*\(\d+(,\s*\d+)?\)/, with: "::text")
    }
}

extension ColumnDefinition {
    /// What makes values for rows that come without one; `nil` where they have none then, or all the same: a default that calls no function, or only
    /// such as always say the same.
    package var keyMaker: KeyMaker? {
        if isNumberedBySequence { return .sequence }
        guard !isGenerated, let expression = defaultExpression,
            !FunctionCalls(in: KeyMaker.withoutLengths(expression)).mutable.isEmpty
        else { return nil }
        return .expression(expression)
    }
}
