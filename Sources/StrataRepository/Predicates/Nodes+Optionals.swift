import Foundation
import StrataModels

extension PredicateExpressions.NilLiteral: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand { .null }
}

extension PredicateExpressions.OptionalPromotion: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand { try translation.operand(wrapped) }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableNode {
    /// In memory the evaluation throws where there is nothing to unwrap; in SQL the row is not found.
    func translate(_ translation: Translation) throws -> PredicateOperand {
        switch try translation.operand(inner) {
        case .null: throw translation.unsupported("! after nil")
        case .object(var object):
            object.isOptional = false
            return .object(object)
        case .value(let expression): return .value(expression.unwrapped())
        case .json(var reference):
            reference.isOptional = false
            return .json(reference)
        case let other: return other
        }
    }
}

extension PredicateExpressions.NilCoalesce: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.coalesce(translation.operand(lhs)) { try translation.operand(rhs) }
    }
}

extension Translation {
    /// `left ?? right`; the right side is asked for only where the left one may be `nil`.
    func coalesce(_ left: PredicateOperand, _ right: () throws -> PredicateOperand) throws -> PredicateOperand {
        switch left {
        case .null: return try right()
        case .constant: return left
        case .object(let object):
            guard object.isOptional else { return left }
            guard case .object(let other) = try right() else {
                throw unsupported("?? after \(object.path) with a captured object")
            }
            return try self.object("COALESCE(\(object.scope.key()), \(other.scope.key()))", object, other)
        default: break
        }
        let value = try value(left)
        guard value.isNullable else { return left }
        let right = try right()
        // A condition that is NULL counts as false anyway.
        if case .constant(let fallback) = right, fallback as? Bool == false, value.type == .bool {
            return .value(value.falsehood())
        }
        let fallback = try self.value(right, like: value)
        var result = SQLExpression(
            sql: "COALESCE(\(value.sql), \(fallback.sql))", type: value.type,
            nullness: fallback.isNullable ? .none : .never, form: value.form, path: value.path,
            swiftType: value.swiftType)
        result.digits = NumericPrecision.ofEither(value.digits, fallback.digits)
        // A document may be looked into further.
        return value.form == .json ? .json(JSONReference(result)) : .value(result)
    }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        switch try translation.operand(wrapped) {
        case .null: return .null
        case .object(let object): return try map(object, translation)
        case .value(let expression):
            guard expression.isNullable else { return try body(.value(expression), translation) }
            let token = translation.aliases.token()
            return try translation.guarded(
                body(.value(expression.unwrapped(token)), translation), by: expression.isNotNull, token)
        case .json(let reference): return try map(reference, translation)
        case .sequence(var sequence):
            guard let presence = sequence.presence else { return try body(.sequence(sequence), translation) }
            sequence.presence = nil
            return try translation.guarded(body(.sequence(sequence), translation), by: presence, nil)
        case let other: return try body(other, translation)
        }
    }

    private func body(_ operand: PredicateOperand, _ translation: Translation) throws -> PredicateOperand {
        try translation.with(variable, as: operand) { try translation.operand(transform) }
    }

    private func map(_ object: ObjectReference, _ translation: Translation) throws -> PredicateOperand {
        var present = object
        present.isOptional = false
        let result = try body(.object(present), translation)
        guard object.isOptional, let presence = object.presence else { return result }
        let token = object.cast?.token ?? object.scope.requires.max()
        return try translation.guarded(result, by: presence, token)
    }

    private func map(_ reference: JSONReference, _ translation: Translation) throws -> PredicateOperand {
        guard reference.isNullable else { return try body(.json(reference), translation) }
        var present = reference
        present.isOptional = false
        let token = translation.aliases.token()
        present.requires.insert(token)
        return try translation.guarded(body(.json(present), translation), by: reference.presence(), token)
    }
}

extension Translation {
    /// What a closure over an unwrapped optional gives: `nil` when the optional was `nil`.
    ///
    /// - Parameter token: of the optional, as it stands in ``SQLExpression/requires`` of what is NULL without it.
    func guarded(_ result: PredicateOperand, by presence: SQLExpression, _ token: Int?) throws -> PredicateOperand {
        switch result {
        case .null: return .null
        case .object(var object):
            object.isOptional = true
            if let token, object.requires.contains(token) { return .object(object) }
            let scope = TableScope(
                object.scope.entity, .stored, key: "(CASE WHEN \(presence.sql) THEN \(object.scope.key()) END)",
                in: object.scope.source, requires: [aliases.token()], aliases: aliases)
            return .object(ObjectReference(scope, path: object.path, isOptional: true))
        case .sequence(var sequence):
            sequence.presence = presence
            return .sequence(sequence)
        case .json(var reference):
            guard let token, reference.requires.contains(token) else { break }
            reference.isOptional = true
            return .json(reference)
        case .value(var expression):
            guard let token, expression.requires.contains(token), expression.nullness != .falsehood else { break }
            expression.nullness = .none
            return .value(expression)
        case .constant, .count, .characterCount, .range, .order, .history: break
        }
        let value = try value(result)
        var given = SQLExpression(
            sql: "CASE WHEN \(presence.sql) THEN \(value.sql) END", type: value.type, nullness: .none,
            form: value.form, path: value.path, swiftType: value.swiftType)
        given.digits = value.digits
        return .value(given)
    }
}
