/// A span of the calendar: months, days and a time, each with a sign of its own. Stored as `interval`.
///
/// ```swift
/// subscription.renewal = CalendarInterval(months: 1)
/// ```
///
/// The three are kept apart, because how long a month or a day is depends on where one counts from. Two intervals are the same when all three are.
/// The server calls a month equal to 30 days and a day equal to 24 hours, so predicates do not compare intervals: they are refused, with the
/// property. Its text is that of ISO 8601, which the server reads: `P1Y2M3DT4H5M6.5S`; so are its JSON and its field of a CSV file.
public struct CalendarInterval: Hashable, Sendable {
    /// Twelve of them are a year.
    public var months: Int32
    /// Seven of them are a week.
    public var days: Int32
    /// The time, in millionths of a second.
    public var microseconds: Int64

    /// An interval of these parts.
    public init(months: Int32 = 0, days: Int32 = 0, microseconds: Int64 = 0) {
        (self.months, self.days, self.microseconds) = (months, days, microseconds)
    }

    /// The server's `infinity`, from version 17 on.
    public static let infinity = CalendarInterval(months: .max, days: .max, microseconds: .max)
    /// The server's `-infinity`, from version 17 on.
    public static let negativeInfinity = CalendarInterval(months: .min, days: .min, microseconds: .min)
}

extension CalendarInterval: LosslessStringConvertible {
    /// `P1Y2M3DT4H5M6.5S`, `PT0S` for none, `infinity` or `-infinity`.
    public var description: String {
        if self == .infinity { return "infinity" }
        if self == .negativeInfinity { return "-infinity" }
        func part(_ value: Int64, _ unit: String) -> String { value == 0 ? "" : "\(value)\(unit)" }
        let (years, restOfYear) = months.quotientAndRemainder(dividingBy: 12)
        let day = part(Int64(years), "Y") + part(Int64(restOfYear), "M") + part(Int64(days), "D")
        let (hours, restOfHour) = microseconds.quotientAndRemainder(dividingBy: 3_600_000_000)
        let (minutes, rest) = restOfHour.quotientAndRemainder(dividingBy: 60_000_000)
        let fraction = ClockText.fraction(abs(rest % 1_000_000))
        let seconds = rest == 0 ? "" : (rest < 0 ? "-" : "") + "\(abs(rest / 1_000_000))\(fraction)S"
        let time = part(hours, "H") + part(minutes, "M") + seconds
        if day.isEmpty, time.isEmpty { return "PT0S" }
        return "P" + day + (time.isEmpty ? "" : "T" + time)
    }

    /// The interval of a text as ``description`` writes it, or as the server does by default (`1 year 2 mons 3 days 04:05:06.5`); `nil` for any
    /// other.
    public init?(_ description: String) {
        switch description {
        case "infinity": self = .infinity
        case "-infinity": self = .negativeInfinity
        default:
            var sum = Sum()
            let isRead =
                description.hasPrefix("P") ? sum.read(iso: description.dropFirst()) : sum.read(words: description)
            guard isRead, let months = Int32(exactly: sum.months), let days = Int32(exactly: sum.days) else {
                return nil
            }
            self.init(months: months, days: days, microseconds: sum.microseconds)
        }
    }

    /// What the parts of a text come to.
    private struct Sum {
        var (months, days, microseconds): (Int64, Int64, Int64) = (0, 0, 0)

        /// Behind the `P`: numbers, each with its unit.
        mutating func read(iso text: Substring) -> Bool {
            var (rest, isTime, hasPart) = (text, false, false)
            while let first = rest.first {
                if first == "T" {
                    guard !isTime else { return false }
                    (isTime, hasPart) = (true, false)
                    rest.removeFirst()
                    continue
                }
                let sign: Int64 = first == "-" ? -1 : 1
                if first == "-" || first == "+" { rest.removeFirst() }
                let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
                rest = rest.dropFirst(number.count)
                guard let unit = rest.popFirst() else { return false }
                switch (unit, isTime) {
                case ("Y", false): guard add(number, sign * 12, to: \.months) else { return false }
                case ("M", false): guard add(number, sign, to: \.months) else { return false }
                case ("D", false): guard add(number, sign, to: \.days) else { return false }
                case ("H", true): guard add(number, sign * 3_600_000_000, to: \.microseconds) else { return false }
                case ("M", true): guard add(number, sign * 60_000_000, to: \.microseconds) else { return false }
                case ("S", true):
                    guard let seconds = ClockText.seconds(number), add(seconds, sign, to: \.microseconds) else {
                        return false
                    }
                default: return false
                }
                hasPart = true
            }
            return hasPart
        }

        /// `-1 years +2 mons 3 days -04:05:06`.
        mutating func read(words text: String) -> Bool {
            var words = text.split(separator: " ", omittingEmptySubsequences: false)[...]
            guard !words.isEmpty else { return false }
            while var number = words.popFirst() {
                let sign: Int64 = number.first == "-" ? -1 : 1
                if number.first == "-" || number.first == "+" { number.removeFirst() }
                if number.contains(":") {
                    guard words.isEmpty, let time = ClockText.microseconds(number) else { return false }
                    return add(time, sign, to: \.microseconds)
                }
                switch words.popFirst() {
                case "year", "years": guard add(number, sign * 12, to: \.months) else { return false }
                case "mon", "mons": guard add(number, sign, to: \.months) else { return false }
                case "day", "days": guard add(number, sign, to: \.days) else { return false }
                default: return false
                }
            }
            return true
        }

        private mutating func add(_ text: Substring, _ factor: Int64, to part: WritableKeyPath<Sum, Int64>) -> Bool {
            ClockText.whole(text).map { add($0, factor, to: part) } ?? false
        }

        private mutating func add(_ value: Int64, _ factor: Int64, to part: WritableKeyPath<Sum, Int64>) -> Bool {
            let (product, overflows) = value.multipliedReportingOverflow(by: factor)
            let (sum, isBeyond) = self[keyPath: part].addingReportingOverflow(product)
            self[keyPath: part] = sum
            return !overflows && !isBeyond
        }
    }
}

extension CalendarInterval: Codable {
    /// Reads the text that ``description`` writes.
    public init(from decoder: any Decoder) throws { self = try decoder.losslessText() }

    /// Writes the ``description``.
    public func encode(to encoder: any Encoder) throws { try encoder.write(text: description) }
}

extension CalendarInterval: PostgresCodable {
    /// `interval`.
    @inlinable public static var postgresType: PostgresType { .interval }

    /// Sixteen bytes: microseconds, days, months.
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendInteger(microseconds)
        buffer.appendInteger(days)
        buffer.appendInteger(months)
    }

    /// Reads sixteen bytes.
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard postgresBytes.count == 16 else {
            throw .wrongLength("CalendarInterval", expected: "16", got: postgresBytes.count)
        }
        microseconds = Int64(bigEndian: postgresBytes.loadUnaligned(as: Int64.self))
        days = Int32(bigEndian: postgresBytes.loadUnaligned(fromByteOffset: 8, as: Int32.self))
        months = Int32(bigEndian: postgresBytes.loadUnaligned(fromByteOffset: 12, as: Int32.self))
    }
}
