/// A number that is computed of two others of a group, each an aggregate, a key, a constant, or computed itself.
package struct GroupArithmetic: Equatable, Sendable {
    package enum Operator: String {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        case divide = "/"
    }

    package let left: QueryTerm
    package let op: Operator
    package let right: QueryTerm
    /// Whether a quotient is a `Decimal`.
    package let isExact: Bool
}
