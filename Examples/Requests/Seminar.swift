import Strata

@Model
final class Seminar {
    #Index<Seminar>(.gist([\.days]))

    var title: String
    var days: PostgresRange<CalendarDate>

    init(title: String, days: PostgresRange<CalendarDate>) {
        self.title = title
        self.days = days
    }
}

/// The seminars that are held on a day, and those that last into the holidays.
func seminars(on day: CalendarDate, or holidays: PostgresRange<CalendarDate>) -> FetchDescriptor<Seminar> {
    FetchDescriptor<Seminar>(
        predicate: #Predicate { $0.days.contains(day) || $0.days.overlaps(holidays) })
}
