import Foundation
import StrataClient
import StrataModels

extension ValueArgument {
    /// The first moment of the hour, day, week, month, quarter or year that a date is in.
    func truncated(to unit: QueryDateUnit, in timeZone: TimeZone) throws -> ValueArgument {
        guard case .expression(var date, _) = self, let moment = date.moment else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(path) is no date that SQL can read, so its \(unit.rawValue) cannot be told there. Keep the date in a property of its own."
            )
        }
        date.sql = "date_trunc('\(raw: unit.rawValue)', \(moment), \(bind: timeZone.postgresName))"
        (date.type, date.form, date.shape) = (.timestamptz, .plain, .atom)
        return .expression(date, nil)
    }
}

extension SQLExpression {
    /// The date as a `timestamptz`: of a column, or of a part of a document. `nil` where it is none.
    fileprivate var moment: SQLFragment? {
        if type == .timestamptz, form == .plain { return sql }
        return documentSeconds.map { "to_timestamp(\($0))" }
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
