import Foundation
import StrataClient
import StrataModels

extension ValueArgument {
    /// The first moment of the hour, day, week, month, quarter or year that a date is in.
    func truncated(to unit: QueryDateUnit, in timeZone: TimeZone) throws -> ValueArgument {
        guard case .expression(var date, _) = self, date.type == .timestamptz, date.form == .plain else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(path) has no column of the type timestamptz, so its \(unit.rawValue) cannot be told in SQL. Keep the date in a property "
                    + "of its own.")
        }
        date.sql = "date_trunc('\(raw: unit.rawValue)', \(date.sql), \(bind: timeZone.postgresName))"
        date.shape = .atom
        return .expression(date, nil)
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
