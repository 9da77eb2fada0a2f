import Foundation
import StrataClient
import StrataModels

extension Translation {
    /// `==` as in Swift: `nil` equals `nil` and nothing else, NaN equals nothing, objects are equal by their keys.
    func equal(_ lhs: PredicateOperand, _ rhs: PredicateOperand) throws -> SQLExpression {
        switch (lhs, rhs) {
        case (.null, .null): return .true
        case (.null, let other), (let other, .null): return try isNil(other)
        case (.object(let left), .object(let right)): return sameObject(left, right)
        case (.object(let object), .constant(let value)), (.constant(let value), .object(let object)):
            return try same(object, as: [value])
        case (.history(.identifier(let row)), .constant(let value)),
            (.constant(let value), .history(.identifier(let row))):
            return try isObject(row, among: [value])
        case (.order(let order), .constant(let value)), (.constant(let value), .order(let order)):
            return try self.order(order, is: value)
        case (.count(let sequence), .constant(let value)) where value as? Int == 0,
            (.constant(let value), .count(let sequence)) where value as? Int == 0:
            return try isEmpty(sequence)
        case (.characterCount(let string), .constant(let value)) where value as? Int == 0,
            (.constant(let value), .characterCount(let string)) where value as? Int == 0:
            return isEmpty(string)
        case (.constant(let constant), let other), (let other, .constant(let constant)):
            if case .value(let expression) = other, let truth = constant as? Bool, expression.type == .bool {
                return equal(expression, to: truth)
            }
            return try equal(value(other), to: constant)
        default:
            let (left, right) = (try value(lhs), try value(rhs))
            try requireSameForm(left, right)
            return equal(left, right)
        }
    }

    /// `!=`, which is true between `nil` and a value.
    func notEqual(_ lhs: PredicateOperand, _ rhs: PredicateOperand) throws -> SQLExpression {
        switch (lhs, rhs) {
        case (.constant(let constant), let other), (let other, .constant(let constant)):
            switch other {
            case .value, .json:
                let expression = try value(other)
                return try notEqual(expression, to: constant)
            case .count(let sequence) where constant as? Int == 0: return try isNotEmpty(sequence)
            default: return try equal(lhs, rhs).not()
            }
        case (.null, let other), (let other, .null): return try isNotNil(other)
        default:
            guard case .value(let left) = lhs, case .value(let right) = rhs else { return try equal(lhs, rhs).not() }
            try requireSameForm(left, right)
            return notEqual(left.exact, right.exact)
        }
    }

    /// Throws for two properties that hold values of one type in different forms, as JSON and a column do for dates.
    func requireSameForm(_ left: SQLExpression, _ right: SQLExpression) throws {
        for side in [left, right] { try side.requireEquality() }
        guard left.form != right.form else { return }
        throw unsupported("a comparison of \(left.path) with \(right.path), which are stored in different forms,")
    }

    // MARK: Values

    private func equal(_ expression: SQLExpression, to constant: Any) throws -> SQLExpression {
        let captured = CapturedValue(constant, path: expression.path)
        if captured.differsFromItself { return .false }
        if let entity = expression.historyEntity, let name = constant as? String {
            return try isEntity(entity, named: [name])
        }
        let lowercase = (constant as? String).flatMap { expression.foundInLowercase($0) }
        let expression = (constant as? String).map { expression.mapped(for: $0) } ?? expression
        let right = try captured.expression(like: expression)
        if let lowercase { return lowercase.and(equal(expression, right)) }
        var result = equal(expression, right)
        if let value = captured.plainScalar(like: expression) {
            result.bounds = SQLBound.all(expression.ordered, nil, right.sql, value)
        }
        return result
    }

    private func equal(_ expression: SQLExpression, to truth: Bool) -> SQLExpression {
        if truth { return expression.falsehood() }
        guard expression.nullness == .none else { return expression.not() }
        return .condition("NOT \(expression.operand)", nullness: .falsehood, requires: expression.requires)
    }

    private func notEqual(_ expression: SQLExpression, to constant: Any) throws -> SQLExpression {
        if let truth = constant as? Bool, expression.type == .bool {
            guard expression.isNullable else { return truth ? expression.not() : expression }
            return .condition("\(expression.operand) IS NOT \(raw: truth ? "TRUE" : "FALSE")")
        }
        let captured = CapturedValue(constant, path: expression.path)
        if captured.differsFromItself { return .true }
        let expression = (constant as? String).map { expression.mapped(for: $0) } ?? expression
        let right = try captured.expression(like: expression)
        return .condition(
            "\(expression.comparand) \(raw: expression.isNullable ? "IS DISTINCT FROM" : "<>") \(right.comparand)",
            requires: expression.isNullable ? [] : expression.requires)
    }

    private func equal(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
        let bothNullable = left.isNullable && right.isNullable
        let result = SQLExpression.condition(
            "\(left.comparand) \(raw: bothNullable ? "IS NOT DISTINCT FROM" : "=") \(right.comparand)",
            nullness: bothNullable || !(left.isNullable || right.isNullable) ? .never : .falsehood,
            requires: bothNullable ? [] : left.requires.union(right.requires))
        guard left.mayDifferFromItself, right.mayDifferFromItself else { return result }
        return result.and(.condition("\(left.operand) IS DISTINCT FROM \(left.nan)"))
    }

