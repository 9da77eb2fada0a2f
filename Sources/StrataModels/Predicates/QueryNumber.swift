public import Foundation

/// A number that PostgreSQL can add up: the integers, `Double`, `Float` and `Decimal`.
public protocol QueryNumber: QueryOperand, Numeric, Comparable where _Number == Self {
    /// The type of an average of such numbers: `Decimal` for `Decimal`, `Double` for all others.
    associatedtype Average: Sendable
    /// Adds up in memory as the server does; throws for a sum that does not fit. Predicates call it.
    static func _sum(of numbers: [Self]) throws -> Self
    /// The average in memory, `nil` of nothing. Predicates call it.
    static func _average(of numbers: [Self]) -> Average?
    /// The median in memory, `nil` of nothing. Predicates call it.
    static func _median(of numbers: [Self]) -> Average?
    /// The variance of a sample in memory, `nil` of fewer than two. Predicates call it.
    static func _variance(of numbers: [Self]) -> Average?
    /// The standard deviation of a sample in memory, `nil` of fewer than two. Predicates call it.
    static func _standardDeviation(of numbers: [Self]) -> Average?
    /// The nearest number in double precision. Predicates call it.
    var _inDoublePrecision: Double { get }
}

extension QueryNumber {
    /// The value below which a part of the numbers is; `nil` of nothing, and of a part outside of 0 to 1.
    public static func _percentile(_ part: Double, of numbers: [Self]) -> Double? {
        DoubleStatistics.percentile(part, of: numbers.map(\._inDoublePrecision))
    }
}

extension QueryNumber where Average == Double {
    /// The median, `nil` of nothing.
    public static func _median(of numbers: [Self]) -> Double? { _percentile(0.5, of: numbers) }

    /// The variance of a sample, `nil` of fewer than two.
    public static func _variance(of numbers: [Self]) -> Double? {
        DoubleStatistics.variance(of: numbers.map(\._inDoublePrecision))
    }

    /// The standard deviation of a sample, `nil` of fewer than two.
    public static func _standardDeviation(of numbers: [Self]) -> Double? { _variance(of: numbers)?.squareRoot() }
}

extension QueryNumber where Self: FixedWidthInteger {
    /// Adds up; only the sum has to fit the type. Throws ``SwiftDataError`` with the code `invalidValue` where it does not.
    public static func _sum(of numbers: [Self]) throws -> Self {
        guard let sum = Self(exactly: numbers.wideSum) else { throw CheckedArithmetic.outOfRange(Self.self) }
        return sum
    }

    /// The average, `nil` of nothing.
    public static func _average(of numbers: [Self]) -> Double? {
        numbers.isEmpty ? nil : Double(numbers.wideSum) / Double(numbers.count)
    }

    /// The nearest number in double precision.
    public var _inDoublePrecision: Double { Double(self) }
}

extension QueryNumber where Self: BinaryFloatingPoint {
    /// Adds up. Throws ``SwiftDataError`` with the code `invalidValue` for a sum of finite numbers that is not finite.
    public static func _sum(of numbers: [Self]) throws -> Self {
        let sum = numbers.reduce(0, +)
        guard sum.isFinite || !numbers.allSatisfy(\.isFinite) else { throw CheckedArithmetic.outOfRange(Self.self) }
        return sum
    }

    /// The average, `nil` of nothing.
    public static func _average(of numbers: [Self]) -> Double? {
        numbers.isEmpty ? nil : numbers.reduce(0) { $0 + Double($1) } / Double(numbers.count)
    }

    /// The nearest number in double precision.
    public var _inDoublePrecision: Double { Double(self) }
}

extension Array where Element: FixedWidthInteger {
    /// No array is long enough for more.
    fileprivate var wideSum: Int128 { reduce(0) { $0 + Int128($1) } }
}

extension Int: QueryNumber {
    /// An average of such numbers is a `Double`.
    public typealias Average = Double
}

extension Int8: QueryNumber {
    /// An average of such numbers is a `Double`.
    public typealias Average = Double
}

extension Int16: QueryNumber {
    /// An average of such numbers is a `Double`.
    public typealias Average = Double
}

extension Int32: QueryNumber {
    /// An average of such numbers is a `Double`.
    public typealias Average = Double
}

extension Int64: QueryNumber {
    /// An average of such numbers is a `Double`.
    public typealias Average = Double
}

extension UInt: QueryNumber {
    /// An average of such numbers is a `Double`.
    public typealias Average = Double
}

extension UInt8: QueryNumber {
    /// An average of such numbers is a `Double`.
    public typealias Average = Double
}

extension UInt16: QueryNumber {
    /// An average of such numbers is a `Double`.
    public typealias Average = Double
}

extension UInt32: QueryNumber {
    /// An average of such numbers is a `Double`.
    public typealias Average = Double
}

extension UInt64: QueryNumber {
    /// An average of such numbers is a `Double`.
    public typealias Average = Double
}

extension Float: QueryNumber {
    /// An average of such numbers is a `Double`.
    public typealias Average = Double
}

extension Double: QueryNumber {
    /// An average of such numbers is a `Double`.
    public typealias Average = Double
}

extension Decimal: QueryNumber {
    /// An average of such numbers is a `Decimal`.
    public typealias Average = Decimal

    /// Adds up.
    public static func _sum(of numbers: [Decimal]) -> Decimal { numbers.reduce(0, +) }

    /// The average, `nil` of nothing.
    public static func _average(of numbers: [Decimal]) -> Decimal? {
        numbers.isEmpty ? nil : numbers.reduce(0, +) / Decimal(numbers.count)
    }

    /// The median, `nil` of nothing.
    public static func _median(of numbers: [Decimal]) -> Decimal? {
        let sorted = numbers.sorted(by: SortedOrder.precedes)
        return sorted.isEmpty ? nil : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// The variance of a sample, `nil` of fewer than two.
    public static func _variance(of numbers: [Decimal]) -> Decimal? { variance(of: numbers) }

    /// The standard deviation of a sample, `nil` of fewer than two.
    public static func _standardDeviation(of numbers: [Decimal]) -> Decimal? { variance(of: numbers)?.squareRoot }

    /// The nearest number in double precision.
    public var _inDoublePrecision: Double { inDoublePrecision }
}
