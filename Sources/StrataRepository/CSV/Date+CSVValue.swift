public import Foundation

/// ISO 8601 in UTC, with microseconds where there are any. Read with any offset.
///
/// Years are those of the Gregorian calendar, before its beginning too, as PostgreSQL's are. From year 10000 on, and before year 0 (which is
/// 1 BC), they have a sign: `+12026-11-24T18:30:00Z`.
extension Date: CSVValue {
    /// What a field has to look like.
    public static var csvTypeName: String { "Date, as in 2026-11-24T18:30:00Z" }

    /// The date in UTC.
    public var csvField: String? {
        let whole = timeIntervalSinceReferenceDate.rounded(.down)
        guard abs(whole) < 1e15 else { return "\(timeIntervalSinceReferenceDate)" }
        // Apart from each other, so that the product does not round a second time.
        let microseconds = Int64(((timeIntervalSinceReferenceDate - whole) * 1_000_000).rounded())
        let (seconds, fraction) = microseconds == 1_000_000 ? (Int64(whole) + 1, 0) : (Int64(whole), microseconds)
        let days = (seconds / 86_400) - (seconds % 86_400 < 0 ? 1 : 0)
        let time = seconds - days * 86_400
        let date = CivilDate(daysSinceReferenceDate: days)
        return "\(date.text)T\((time / 3600).digits(2)):\((time / 60 % 60).digits(2)):\((time % 60).digits(2))"
            + (fraction == 0 ? "" : ".\(fraction.digits(6))") + "Z"
    }

    /// The date; `nil` without a time and an offset.
    public init?(csvField: String?) {
        guard let csvField,
            let match = csvField.wholeMatch(
                of:
                    /([+-]?[0-9]{4,6})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]{1,9})?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))/
            )
        else { return nil }
        func number(_ text: Substring?) -> Int64 { text.flatMap { Int64($0) } ?? 0 }
        let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
        let (offsetHours, offsetMinutes) = (number(match.9), number(match.10))
        // A leap second is the next minute's first.
        guard hour < 24, minute < 60, second <= 60, offsetHours < 16, offsetMinutes < 60,
            let date = CivilDate(year: number(match.1), month: number(match.2), day: number(match.3))
        else { return nil }
        let offset = (offsetHours * 3600 + offsetMinutes * 60) * (match.8 == "-" ? -1 : 1)
        let seconds = date.daysSinceReferenceDate * 86_400 + hour * 3600 + minute * 60 + second - offset
        let fraction = ((match.7.flatMap { Double("0\($0)") } ?? 0) * 1_000_000).rounded()
        // One division where the microseconds are a Double: the same date as the column gives. Dates of which the next microsecond is no other
        // are a sum.
        self.init(
            timeIntervalSinceReferenceDate: abs(seconds) < 9_000_000_000
                ? (Double(seconds) * 1_000_000 + fraction) / 1_000_000 : Double(seconds) + fraction / 1_000_000)
    }
}
