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
        guard let array = try parameter(like: expression) else { return isNil }
        let found = SQLExpression.condition(
            "\(expression.operand) = ANY(\(array))", nullness: expression.isNullable ? .falsehood : .never,
            requires: expression.requires)
        return found.or(isNil)
    }

    /// The list as something with elements, for closures over it.
    func array() throws -> (array: SQLExpression, element: SQLExpression)? {
        guard !hasNil, let first = values.first.flatMap({ CapturedValue.scalar($0) }), let sql = try parameter(like: nil)
        else { return nil }
        let type = Swift.type(of: first).postgresType
        return (SQLExpression(sql: sql, type: type.array), SQLExpression(sql: "", type: type))
    }

    /// `nil` when nothing is left that could equal anything.
    private func parameter(like expression: SQLExpression?) throws -> SQLFragment? {
        var array: PostgresArray?
        for value in values {
            let captured = CapturedValue(value, path: expression?.path ?? "")
            if captured.isNaN { continue }
            let scalar = try captured.scalar(like: expression)
            try Self.append(scalar, to: &array, reservingCapacity: values.count)
        }
        return array.map { array in
            var sql = SQLFragment()
            sql.append(bind: array)
            return sql
        }
    }

    private static func append<V: PostgresCodable>(
        _ value: V, to array: inout PostgresArray?, reservingCapacity capacity: Int
    ) throws {
        if array == nil { array = PostgresArray(elementType: V.postgresType, reservingCapacity: capacity) }
        try array?.append(value)
    }
}
