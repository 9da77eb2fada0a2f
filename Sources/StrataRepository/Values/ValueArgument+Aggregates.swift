import Foundation
import StrataClient
import StrataModels

extension AggregateFunction {
    /// What is computed of an argument of all objects of a group; of the objects themselves without one.
    ///
    /// - Parameter isExact: whether the average is a `Decimal`.
    func expression(of argument: ValueArgument?, isExact: Bool) throws -> SQLExpression {
        guard let argument else { return SQLExpression(sql: "count(*)", type: .int8) }
        switch self {
        case .count: return SQLExpression(sql: "count(\(argument.expressions[0].sql))", type: .int8)
        case .countDistinct:
            return SQLExpression(sql: "count(DISTINCT \(argument.expressions[0].sql))", type: .int8)
        case .sum: return try sum(of: number(argument))
        case .average: return try average(of: number(argument), isExact: isExact)
        case .minimum, .maximum: return try extreme(of: ordered(argument))
        }
    }

    /// The server's sum is of a wider type than what is added.
    private func sum(of number: SQLExpression) -> SQLExpression {
        let sum: SQLFragment = "COALESCE(sum(\(number.sql)), 0)"
        let isOfItsType = number.type == .numeric || number.type == .float8
        var result = SQLExpression(
            sql: isOfItsType ? sum : "\(sum)::\(raw: number.type.description)", type: number.type, path: number.path)
        result.mayBeNaN = number.mayBeNaN
        return result
    }

    private func average(of number: SQLExpression, isExact: Bool) -> SQLExpression {
        let isOfItsType = isExact || number.type == .float8 || number.type == .float4
        return SQLExpression(
            sql: "avg(\(number.sql))\(raw: isOfItsType ? "" : "::double precision")",
            type: isExact ? .numeric : .float8, nullness: .none, path: number.path)
    }

    private func extreme(of value: SQLExpression) -> SQLExpression {
        var result = value
        (result.nullness, result.shape, result.opposite, result.bounds) = (.none, .atom, nil, [])
        // The server has no min and max of UUIDs before version 18, and none of documents: of those the whole one is read.
        if let order = value.type == .uuid ? value.operand : value.documentOrder {
            let direction = self == .minimum ? "" : " DESC"
            result.sql =
                "(array_agg(\(value.operand) ORDER BY \(order)\(raw: direction)) FILTER (WHERE \(value.operand) IS NOT NULL))[1]"
        } else {
            result.sql = "\(raw: self == .minimum ? "min" : "max")(\(value.ordered))"
        }
        return result
    }

    private static let numbers: Set<PostgresType> = [.int2, .int4, .int8, .numeric, .float4, .float8]
    private static let ordered: Set<PostgresType> = numbers.union([.text, .timestamptz, .uuid])

    private func number(_ argument: ValueArgument) throws -> SQLExpression {
        guard case .expression(let value, _) = argument, value.form == .plain, Self.numbers.contains(value.type) else {
            throw refusal(argument, "is not stored as a number")
        }
        return value
    }

    private func ordered(_ argument: ValueArgument) throws -> SQLExpression {
        guard case .expression(let value, _) = argument,
            value.form == .plain && Self.ordered.contains(value.type) || value.documentOrder != nil
        else {
            throw refusal(argument, "is stored in a form that has no order")
        }
        return value
    }

    private func refusal(_ argument: ValueArgument, _ reason: String) -> SwiftDataError {
        SwiftDataError(
            .unsupportedKeyPath,
            "There is no \(rawValue) of \(argument.path) in SQL: it \(reason). Select its values, and compute the \(rawValue) in memory."
        )
    }
}

extension SQLExpression {
    /// What documents that are one date or UUID are ordered by; `nil` for everything else.
    fileprivate var documentOrder: SQLFragment? {
        guard form == .json else { return nil }
        if swiftType == UUID.self { return "(\(operand) #>> '{}')::uuid" }
        return documentSeconds
    }

    /// The seconds since 1970 of a document that is one date; `nil` for everything else.
    var documentSeconds: SQLFragment? {
        form == .json && swiftType == Date.self ? "(\(operand) #>> '{}')::double precision" : nil
    }
}
