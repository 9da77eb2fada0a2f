/// Days of the Gregorian calendar as PostgreSQL counts them: also before there was that calendar, and with a year 0, which is 1 BC.
package enum GregorianDay {
    /// Days since 2000-01-01, counted in years that begin in March. A day that its month does not have is one of the next month.
    package static func daysSince2000(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 730_425
    }

    /// The day that so many days after 2000-01-01 are. Eras of 400 years begin on 1 March.
    package static func components(daysSince2000 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 730_425
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// `2026-11-24`, and `0044-03-15 BC`, as the server writes a day: what stands before ` BC`, and whether it does.
    package static func text(daysSince2000 days: Int64) -> (day: String, isBeforeChrist: Bool) {
        let (year, month, day) = components(daysSince2000: days)
        let text = "\(padded(year <= 0 ? 1 - year : year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        return (text, year <= 0)
    }

    /// The number with zeros in front of it.
    package static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = "\(value)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
