public import Foundation

/// A day of the calendar, without a time and without a time zone: a birthday, a due date. Stored as `date`.
///
/// ```swift
/// @Model final class Employee {
///     var birthDate: CalendarDate?
/// }
/// employee.birthDate = CalendarDate(year: 1979, month: 8, day: 17)
/// ```
///
/// A `Date` is a moment, and which day that is depends on where one asks. A `date` column has no such place, so it is no `Date`.
/// Its text is the server's: `1979-08-17`, `0044-03-15 BC`, `infinity`; so are its JSON and its field of a CSV file.
public struct CalendarDate: Hashable, Sendable {
    /// Days since 2000-01-01, as the server counts them; its infinities are the two ends.
    package let daysSince2000: Int32

    package init(daysSince2000: Int32) { self.daysSince2000 = daysSince2000 }

    /// The server's `infinity`, after every other day.
    public static let distantFuture = CalendarDate(daysSince2000: .max)
    /// The server's `-infinity`, before every other day.
    public static let distantPast = CalendarDate(daysSince2000: .min)

    /// The days that the server has: from 4714-11-24 BC to 5874897-12-31.
    private static let range: ClosedRange<Int64> = -2_451_545...2_145_031_948

    /// A day of the Gregorian calendar, also before there was that calendar.
    ///
    /// - Parameters:
    ///   - year: counted without a gap: 0 is 1 BC, -1 is 2 BC.
    ///   - month: from 1 to 12.
    ///   - day: from 1 on.
    /// - Returns: `nil` for a day that there is not, such as 30 February, and before 4714-11-24 BC or after 5874897-12-31.
    public init?(year: Int, month: Int, day: Int) {
        // Far more than there are, so that nothing below overflows.
        guard (-10_000...10_000_000).contains(year), (1...12).contains(month), (1...31).contains(day) else {
            return nil
        }
        let days = GregorianDay.daysSince2000(year: Int64(year), month: Int64(month), day: Int64(day))
        guard Self.range.contains(days), GregorianDay.components(daysSince2000: days).day == Int64(day) else {
            return nil
        }
        daysSince2000 = Int32(days)
    }

    /// The day that a moment is in a time zone.
    ///
    /// - Returns: `nil` for a moment that lies outside of what the server has days for.
    public init?(_ moment: Date, in timeZone: TimeZone) {
        let seconds = moment.timeIntervalSinceReferenceDate + Double(timeZone.secondsFromGMT(for: moment))
        // From 2000 to 2001 there are 366 days.
        let days = (seconds / 86_400).rounded(.down) + 366
        guard days >= Double(Self.range.lowerBound), days <= Double(Self.range.upperBound) else { return nil }
        daysSince2000 = Int32(days)
    }

    /// The day that it is now in a time zone, without an argument in that of the machine.
    public static func today(in timeZone: TimeZone = .current) -> CalendarDate {
        CalendarDate(Date(), in: timeZone) ?? .distantFuture
    }

    /// Year, month and day, as ``init(year:month:day:)`` takes them; `nil` for ``distantFuture`` and ``distantPast``.
    public var components: (year: Int, month: Int, day: Int)? {
        guard self != .distantFuture, self != .distantPast else { return nil }
        let (year, month, day) = GregorianDay.components(daysSince2000: Int64(daysSince2000))
        return (Int(year), Int(month), Int(day))
    }

    /// The day that comes so many days later, or earlier for a number below zero; of ``distantFuture`` and ``distantPast`` they themselves.
    ///
    /// - Returns: `nil` for a day that the server does not have.
    public func adding(days: Int) -> CalendarDate? {
        guard components != nil else { return self }
        let (sum, overflows) = Int64(daysSince2000).addingReportingOverflow(Int64(days))
        return overflows || !Self.range.contains(sum) ? nil : CalendarDate(daysSince2000: Int32(sum))
    }

    /// How many days it is to another day; `nil` to or from ``distantFuture`` and ``distantPast``.
    public func days(to other: CalendarDate) -> Int? {
        components == nil || other.components == nil ? nil : Int(other.daysSince2000) - Int(daysSince2000)
    }
}

extension CalendarDate: Comparable {
    /// Whether the day comes before another.
    public static func < (lhs: CalendarDate, rhs: CalendarDate) -> Bool { lhs.daysSince2000 < rhs.daysSince2000 }
}

extension CalendarDate: LosslessStringConvertible {
    /// `1979-08-17`, `0044-03-15 BC`, `infinity` or `-infinity`.
    public var description: String {
        if self == .distantFuture { return "infinity" }
        if self == .distantPast { return "-infinity" }
        let (day, isBeforeChrist) = GregorianDay.text(daysSince2000: Int64(daysSince2000))
        return day + (isBeforeChrist ? " BC" : "")
    }

    /// The day of a text as ``description`` writes it; `nil` for any other.
    public init?(_ description: String) {
        switch description {
        case "infinity": self = .distantFuture
        case "-infinity": self = .distantPast
        default:
            let isBeforeChrist = description.hasSuffix(" BC")
            let parts = (isBeforeChrist ? description.dropLast(3) : description[...])
                .split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].utf8.count >= 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2,
                parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
                let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year > 0
            else { return nil }
            self.init(year: isBeforeChrist ? 1 - year : year, month: month, day: day)
        }
    }
}

extension CalendarDate: Codable {
    /// Reads the text that ``description`` writes.
    public init(from decoder: any Decoder) throws { self = try decoder.losslessText() }

    /// Writes the ``description``.
    public func encode(to encoder: any Encoder) throws { try encoder.write(text: description) }
}

extension CalendarDate: PostgresCodable {
    /// `date`.
    @inlinable public static var postgresType: PostgresType { .date }

    /// Four bytes: days since 2000-01-01.
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) { buffer.appendInteger(daysSince2000) }

    /// Reads four bytes.
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard postgresBytes.count == 4 else {
            throw .wrongLength("CalendarDate", expected: "4", got: postgresBytes.count)
        }
        daysSince2000 = Int32(bigEndian: postgresBytes.loadUnaligned(as: Int32.self))
    }
}

extension Decoder {
    /// A value that is one text.
    func losslessText<Value: LosslessStringConvertible>() throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Value(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The text is no \(Value.self).")
        }
        return value
    }
}

extension Encoder {
    /// Writes a value that is one text.
    func write(text: String) throws {
        var container = singleValueContainer()
        try container.encode(text)
    }
}
