/// Which groups of a query are wanted, without the type of the class.
package indirect enum GroupCondition {
    package enum Comparison { case less, lessOrEqual, greater, greaterOrEqual, equal }

    /// What a value of a group is compared with.
    package enum Operand {
        case value(any Sendable)
        case term(QueryTerm)
    }

    case compare(QueryTerm, Comparison, Operand)
    case and(GroupCondition, GroupCondition)
    case or(GroupCondition, GroupCondition)
    case not(GroupCondition)

    /// What is compared.
    package var terms: [QueryTerm] {
        switch self {
        case .compare(let term, _, .value): [term]
        case .compare(let term, _, .term(let other)): [term, other]
        case .and(let one, let other), .or(let one, let other): one.terms + other.terms
        case .not(let condition): condition.terms
        }
    }
}
