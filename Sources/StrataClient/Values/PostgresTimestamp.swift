/// A moment as the server has it: microseconds since 2000-01-01 in UTC. No `Date` tells them all apart.
@usableFromInline
package struct PostgresTimestamp: PostgresCodable, Hashable, Comparable, Sendable {
    /// The two ends are the server's infinities.
    package let microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// `timestamptz`.
    @inlinable package static var postgresType: PostgresType { .timestamptz }

    @usableFromInline
    package func encode(into buffer: inout PostgresBuffer) throws(PostgresError) { buffer.appendInteger(microseconds) }

    @usableFromInline
    package init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        self.init(microseconds: try Int64(postgresBytes: postgresBytes))
    }

    @usableFromInline
    package static func < (one: Self, other: Self) -> Bool { one.microseconds < other.microseconds }
}

extension PostgresTimestamp: CustomStringConvertible {
    private static let perDay: Int64 = 86_400_000_000

    /// As the server writes the moment in JSON, in UTC and without a zone: `2026-11-28T01:52:41.5`, `0044-03-15T00:00:00 BC`, `infinity`.
    @usableFromInline package var description: String {
        if microseconds == .max { return "infinity" }
        if microseconds == .min { return "-infinity" }
        let inDay = ((microseconds % Self.perDay) + Self.perDay) % Self.perDay
        let (day, isBeforeChrist) = GregorianDay.text(daysSince2000: (microseconds - inDay) / Self.perDay)
        let seconds = inDay / 1_000_000
        let units: [Int64] = [seconds / 3600, seconds / 60 % 60, seconds % 60]
        let clock = units.map { GregorianDay.padded($0, 2) }
        var fraction = GregorianDay.padded(inDay % 1_000_000, 6)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return day + "T" + clock.joined(separator: ":") + (fraction.isEmpty ? "" : "." + fraction)
            + (isBeforeChrist ? " BC" : "")
    }

    /// Reads what ``description`` writes, and nothing else.
    package init?(_ text: String) {
        let parts = text.wholeMatch(
            of: /([0-9]{4,6})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,6}))?( BC)?/)
        guard let parts, let year = Int64(parts.1), let month = Int64(parts.2), let day = Int64(parts.3),
            let hours = Int64(parts.4), let minutes = Int64(parts.5), let seconds = Int64(parts.6)
        else {
            guard text == "infinity" || text == "-infinity" else { return nil }
            self.init(microseconds: text == "infinity" ? .max : .min)
            return
        }
        let days = GregorianDay.daysSince2000(year: parts.8 == nil ? year : 1 - year, month: month, day: day)
        let digits = parts.7.map(String.init) ?? ""
        let fraction = Int64(digits + String(repeating: "0", count: 6 - digits.count)) ?? 0
        // A year of six digits is beyond what the server has, and no product of it overflows but that with days.
        let (start, overflows) = days.multipliedReportingOverflow(by: Self.perDay)
        let minute: Int64 = hours * 60 + minutes
        let inDay: Int64 = (minute * 60 + seconds) * 1_000_000 + fraction
        let (moment, overflowsToo) = start.addingReportingOverflow(inDay)
        guard !overflows, !overflowsToo else { return nil }
        self.init(microseconds: moment)
        guard description.utf8.elementsEqual(text.utf8) else { return nil }
    }
}
