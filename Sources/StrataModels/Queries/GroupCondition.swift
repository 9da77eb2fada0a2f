/// Which groups of a query are wanted, without the type of the class.
package indirect enum GroupCondition {
    package enum Comparison { case less, lessOrEqual, greater, greaterOrEqual, equal }

    case compare(QueryTerm, Comparison, any Sendable)
    case and(GroupCondition, GroupCondition)
    case or(GroupCondition, GroupCondition)
    case not(GroupCondition)

    /// What is compared.
    package var terms: [QueryTerm] {
        switch self {
        case .compare(let term, _, _): [term]
        case .and(let one, let other), .or(let one, let other): one.terms + other.terms
        case .not(let condition): condition.terms
        }
    }
}
