import Foundation
import StrataClient
import StrataModels

extension PredicateExpressions.ServerRangeContains: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let range = try translation.serverValue(translation.operand(range), Container.Output.self)
        let sought = try translation.value(element)
        return .value(
            .condition(
                "\(range.sql) @> \(sought.operand)",
                nullness: range.isNullable || sought.isNullable ? .falsehood : .never,
                requires: range.requires.union(sought.requires)))
    }
}

extension PredicateExpressions.ServerRangeOverlaps: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let left = try translation.serverValue(translation.operand(lhs), LHS.Output.self)
        let right = try translation.serverValue(translation.operand(rhs), RHS.Output.self)
        return .value(
            .condition(
                "\(left.sql) && \(right.sql)", nullness: left.isNullable || right.isNullable ? .falsehood : .never,
                requires: left.requires.union(right.requires)))
    }
}

extension Translation {
    /// A value as one of its type in the database: the column as it is, which an index finds, and a captured value as a parameter with a cast.
    fileprivate func serverValue<Value: PostgresTextCodable>(
        _ operand: PredicateOperand, _ type: Value.Type
    ) throws -> SQLExpression {
        if case .constant(let value) = operand, let value = value as? Value {
            let name = StoredType(of: type).unlimitedName
            return SQLExpression(sql: "(\(bind: value.postgresText))::\(raw: name)", type: .unspecified)
        }
        let range = try value(operand)
        guard case .serverText(let text) = range.form else {
            throw unsupported("a comparison of \(range.path) with a \(type.postgresTypeName)")
        }
        if text.isInCondition { try text.requireEquality(of: range.path) }
        return SQLExpression(
            sql: range.comparand, type: .unspecified, nullness: range.nullness, requires: range.requires,
            path: range.path)
    }
}
