import StrataClient

extension SQLExpression {
    func and(_ other: SQLExpression) -> SQLExpression {
        if isTrue { return other }
        if other.isTrue { return self }
        if isFalse || other.isFalse { return .false }
        let (left, right) = (bounded, other.bounded)
        var result = SQLExpression.condition(
            "\(left.inside(.conjunction)) AND \(right.inside(.conjunction))", nullness: worse(other),
            shape: .conjunction, requires: common(other))
        // A few are all that a page asks for, and copying all of a long condition would take longer than all else.
        result.bounds = bounds.count < 16 ? bounds + other.bounds : bounds
        return result
    }

    func or(_ other: SQLExpression) -> SQLExpression {
        if isFalse { return other }
        if other.isFalse { return self }
        if isTrue || other.isTrue { return .true }
        var result = SQLExpression.condition(
            "\(inside(.disjunction)) OR \(other.inside(.disjunction))", nullness: worse(other), shape: .disjunction,
            requires: common(other))
        result.bounds = bounds.filter(other.bounds.contains)
        return result
    }

    /// The same condition, and before a disjunction what both of its sides imply: `a >= 1 AND (a > 1 OR (a = 1 AND b > 2))`.
    /// The server looks for no such thing, and no index serves the disjunction alone.
    var bounded: SQLExpression {
        guard shape == .disjunction, !bounds.isEmpty else { return self }
        var result = self
        let limits = bounds.map(\.condition).joined(separator: " AND ")
        result.sql = "\(limits) AND \(inside(.conjunction))"
        result.shape = .conjunction
        return result
    }

    func not() -> SQLExpression {
        if isTrue { return .false }
        if isFalse { return .true }
        if let opposite { return .condition(opposite, opposite: sql) }
        guard nullness == .never else { return .condition("\(operand) IS NOT TRUE") }
        // A column or EXISTS needs no parentheses.
        return .condition("NOT \(operand)", requires: requires)
    }

    var isTrue: Bool { sql.isPlain("TRUE") }
    var isFalse: Bool { sql.isPlain("FALSE") }

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
