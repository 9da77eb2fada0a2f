public import Foundation

/// A part of the calendar by which dates are grouped, as the ISO calendar of PostgreSQL has it (manual 9.9.2, `date_trunc`).
public enum QueryDateUnit: String, Sendable, CaseIterable {
    case hour
    case day
    /// From Monday on.
    case week
    case month
    case quarter
    case year
}

/// `Date` or `Date?`: what can be grouped by parts of the calendar.
public protocol QueryDate: Sendable {}
extension Date: QueryDate {}
extension Date?: QueryDate {}
