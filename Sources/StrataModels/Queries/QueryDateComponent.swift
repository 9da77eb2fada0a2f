/// A number that the calendar has for a date, by the names of Foundation's `Calendar.Component`, in the ISO calendar as PostgreSQL computes it
/// (manual 9.9.1, `EXTRACT`).
public enum QueryDateComponent: String, Sendable, CaseIterable {
    case year
    /// From 1 to 4.
    case quarter
    /// From 1 to 12.
    case month
    /// The day of the month, from 1 on.
    case day
    /// From 0 to 23.
    case hour
    /// From 0 to 59.
    case minute
    /// From 1, which is Sunday, to 7, as Foundation counts.
    case weekday
    /// From 1 on.
    case dayOfYear
    /// The ISO week, from Monday on; the first one has the year's first Thursday.
    case weekOfYear
    /// The year that the ISO week belongs to.
    case yearForWeekOfYear
}
