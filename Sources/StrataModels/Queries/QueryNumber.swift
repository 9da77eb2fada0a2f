public import Foundation

/// A number that PostgreSQL can add up: the integers, `Double`, `Float` and `Decimal`.
public protocol QueryNumber: Numeric, Comparable, Sendable {
    /// The type of an average of such numbers: `Decimal` for `Decimal`, `Double` for all others.
    associatedtype Average: Sendable
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
}
