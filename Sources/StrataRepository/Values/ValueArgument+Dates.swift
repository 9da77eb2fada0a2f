import Foundation
import StrataClient
import StrataModels

extension ValueArgument {
    /// What of the calendar stands for a date.
    func part(_ calendar: CalendarPart) throws -> ValueArgument {
        guard case .expression(var date, _) = self, let moment = date.moment else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(path) is no date that SQL can read, so its \(calendar.name) cannot be told there. Keep the date in a property of its own."
            )
        }
        let timeZone = calendar.timeZone.postgresName
        switch calendar.part {
        case .beginning(let unit):
            date.sql = "date_trunc('\(raw: unit.rawValue)', \(moment), \(bind: timeZone))"
            date.type = .timestamptz
        case .component(let component):
            let number: SQLFragment =
                "EXTRACT(\(raw: component.field) FROM (\(date.finiteMoment ?? moment)) AT TIME ZONE \(bind: timeZone))"
            // The server counts from 0, Foundation from 1; both begin with Sunday.
            date.sql = component == .weekday ? "(\(number) + 1)::bigint" : "\(number)::bigint"
            (date.type, date.swiftType) = (.int8, Int.self)
        }
        (date.form, date.shape) = (.plain, .atom)
        return .expression(date, nil)
    }
}

extension CalendarPart {
    /// For messages.
    fileprivate var name: String {
        switch part {
        case .beginning(let unit): unit.rawValue
        case .component(let component): component.rawValue
        }
    }
}

extension QueryDateComponent {
    /// What PostgreSQL calls it (manual 9.9.1).
    fileprivate var field: String {
        switch self {
        case .year, .quarter, .month, .day, .hour, .minute: rawValue
        case .weekday: "dow"
        case .dayOfYear: "doy"
        case .weekOfYear: "week"
        case .yearForWeekOfYear: "isoyear"
        }
    }
}

extension SQLExpression {
    /// The date as a `timestamptz`: of a column, or of a part of a document. `nil` where it is none.
    fileprivate var moment: SQLFragment? {
        if type == .timestamptz, form == .plain { return sql }
        return documentSeconds.map { "to_timestamp(\($0))" }
    }

    /// A column's date as a moment that has a place in the calendar: the server's two infinities have none, and are the two ends in Swift. A document
    /// has those as numbers.
    fileprivate var finiteMoment: SQLFragment? {
        guard type == .timestamptz, form == .plain else { return nil }
        func end(_ date: Date) -> SQLFragment { "to_timestamp(\(raw: String(Int(date.timeIntervalSince1970))))" }
        return """
            CASE \(operand) WHEN 'infinity' THEN \(end(.distantFuture)) WHEN '-infinity' THEN \(end(.distantPast)) ELSE \(operand) END
            """
    }
}

extension TimeZone {
    /// What PostgreSQL calls the time zone.
    ///
    /// A time zone that is nothing but a distance from GMT is written as POSIX writes it, in which positive is west (manual, B.5).
    fileprivate var postgresName: String {
        guard identifier.hasPrefix("GMT") else { return identifier }
        let seconds = secondsFromGMT()
        guard seconds != 0 else { return "UTC" }
        let distance = abs(seconds)
        let clock = String(format: "%02d:%02d:%02d", distance / 3600, distance / 60 % 60, distance % 60)
        return "<local>\(seconds > 0 ? "-" : "+")\(clock)"
    }
}
