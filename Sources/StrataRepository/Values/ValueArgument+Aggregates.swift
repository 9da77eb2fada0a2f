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
        case .average: return try number(of: number(argument), "avg", isExact: isExact)
        case .minimum, .maximum: return try extreme(of: ordered(argument))
        case .median: return try median(of: number(argument), isExact: isExact)
        case .percentile(let part):
            return try percentile("percentile_cont(\(share(part)))", of: number(argument).inDoublePrecision, argument)
        case .discretePercentile(let part):
            return try percentile("percentile_disc(\(share(part)))", of: ordered(argument), argument)
        case .standardDeviation: return try number(of: number(argument), "stddev_samp", isExact: isExact)
        case .variance: return try number(of: number(argument), "var_samp", isExact: isExact)
        case .list(let isDistinct): return try list(of: ordered(argument), isDistinct, argument)
        case .text(let separator, let isDistinct):
            return try text(of: ordered(argument), separator: separator, isDistinct, argument)
        }
    }

    /// The values in their order, which is one of the aggregate: the server has none of its own.
    private func list(of value: SQLExpression, _ isDistinct: Bool, _ argument: ValueArgument) throws -> SQLExpression {
        guard value.documentOrder == nil else { throw refusal(argument, "is stored in a form that has no order") }
        let values: SQLFragment = "array_agg(\(each(value, isDistinct)) ORDER BY \(value.ordered))"
        // A column of somebody else's may have a type of its own, which is read as the property's, but not within an array.
        let type = value.type.array
        return SQLExpression(
            sql: "COALESCE(\(values)\(present(value)), '{}')::\(raw: type.description)", type: type, path: value.path)
    }

    private func text(
        of value: SQLExpression, separator: String, _ isDistinct: Bool, _ argument: ValueArgument
    ) throws -> SQLExpression {
        guard value.isText else { throw refusal(argument, "is not stored as text") }
        return SQLExpression(
            sql: "string_agg(\(each(value, isDistinct)), \(bind: separator) ORDER BY \(value.ordered))", type: .text,
            nullness: .none, path: value.path)
    }

    /// What is collected. The order of distinct values goes by what is collected, to the letter (manual, 4.2.7).
    private func each(_ value: SQLExpression, _ isDistinct: Bool) -> SQLFragment {
        "\(raw: isDistinct ? "DISTINCT " : "")\(value.ordered)"
    }

    private func present(_ value: SQLExpression) -> SQLFragment {
        value.isNullable || !value.requires.isEmpty ? " FILTER (WHERE \(value.operand) IS NOT NULL)" : ""
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

    /// - Parameter function: one that is of double precision for floating-point numbers, and `numeric` for all others.
    private func number(of number: SQLExpression, _ function: String, isExact: Bool) -> SQLExpression {
        let isOfItsType = isExact || number.type == .float8 || number.type == .float4
        return SQLExpression(
            sql: "\(raw: function)(\(number.sql))\(raw: isOfItsType ? "" : "::double precision")",
            type: isExact ? .numeric : .float8, nullness: .none, path: number.path)
    }

    private func median(of number: SQLExpression, isExact: Bool) -> SQLExpression {
        guard isExact else {
            return SQLExpression(
                sql: "percentile_cont(0.5) WITHIN GROUP (ORDER BY \(number.inDoublePrecision.sql))", type: .float8,
                nullness: .none, path: number.path)
        }
        // The server's percentiles between values are of double precision. The two in the middle are the first of both halves. A quotient
        // would have as many digits as the server gives it (manual, 9.3), and lose the half of a long sum; a product has all of them.
        let half: SQLFragment = "percentile_disc(0.5) WITHIN GROUP (ORDER BY \(number.operand)"
        return SQLExpression(
            sql: "(\(half)) + \(half) DESC)) * 0.5", type: .numeric, nullness: .none, shape: .comparison,
            path: number.path)
    }

    private func percentile(
        _ function: SQLFragment, of value: SQLExpression, _ argument: ValueArgument
    ) throws -> SQLExpression {
        guard value.documentOrder == nil else { throw refusal(argument, "is stored in a form that has no order") }
        var result = value
        (result.nullness, result.shape, result.opposite, result.bounds) = (.none, .atom, nil, [])
        result.sql = "\(function) WITHIN GROUP (ORDER BY \(value.ordered))"
        return result
    }

    private func share(_ part: Double) throws -> SQLFragment {
        try Self.checkPercentile(part)
        return "\(bind: part)"
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

    static let numbers: Set<PostgresType> = [.int2, .int4, .int8, .numeric, .float4, .float8]
    private static let ordered: Set<PostgresType> = numbers.union([.text, .timestamptz, .date, .time, .uuid])

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
            "There is no \(name) of \(argument.path) in SQL: it \(reason). Select its values, and compute the \(name) in memory."
        )
    }
}

extension SQLExpression {
    fileprivate var inDoublePrecision: SQLExpression {
        guard type != .float8 else { return self }
        return SQLExpression(sql: "\(operand)::double precision", type: .float8, nullness: nullness, path: path)
    }

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