    private func notEqual(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
        let nullable = left.isNullable || right.isNullable
        let result = SQLExpression.condition(
            "\(left.operand) \(raw: nullable ? "IS DISTINCT FROM" : "<>") \(right.operand)",
            requires: nullable ? [] : left.requires.union(right.requires))
        guard left.mayDifferFromItself, right.mayDifferFromItself else { return result }
        return result.or(.condition("\(left.operand) = \(left.nan)", nullness: left.isNullable ? .falsehood : .never))
    }

    // MARK: nil

    /// Whether an operand is `nil`.
    func isNil(_ operand: PredicateOperand) throws -> SQLExpression {
        switch operand {
        case .null: return .true
        case .constant: return .false
        case .object(let object):
            guard object.isOptional, let presence = object.presence else { return .false }
            return presence.not()
        case .sequence(let sequence), .count(let sequence):
            return sequence.presence?.not() ?? .false
        case .characterCount, .range, .order, .history: return .false
        case .value, .json:
            let expression = try value(operand)
            return expression.isNullable ? expression.isNotNull.not() : .false
        }
    }

    func isNotNil(_ operand: PredicateOperand) throws -> SQLExpression {
        switch operand {
        case .value, .json:
            let expression = try value(operand)
            return expression.isNullable ? expression.isNotNull : .true
        case .object(let object):
            guard object.isOptional, let presence = object.presence else { return .true }
            return presence
        default: return try isNil(operand).not()
        }
    }

    // MARK: Objects

    private func sameObject(_ left: ObjectReference, _ right: ObjectReference) -> SQLExpression {
        guard left.entity.root === right.entity.root else {
            // Of two hierarchies: equal only when both are missing.
            guard left.isOptional, right.isOptional, let one = left.presence, let other = right.presence else {
                return .false
            }
            return one.not().and(other.not())
        }
        let bothOptional = left.isOptional && right.isOptional
        let keys = SQLExpression.condition(
            "\(left.scope.key()) \(raw: bothOptional ? "IS NOT DISTINCT FROM" : "=") \(right.scope.key())",
            nullness: bothOptional || !(left.scope.isOptional || right.scope.isOptional) ? .never : .falsehood)
        return [left.cast, right.cast].compactMap { $0 }.reduce(keys) { $0.and(.condition($1.condition)) }
    }

    /// Whether an object is one of these objects, or has one of these identifiers.
    func same(_ object: ObjectReference, as values: some Sequence<Any>, isOne: Bool = true) throws -> SQLExpression {
        let names = Set(object.entity.family.map(\.name))
        var keys: [RowKey] = []
        for value in values {
            let identifier: PersistentIdentifier
            switch value {
            case let value as PersistentIdentifier: identifier = value
            case let value as any PersistentModel: identifier = value.persistentModelID
            default: throw unsupported("a comparison of \(object.path) with a captured \(type(of: value))")
            }
            // Objects of other classes or stores, and those that were never inserted, are no object of this table.
            guard names.contains(identifier.entityName), let itsStore = identifier.storeIdentifier,
                store == nil || store == itsStore
            else { continue }
            if object.entity.key.isSingle || object.entity.key.accepts(identifier.key) { keys.append(identifier.key) }
        }
        guard let first = keys.first else { return .false }
        let nullness: SQLExpression.Nullness = object.scope.isOptional ? .falsehood : .never
        let requires = object.scope.requires
        if isOne { return .condition(object.scope.isKey(first), nullness: nullness, requires: requires) }
        return .condition(object.scope.isKey(among: keys), nullness: nullness, requires: requires)
    }

    // MARK: Emptiness

    func isEmpty(_ sequence: SQLSequence) throws -> SQLExpression {
        if case .array(let array, _) = sequence.source, sequence.filters.isEmpty {
            return .condition("cardinality(\(array.sql)) = 0", requires: array.requires)
        }
        if case .json(let list) = sequence.source, sequence.filters.isEmpty { return list.isEmpty }
        return try sequence.exists(in: self).not()
    }

    func isNotEmpty(_ sequence: SQLSequence) throws -> SQLExpression {
        if case .array(let array, _) = sequence.source, sequence.filters.isEmpty {
            return .condition("cardinality(\(array.sql)) > 0", requires: array.requires)
        }
        if case .json(let list) = sequence.source, sequence.filters.isEmpty { return list.isNotEmpty }
        return try sequence.exists(in: self)
    }

    func isEmpty(_ string: SQLExpression) -> SQLExpression {
        .condition(
            "\(string.operand) = ''", nullness: string.isNullable ? .falsehood : .never, requires: string.requires)
    }
}

extension SQLExpression {
    /// What an index of texts in lower case says of the texts whose lower case is `text`; `nil` where there is none, or where it says
    /// nothing.
    fileprivate func foundInLowercase(_ text: String) -> SQLExpression? {
        guard let lowercased, let mapping = caseMapped?.mapping, mapping(text).utf8.elementsEqual(text.utf8),
            LowercaseIndex.finds(text)
        else { return nil }
        return .condition(
            "\(lowercased) = \(bind: text)", nullness: isNullable ? .falsehood : .never, requires: requires)
    }

    var nan: SQLFragment { "'NaN'::\(raw: type.description)" }

    /// Whether NaN may come out and differs from itself: that of `Decimal` does not, neither in Swift nor in PostgreSQL.
    var mayDifferFromItself: Bool { mayBeNaN && type != .numeric }

    var isNotNull: SQLExpression { .condition("\(operand) IS NOT NULL", opposite: "\(operand) IS NULL") }
}
