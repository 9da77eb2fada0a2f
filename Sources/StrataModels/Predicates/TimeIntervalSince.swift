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
        /// In the database these two are numbers within a `Codable` value, and finite there.
        /// Throws ``SwiftDataError`` with the code `invalidValue` for a date that the database cannot hold, and what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> TimeInterval {
            let (end, start) = (try Self.moment(lhs.evaluate(bindings)), try Self.moment(rhs.evaluate(bindings)))
            guard let end, let start else {
                return Self.seconds(end, try lhs.evaluate(bindings)) - Self.seconds(start, try rhs.evaluate(bindings))
            }
            let (difference, overflows) = end.subtractingReportingOverflow(start)
            return (overflows ? Double(end) - Double(start) : Double(difference)) / 1_000_000
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

        private static func seconds(_ moment: Int64?, _ date: Date) -> Double {
            if let moment { return Double(moment) / 1_000_000 }
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
