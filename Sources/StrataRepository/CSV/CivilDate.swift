/// A day of the Gregorian calendar, before its beginning too.
///
/// Of Foundation's calendars none counts all days that PostgreSQL knows in one way.
struct CivilDate {
    let year: Int64
    let month: Int64
    let day: Int64

    /// Days of 400 years, after which the calendar repeats itself.
    private static let daysOfEra: Int64 = 146_097
    /// From the first of March of year 0, where eras begin, to 2001-01-01. Leap days are then the last ones of their years.
    private static let daysToReferenceDate: Int64 = 730_791

    /// `nil` for a day that the month does not have.
    init?(year: Int64, month: Int64, day: Int64) {
        (self.year, self.month, self.day) = (year, month, day)
        guard (1...12).contains(month), day >= 1, CivilDate(daysSinceReferenceDate: daysSinceReferenceDate).day == day
        else { return nil }
    }

    init(daysSinceReferenceDate: Int64) {
        let days = daysSinceReferenceDate + Self.daysToReferenceDate
        let era = days / Self.daysOfEra - (days % Self.daysOfEra < 0 ? 1 : 0)
        let dayOfEra = days - era * Self.daysOfEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // Five months from March on have 153 days.
        let monthOfYear = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthOfYear + 2) / 5 + 1
        month = monthOfYear < 10 ? monthOfYear + 3 : monthOfYear - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSinceReferenceDate: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400 - (shifted % 400 < 0 ? 1 : 0)
        let yearOfEra = shifted - era * 400
        let monthOfYear = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthOfYear + 2) / 5 + day - 1
        return era * Self.daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - Self.daysToReferenceDate
    }

    /// As ISO 8601 has it: with a sign where the year does not have four digits.
    var text: String {
        let sign = year < 0 ? "-" : year > 9999 ? "+" : ""
        return "\(sign)\(abs(year).digits(4))-\(month.digits(2))-\(day.digits(2))"
    }
}

extension Int64 {
    /// The decimal digits of a number that is not negative, with zeros before them: at least so many.
    func digits(_ count: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, count - text.count)) + text
    }
}
