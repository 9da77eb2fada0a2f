/// Values from one bound to another, as PostgreSQL has them (manual, 8.17): stored as `int4range`, `int8range`, `numrange`, `daterange` or
/// `tstzrange`, after the type of the bounds.
///
/// ```swift
/// @Model final class Booking {
///     #Index<Booking>(.gist([\.nights]))
///     var nights: PostgresRange<CalendarDate>
/// }
/// #Predicate<Booking> { $0.nights.contains(today) || $0.nights.overlaps(holidays) }
/// ```
///
/// Swift's `Range` and `ClosedRange` have two bounds of a kind each. A range of the server may have no bound at either end, may leave out its lower
/// bound, and may be empty. Of whole numbers and days the server has one form of each range, from a bound that is in it to one that is not;
/// so has this type: `1...3` and `1..<4` are equal.
public struct PostgresRange<Bound: PostgresRangeBound>: Hashable, Sendable {
    /// One end of a range.
    public struct End: Hashable, Sendable {
        /// The value at the end.
        public let bound: Bound
        /// Whether the value belongs to the range.
        public let isIncluded: Bool
    }

    /// Whether it holds no value at all.
    public let isEmpty: Bool
    /// Where it begins; `nil` for a range without a beginning, and for an empty one.
    public let lower: End?
    /// Where it ends; `nil` for a range without an end, and for an empty one.
    public let upper: End?

    private init() { (isEmpty, lower, upper) = (true, nil, nil) }

    /// The range without a value.
    public static var empty: PostgresRange { PostgresRange() }

    /// The values from one bound to another.
    ///
    /// - Parameters:
    ///   - lower: the beginning; `nil` for none.
    ///   - includesLower: whether that value is in the range.
    ///   - upper: the end; `nil` for none.
    ///   - includesUpper: whether that value is in the range.
    /// - Returns: `nil` where the lower bound is above the upper one, and for a bound that the server does not have.
    public init?(from lower: Bound?, includesLower: Bool = true, to upper: Bound?, includesUpper: Bool = false) {
        var lower = lower.map { End(bound: $0.storedBound, isIncluded: includesLower) }
        var upper = upper.map { End(bound: $0.storedBound, isIncluded: includesUpper) }
        guard [lower, upper].allSatisfy({ $0.map { $0.bound.boundText != nil } ?? true }) else { return nil }
        if let lower, let upper, upper.bound < lower.bound { return nil }
        if Bound.isDiscrete {
            if let end = lower, !end.isIncluded {
                guard let next = end.bound.nextBound else { return nil }
                // There is no day behind the infinite one.
                if next != end.bound { lower = End(bound: next, isIncluded: true) }
            }
            if let end = upper, end.isIncluded {
                guard let next = end.bound.nextBound else { return nil }
                if next != end.bound { upper = End(bound: next, isIncluded: false) }
            }
        }
        if let lower, let upper, upper.bound <= lower.bound, !lower.isIncluded || !upper.isIncluded {
            (isEmpty, self.lower, self.upper) = (true, nil, nil)
            return
        }
        (isEmpty, self.lower, self.upper) = (false, lower, upper)
    }

    /// The values of a range of Swift's, without its upper bound; `nil` for a bound that the server does not have.
    public init?(_ range: Range<Bound>) { self.init(from: range.lowerBound, to: range.upperBound) }

    /// The values of a range of Swift's, with its upper bound; `nil` for a bound that the server does not have.
    public init?(_ range: ClosedRange<Bound>) {
        self.init(from: range.lowerBound, to: range.upperBound, includesUpper: true)
    }

    /// The values from a bound on; `nil` for a bound that the server does not have.
    public init?(_ range: PartialRangeFrom<Bound>) { self.init(from: range.lowerBound, to: nil) }

    /// Whether a value is in the range. In a predicate the server answers it, with a GiST index where there is one.
    public func contains(_ value: Bound) -> Bool {
        if isEmpty { return false }
        if value.isBoundAboveAll { return upper == nil }
        if let lower, lower.isIncluded ? value < lower.bound : value <= lower.bound { return false }
        if let upper, upper.isIncluded ? upper.bound < value : upper.bound <= value { return false }
        return true
    }

    /// Whether a value is in both ranges. In a predicate the server answers it, with a GiST index where there is one.
    public func overlaps(_ other: PostgresRange) -> Bool {
        !isEmpty && !other.isEmpty && Self.reaches(lower, other.upper) && Self.reaches(other.lower, upper)
    }

    /// Whether a range that begins there has a value in common with one that ends there.
    private static func reaches(_ lower: End?, _ upper: End?) -> Bool {
        guard let lower, let upper else { return true }
        return lower.bound < upper.bound || lower.bound == upper.bound && lower.isIncluded && upper.isIncluded
    }
}

extension PostgresRange: PostgresTextCodable {
    /// `int8range` for `Int`, `tstzrange` for `Date`, …
    public static var postgresTypeName: String { Bound.rangeTypeName }
    /// The ``description``.
    public var postgresText: String { description }
    /// The range that the server wrote.
    public init?(postgresText: String) { self.init(postgresText) }
}

extension PostgresRange: LosslessStringConvertible {
    /// As the server reads it: `[1,4)`, `(,2026-11-28)`, `empty`.
    public var description: String {
        if isEmpty { return "empty" }
        func text(_ end: End?) -> String { end.flatMap { $0.bound.boundText } ?? "" }
        return (lower?.isIncluded == true ? "[" : "(") + text(lower) + "," + text(upper)
            + (upper?.isIncluded == true ? "]" : ")")
    }

    /// The range of a text, as ``description`` and the server write it; `nil` for any other.
    public init?(_ description: String) {
        if description == "empty" {
            self.init()
            return
        }
        guard let first = description.first, let last = description.last, "[(".contains(first), "])".contains(last),
            description.utf8.count >= 3
        else { return nil }
        let parts = description.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        var bounds: [Bound?] = []
        for part in parts {
            // No bound has a quote in it: they stand around those with a blank.
            let text = String(part.replacing("\"", with: ""))
            if text.isEmpty {
                bounds.append(nil)
            } else if let bound = Bound.bound(ofText: text) {
                bounds.append(bound)
            } else {
                return nil
            }
        }
        self.init(from: bounds[0], includesLower: first == "[", to: bounds[1], includesUpper: last == "]")
    }
}

extension PostgresRange: Codable {
    /// Reads the text that ``description`` writes.
    public init(from decoder: any Decoder) throws { self = try decoder.losslessText() }

    /// Writes the ``description``.
    public func encode(to encoder: any Encoder) throws { try encoder.write(text: description) }
}
