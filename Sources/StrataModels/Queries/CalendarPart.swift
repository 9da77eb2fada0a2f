package import Foundation

/// What of the calendar stands for a date in a query, in a time zone.
package struct CalendarPart: Equatable, Sendable {
    package enum Part: Equatable, Sendable {
        /// The first moment of the hour, day, … that the date is in.
        case beginning(QueryDateUnit)
        case component(QueryDateComponent)
    }

    package let part: Part
    package let timeZone: TimeZone
}
