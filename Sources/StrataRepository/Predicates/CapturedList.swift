import Foundation
import StrataClient
import StrataModels

/// A captured collection: one array parameter, however many elements it has.
struct CapturedList {
    let values: [Any]
    let hasNil: Bool
    private let original: Any

    init?(_ value: Any) {
        guard let sequence = value as? any Sequence else { return nil }
        original = value
        var values: [Any] = []
        var hasNil = false
        for element in Self.elements(sequence) {
            switch PredicateOperand(element) {
            case .constant(let element): values.append(element)
            default: hasNil = true
            }
        }
        self.values = values
        self.hasNil = hasNil
    }

    private static func elements(_ sequence: some Sequence) -> [Any] { sequence.map { $0 as Any } }

    /// Whether the list holds the value of an expression.
    func contains(_ expression: SQLExpression) throws -> SQLExpression {
        let isNil: SQLExpression =
            hasNil && expression.isNullable ? .condition("\(expression.operand) IS NULL") : .false
        guard let array = try array(like: expression, withNaN: false) else { return isNil }
        var parameter = SQLFragment()
        parameter.append(bind: array)
        if case .serverText(let text) = expression.form { parameter = text.values(of: parameter) }
        let found = SQLExpression.condition(
            "\(expression.comparand) = ANY(\(parameter))", nullness: expression.isNullable ? .falsehood : .never,
            requires: expression.requires)
        return found.or(isNil)
    }

    /// The list as something with elements, for closures over it.
    func source() throws -> SQLSequence.Source? {
        guard let value = values.first else { return hasNil ? nil : .empty }
        guard let first = CapturedValue.scalar(value), var array = try array(like: nil, withNaN: true) else {
            return nil
        }
        if hasNil { try array.appendNull(first) }
        var sql = SQLFragment()
        sql.append(bind: array)
        let type = Swift.type(of: first).postgresType
        return .array(
            SQLExpression(sql: sql, type: type.array),
            element: SQLExpression(sql: "", type: type, nullness: hasNil ? .none : .never, path: "a captured element"))
    }

    /// `nil` when nothing is left that could equal anything.
    private func array(like expression: SQLExpression?, withNaN: Bool) throws -> PostgresArray? {
        var array: PostgresArray?
        for value in values {
            let captured = CapturedValue(value, path: expression?.path ?? "")
            if captured.differsFromItself, !withNaN { continue }
            let scalar = try captured.scalar(like: expression)
            try Self.append(scalar, to: &array, reservingCapacity: values.count)
        }
        return array
    }

    private static func append<V: PostgresCodable>(
        _ value: V, to array: inout PostgresArray?, reservingCapacity capacity: Int
    ) throws {
        if array == nil { array = PostgresArray(elementType: V.postgresType, reservingCapacity: capacity) }
        try array?.append(value)
    }
}

extension PostgresArray {
    /// Appends NULL; `append` of an optional does it, and the value says of which type.
    fileprivate mutating func appendNull<V: PostgresCodable>(_: V) throws { try append(V?.none) }
}
