import Foundation
import StrataModels

extension PredicateExpressions.ExactStringComparison: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let (left, right) = (try translation.operand(lhs), try translation.operand(rhs))
        if left.isConstant, right.isConstant { return try computed(in: translation) }
        return .value(try translation.compare(left, op, right))
    }
}

extension Translation {
    fileprivate func compare<L, R>(
        _ left: PredicateOperand, _ op: PredicateExpressions.ExactStringComparison<L, R>.Operator,
        _ right: PredicateOperand
    ) throws -> SQLExpression {
        switch op {
        case .equal: try equal(left, right)
        case .notEqual: try notEqual(left, right)
        case .lessThan: try compare(left, .less, right)
        case .lessThanOrEqual: try compare(left, .lessOrEqual, right)
        case .greaterThan: try compare(left, .greater, right)
        case .greaterThanOrEqual: try compare(left, .greaterOrEqual, right)
        }
    }
}

extension PredicateExpressions.ExactStringSearch: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let (haystack, sought) = (try translation.operand(base), try translation.operand(needle))
        if haystack.isConstant, sought.isConstant { return try computed(in: translation) }
        var string = try translation.text(haystack)
        let part = try translation.text(sought)
        if case .constant(let value) = sought, let text = value as? String { string = string.mapped(for: text) }
        let sql: SQLFragment =
            switch place {
            case .anywhere: "strpos(\(string.sql), \(part.sql)) > 0"
            case .prefix: "starts_with(\(string.sql), \(part.sql))"
            case .suffix: "right(\(string.sql), length(\(part.sql))) = \(part.operand)"
            }
        return .value(
            .condition(sql, nullness: string.nullness(with: part), requires: string.requires.union(part.requires)))
    }
}

extension PredicateExpressions.LocalizedStandardContains: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let (haystack, sought) = (try translation.operand(base), try translation.operand(needle))
        if haystack.isConstant, sought.isConstant { return try computed(in: translation) }
        try translation.refuseCases()
        let string = try translation.text(haystack)
        let nullness: SQLExpression.Nullness = string.isNullable ? .falsehood : .never
        func condition(_ sql: SQLFragment) -> SQLExpression {
            .condition(sql, nullness: nullness, requires: string.requires)
        }
        guard case .constant(let value) = sought, let text = value as? String else {
            let part = try translation.text(sought)
            return .value(
                condition("strpos(\(StringFold.standard(string.sql)), \(StringFold.standard(part.sql))) > 0"))
        }
        let folded = LocalizedStandardFold.fold(text)
        let exact = condition(StringFold.contains(string.sql, folded))
        guard let trigrams = string.trigrams, let pattern = TrigramIndex.pattern(for: folded) else {
            return .value(exact)
        }
        return .value(condition("\(trigrams) LIKE \(bind: pattern)").and(exact))
    }
}

extension PredicateExpressions.CaseMapped: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let operand = try translation.operand(base)
        if operand.isConstant { return try computed(in: translation) }
        try translation.refuseCases()
        let string = try translation.text(operand)
        return .value(string.mapped(mapping == .lower ? .lower : .upper))
    }
}

extension Translation {
    /// Which letters are each other's upper and lower case, the Unicode version of the program says: with another one a generated column would be
    /// computed by another expression.
    fileprivate func refuseCases() throws {
        guard isOfColumn else { return }
        throw SwiftDataError(
            .unsupportedPredicate,
            "takes upper and lower case for the same, or makes one of the other, which depends on the Unicode version of the program: store the text so as well"
        )
    }
}

extension PredicateExpressions.StringCompare: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let (left, right) = (try translation.operand(lhs), try translation.operand(rhs))
        if left.isConstant, right.isConstant { return try computed(in: translation) }
        if method != .exact { try translation.refuseCases() }
        var order = StringOrder(
            lhs: try translation.text(left), rhs: try translation.text(right), method: StringOrder.Method(method))
        if case .constant(let value) = right { order.text = value as? String }
        return .order(order)
    }
}

extension PredicateExpressions.StringConcatenation: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let (left, right) = (try translation.operand(lhs), try translation.operand(rhs))
        if left.isConstant, right.isConstant { return try computed(in: translation) }
        var (l, r) = (try translation.text(left), try translation.text(right))
        if l.isNullable || r.isNullable { (l.nullness, r.nullness) = (.none, .none) }
        return .value(
            SQLExpression(
                sql: "\(l.operand) || \(r.operand)", type: .text, nullness: l.nullness, shape: .comparison,
                requires: l.requires.union(r.requires), path: l.path))
    }
}

extension SQLExpression {
    /// The string in lower or upper case.
    func mapped(_ mapping: CaseTable.Mapping) -> SQLExpression {
        var result = self
        result.sql = StringFold.mapped(sql, mapping)
        result.caseMapped = (sql, mapping)
        result.lowercased = mapping == .lower ? lowercased : nil
        result.shape = .comparison
        return result
    }

    /// The same string as far as a comparison with `text` can tell.
    func mapped(for text: String) -> SQLExpression {
        // A text in the other case must not be found in letters that were left alone.
        guard let (string, mapping) = caseMapped, mapping(text).utf8.elementsEqual(text.utf8) else { return self }
        var result = self
        result.sql = StringFold.mapped(string, mapping, for: text)
        result.shape = .atom
        return result
    }
}

extension StringOrder.Method {
    fileprivate init<L, R>(_ method: PredicateExpressions.StringCompare<L, R>.Method) {
        self =
            switch method {
            case .exact: .exact
            case .caseInsensitive: .caseInsensitive
            case .localized: .localized
            }
    }
}

extension Translation {
    /// An operand that is a string.
    fileprivate func text(_ operand: PredicateOperand) throws -> SQLExpression {
        let value = try value(operand)
        guard value.isText, value.form == .plain else {
            throw unsupported("a search for text in \(value.path), which is not stored as text,")
        }
        return value
    }
}

extension SQLExpression {
    fileprivate func nullness(with other: SQLExpression) -> Nullness {
        isNullable || other.isNullable ? .falsehood : .never
    }
}
