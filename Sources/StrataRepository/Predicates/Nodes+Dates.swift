import Foundation
import StrataClient
import StrataModels

extension PredicateExpressions.TimeIntervalSince: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let (end, start) = (try translation.operand(lhs), try translation.operand(rhs))
        if end.isConstant, start.isConstant { return try computed(in: translation) }
        let (later, earlier) = (try translation.seconds(of: end), try translation.seconds(of: start))
        return .value(
            SQLExpression(
                sql: "(\(later.sql) - \(earlier.sql))::float8", type: .float8,
                nullness: later.isNullable || earlier.isNullable ? .none : .never,
                requires: later.requires.union(earlier.requires),
                path: later.path.isEmpty ? earlier.path : later.path))
    }
}

extension Translation {
    /// How many seconds a date is from 1970, as a `numeric`: in whole microseconds, and infinitely many at the two ends, as
    /// `Date.postgresMicroseconds` has it in memory.
    fileprivate func seconds(of operand: PredicateOperand) throws -> SQLExpression {
        var value = try value(operand)
        switch value.form {
        case .plain:
            // Timestamps without end, which are infinitely far away, cannot be subtracted before PostgreSQL 17, but numbers can. In a time zone
            // that is said, so that nothing depends on a setting and an index may have it.
            value.sql = "EXTRACT(epoch FROM \(value.operand) AT TIME ZONE 'UTC')"
        case .secondsSince1970:
            // A document has a date as the number that it is in Swift, which no column has seen. Halves of a microsecond are rounded up; what is
            // less than a second apart from the seconds, since the product of both has fewer digits.
            let number = value.operand
            value.sql = """
                CASE \(number) WHEN \(raw: Self.seconds(of: .distantFuture)) THEN 'Infinity'::numeric \
                WHEN \(raw: Self.seconds(of: .distantPast)) THEN '-Infinity'::numeric \
                ELSE floor(\(number))::numeric + floor((\(number) - floor(\(number))) * 1000000 + 0.5)::numeric * 0.000001 END
                """
        default: throw unsupported("the time since \(value.path), which is not stored as a date,")
        }
        (value.form, value.type, value.shape) = (.plain, .numeric, .atom)
        return value
    }

    /// One of the two ends of time, which are whole seconds.
    private static func seconds(of end: Date) -> String { String(Int(end.timeIntervalSince1970)) }
}
