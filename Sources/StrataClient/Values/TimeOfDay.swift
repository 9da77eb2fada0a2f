/// A time of day, without a day and without a time zone: when a shop opens. Stored as `time`, to the microsecond.
///
/// ```swift
/// shop.opens = TimeOfDay(hour: 9, minute: 30)
/// ```
///
/// The end of the day, `24:00:00`, is a value of its own, after every other. Its text is the server's: `09:30:00`, `09:30:00.25`; so are its
/// JSON and its field of a CSV file.
public struct TimeOfDay: Hashable, Sendable {
    /// Microseconds since midnight, from 0 to 86,400,000,000.
    public let microseconds: Int64

    /// `00:00:00`.
    public static let midnight = TimeOfDay(unchecked: 0)
    /// `24:00:00`, the end of the day.
    public static let endOfDay = TimeOfDay(unchecked: 86_400_000_000)

    private init(unchecked microseconds: Int64) { self.microseconds = microseconds }

    /// The time so many microseconds after midnight.
    ///
    /// - Returns: `nil` for less than 0, or more than a day.
    public init?(microseconds: Int64) {
        guard (0...Self.endOfDay.microseconds).contains(microseconds) else { return nil }
        self.microseconds = microseconds
    }

    /// A time on the clock.
    ///
    /// - Returns: `nil` for a number that no clock shows; 24 hours are shown with nothing behind them.
    public init?(hour: Int, minute: Int, second: Int = 0, microsecond: Int = 0) {
        guard (0...24).contains(hour), (0...59).contains(minute), (0...59).contains(second),
            (0...999_999).contains(microsecond)
        else { return nil }
        self.init(
            microseconds: ((Int64(hour) * 60 + Int64(minute)) * 60 + Int64(second)) * 1_000_000 + Int64(microsecond))
    }

    /// From 0 to 24.
    public var hour: Int { Int(microseconds / 3_600_000_000) }
    /// From 0 to 59.
    public var minute: Int { Int(microseconds / 60_000_000 % 60) }
    /// From 0 to 59.
    public var second: Int { Int(microseconds / 1_000_000 % 60) }
    /// What is left of a second, from 0 to 999,999.
    public var microsecond: Int { Int(microseconds % 1_000_000) }
}

extension TimeOfDay: Comparable {
    /// Whether the time comes before another of the same day.
    public static func < (lhs: TimeOfDay, rhs: TimeOfDay) -> Bool { lhs.microseconds < rhs.microseconds }
}

extension TimeOfDay: LosslessStringConvertible {
    /// `09:30:00`, and `09:30:00.25` where there are parts of a second.
    public var description: String { ClockText.text(microseconds) }

    /// The time of a text as ``description`` writes it; `nil` for any other.
    public init?(_ description: String) {
        guard description.utf8.prefix(3).count == 3, description.utf8.dropFirst(2).first == UInt8(ascii: ":"),
            let microseconds = ClockText.microseconds(description[...])
        else { return nil }
        self.init(microseconds: microseconds)
    }
}

extension TimeOfDay: Codable {
    /// Reads the text that ``description`` writes.
    public init(from decoder: any Decoder) throws { self = try decoder.losslessText() }

    /// Writes the ``description``.
    public func encode(to encoder: any Encoder) throws { try encoder.write(text: description) }
}

extension TimeOfDay: PostgresCodable {
    /// `time`.
    @inlinable public static var postgresType: PostgresType { .time }

    /// Eight bytes: microseconds since midnight.
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) { buffer.appendInteger(microseconds) }

    /// Reads eight bytes; throws for a time that no day has.
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard postgresBytes.count == 8 else {
            throw .wrongLength("TimeOfDay", expected: "8", got: postgresBytes.count)
        }
        guard let time = TimeOfDay(microseconds: Int64(bigEndian: postgresBytes.loadUnaligned(as: Int64.self))) else {
            throw .outOfRange(decoding: "TimeOfDay")
        }
        self = time
    }
}

/// Hours, minutes and seconds as the server writes them.
enum ClockText {
    /// `09:30:00.25`, of a number that is not below zero.
    static func text(_ microseconds: Int64) -> String {
        let clock = [microseconds / 3_600_000_000, microseconds / 60_000_000 % 60, microseconds / 1_000_000 % 60]
        return clock.map { GregorianDay.padded($0, 2) }.joined(separator: ":") + fraction(microseconds % 1_000_000)
    }

    /// `.25` of 250,000 microseconds, and nothing of none.
    static func fraction(_ microseconds: Int64) -> String {
        guard microseconds > 0 else { return "" }
        var digits = GregorianDay.padded(microseconds, 6)
        while digits.last == "0" { digits.removeLast() }
        return "." + digits
    }

    /// Reads `09:30:00.25`; the hours may be any number. `nil` for anything else.
    static func microseconds(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].utf8.count == 2, parts[0].utf8.count >= 2, let hours = whole(parts[0]),
            let minutes = whole(parts[1]), let seconds = seconds(parts[2]), minutes < 60, seconds < 60_000_000,
            parts[2].prefix(while: { $0 != "." }).utf8.count == 2
        else { return nil }
        let (large, overflows) = hours.multipliedReportingOverflow(by: 3_600_000_000)
        let (sum, isBeyond) = large.addingReportingOverflow(minutes * 60_000_000 + seconds)
        return overflows || isBeyond ? nil : sum
    }

    /// Seconds with up to six digits behind the point, in microseconds.
    static func seconds(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = whole(parts[0]) else { return nil }
        let (large, overflows) = whole.multipliedReportingOverflow(by: 1_000_000)
        guard !overflows else { return nil }
        guard parts.count == 2 else { return large }
        guard (1...6).contains(parts[1].utf8.count), var fraction = self.whole(parts[1]) else { return nil }
        for _ in parts[1].utf8.count..<6 { fraction *= 10 }
        let (sum, isBeyond) = large.addingReportingOverflow(fraction)
        return isBeyond ? nil : sum
    }

    /// A number of digits only.
    static func whole(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
