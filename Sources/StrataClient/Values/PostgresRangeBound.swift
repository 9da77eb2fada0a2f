public import Foundation

/// What a ``PostgresRange`` goes from and to: `Int`, `Int32`, `Int64`, `Decimal`, `CalendarDate` and `Date`.
public protocol PostgresRangeBound: Hashable, Comparable, PostgresCodable {
    /// PostgreSQL's type of ranges of such values.
    static var rangeTypeName: String { get }
    /// Whether there is a next value to each: then a range has one form.
    static var isDiscrete: Bool { get }
    /// The next value; `nil` where the type has none.
    var nextBound: Self? { get }
    /// The value as it comes back of the database.
    var storedBound: Self { get }
    /// Whether the server sorts it above everything: the number that is none.
    var isBoundAboveAll: Bool { get }
    /// The value in the text of a range; `nil` for one that no range has.
    var boundText: String? { get }
    /// The value of such a text. No initializer: `Int.init` and others of its kind would mean two things for a text.
    static func bound(ofText text: String) -> Self?
}

extension PostgresRangeBound {
    /// It is one of a type without steps.
    public static var isDiscrete: Bool { false }
    /// There is none.
    public var nextBound: Self? { nil }
    /// The value itself.
    public var storedBound: Self { self }
    /// It is not.
    public var isBoundAboveAll: Bool { false }
}

extension PostgresRangeBound where Self: FixedWidthInteger {
    /// Whole numbers have steps.
    public static var isDiscrete: Bool { true }
    /// The number that is greater by one.
    public var nextBound: Self? { self == .max ? nil : self + 1 }
    /// The digits.
    public var boundText: String? { "\(self)" }
    /// The number of the digits.
    public static func bound(ofText text: String) -> Self? { Self(text, radix: 10) }
}

extension Int: PostgresRangeBound {
    /// `int8range`.
    public static var rangeTypeName: String { "int8range" }
}

extension Int64: PostgresRangeBound {
    /// `int8range`.
    public static var rangeTypeName: String { "int8range" }
}

extension Int32: PostgresRangeBound {
    /// `int4range`.
    public static var rangeTypeName: String { "int4range" }
}

extension Decimal: PostgresRangeBound {
    /// `numrange`.
    public static var rangeTypeName: String { "numrange" }
    /// The number that is none, which PostgreSQL has above all others.
    public var isBoundAboveAll: Bool { isNaN }
    /// The digits; `nil` for what is no number.
    public var boundText: String? { isNaN ? nil : "\(self)" }
    /// The number of the digits.
    public static func bound(ofText text: String) -> Decimal? {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "N") }) else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}

extension CalendarDate: PostgresRangeBound {
    /// `daterange`.
    public static var rangeTypeName: String { "daterange" }
    /// Days have steps.
    public static var isDiscrete: Bool { true }
    /// The next day; of the infinities they themselves, as the server does it.
    public var nextBound: CalendarDate? { adding(days: 1) }
    /// The day.
    public var boundText: String? { description }
    /// The day of the text.
    public static func bound(ofText text: String) -> CalendarDate? { CalendarDate(text) }
}

extension Date: PostgresRangeBound {
    /// `tstzrange`.
    public static var rangeTypeName: String { "tstzrange" }
    /// To the microsecond; outside of what the server has the date itself, which is no bound.
    public var storedBound: Date { (try? postgresMicroseconds).map { Date(postgresMicroseconds: $0) } ?? self }

    /// The moment in UTC; `nil` where the server does not have it.
    public var boundText: String? {
        guard let microseconds = try? postgresMicroseconds else { return nil }
        let text = PostgresTimestamp(microseconds: microseconds).description
        if text.hasSuffix("infinity") { return text }
        let isBeforeChrist = text.hasSuffix(" BC")
        return "\"" + (isBeforeChrist ? text.dropLast(3) + "+00 BC" : text + "+00") + "\""
    }

    /// The moment of a text with its distance from UTC, as a session writes it whose `DateStyle` is ISO, which is PostgreSQL's own choice.
    public static func bound(ofText text: String) -> Date? {
        if let moment = PostgresTimestamp(text) { return Date(postgresMicroseconds: moment.microseconds) }
        let parts = text.wholeMatch(
            of: /([0-9]{4,6}-[0-9]{2}-[0-9]{2})[ T]([0-9:.]+?)([-+])([0-9]{2})(?::([0-9]{2}))?(?::([0-9]{2}))?( BC)?/)
        guard let parts, let hours = Int64(parts.4), let minutes = Int64(parts.5 ?? "0"),
            let seconds = Int64(parts.6 ?? "0"),
            let local = PostgresTimestamp("\(parts.1)T\(parts.2)\(parts.7 ?? "")")
        else { return nil }
        let east = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000
        let (moment, overflows) = local.microseconds.subtractingReportingOverflow(parts.3 == "-" ? -east : east)
        guard !overflows else { return nil }
        return Date(postgresMicroseconds: moment)
    }
}
