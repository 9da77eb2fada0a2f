import StrataClient

extension SQLExpression {
    func and(_ other: SQLExpression) -> SQLExpression {
        if isTrue { return other }
        if other.isTrue { return self }
        if isFalse || other.isFalse { return .false }
        return .condition(
            "\(inside(.conjunction)) AND \(other.inside(.conjunction))", nullness: worse(other), shape: .conjunction,
            requires: common(other))
    }

    func or(_ other: SQLExpression) -> SQLExpression {
        if isFalse { return other }
        if other.isFalse { return self }
        if isTrue || other.isTrue { return .true }
        return .condition(
            "\(inside(.disjunction)) OR \(other.inside(.disjunction))", nullness: worse(other), shape: .disjunction,
            requires: common(other))
    }

    func not() -> SQLExpression {
        if isTrue { return .false }
        if isFalse { return .true }
        if let opposite { return .condition(opposite, opposite: sql) }
        guard nullness == .never else { return .condition("\(operand) IS NOT TRUE") }
        // A column or EXISTS needs no parentheses.
        return .condition("NOT \(operand)", requires: requires)
    }

    var isTrue: Bool { sql.text == "TRUE" }
    var isFalse: Bool { sql.text == "FALSE" }

    private func worse(_ other: SQLExpression) -> Nullness {
        nullness == .never && other.nullness == .never ? .never : .falsehood
    }

    /// AND and OR of two NULLs are NULL.
    private func common(_ other: SQLExpression) -> Set<Int> { requires.intersection(other.requires) }

    /// The text as one side of AND or OR: only the other of the two needs parentheses.
    private func inside(_ outer: Shape) -> SQLFragment {
        switch shape {
        case .atom, .comparison: sql
        case .conjunction, .disjunction: shape == outer ? sql : "(\(sql))"
        }
    }
}
