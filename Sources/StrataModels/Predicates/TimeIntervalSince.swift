// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
import StrataClient

extension PredicateExpressions {
    /// `timeIntervalSince`: how many seconds one date is after another.
    public struct TimeIntervalSince<LHS: PredicateExpression, RHS: PredicateExpression>: PredicateExpression
    where LHS.Output == Date, RHS.Output == Date {
        /// What the node evaluates to.
        public typealias Output = TimeInterval

        package let lhs: LHS
        package let rhs: RHS

        package init(lhs: LHS, rhs: RHS) {
            self.lhs = lhs
            self.rhs = rhs
        }

        /// Evaluates the node in memory, in whole microseconds, as dates are stored: those of `.distantFuture` and `.distantPast` are infinite.
        /// A date within a `Codable` value that was made with nanoseconds, as `Date()` is, may be a microsecond away from what the database has of
        /// it, until it is read again: JSON has seconds since 1970, with fewer digits than the seconds since 2001 of a `Date`.
        /// Throws ``SwiftDataError`` with the code `invalidValue` for a date that the database cannot hold, and what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> TimeInterval {
            let (later, earlier) = (try lhs.evaluate(bindings), try rhs.evaluate(bindings))
            guard let end = try Self.moment(later), let start = try Self.moment(earlier) else {
                return try Self.distance(of: later) - Self.distance(of: earlier)
            }
            return Self.seconds(Int128(end) - Int128(start))
        }

        /// `nil` for one of the two dates that are no moment.
        private static func moment(_ date: Date) throws -> Int64? {
            do {
                let moment = try date.postgresMicroseconds
                return moment == .max || moment == .min ? nil : moment
            } catch {
                throw SwiftDataError(
                    .invalidValue, "The time between two dates cannot be computed: \(error.message)", underlying: error)
            }
        }

        /// Microseconds as the nearest number of seconds, as the server rounds them: once.
        private static func seconds(_ microseconds: Int128) -> Double {
            // Up to here both numbers of the quotient are exact.
            if microseconds.magnitude <= 1 << 53 { return Double(microseconds) / 1_000_000 }
            // Reading a text rounds once, as the server does with its decimal number.
            let (seconds, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
            let fraction = String(repeating: "0", count: 6 - String(rest).count) + String(rest)
            return Double("\(microseconds < 0 ? "-" : "")\(seconds).\(fraction)") ?? .nan
        }

        /// Infinite for the two dates that are no moment; for others any number.
        private static func distance(of date: Date) throws -> Double {
            guard try moment(date) == nil else { return 0 }
            return date > .distantPast ? .infinity : -.infinity
        }
    }

    /// Builds `lhs.timeIntervalSince(rhs)`.
    public static func build_timeIntervalSince<LHS, RHS>(_ lhs: LHS, _ rhs: RHS) -> TimeIntervalSince<LHS, RHS>
    where LHS: PredicateExpression<Date>, RHS: PredicateExpression<Date> {
        TimeIntervalSince(lhs: lhs, rhs: rhs)
    }
}

extension PredicateExpressions.TimeIntervalSince: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.TimeIntervalSince: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.TimeIntervalSince: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
