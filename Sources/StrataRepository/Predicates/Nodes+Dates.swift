import Foundation
import StrataClient
import StrataModels

extension PredicateExpressions.TimeIntervalSince: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let (end, start) = (try translation.operand(lhs), try translation.operand(rhs))
        if end.isConstant, start.isConstant { return try computed(in: translation) }
        let (later, earlier) = (try translation.moment(end), try translation.moment(start))
        // Seconds of each, exactly: timestamps without end, which are infinitely far away, cannot be subtracted before PostgreSQL 17. In a time
        // zone that is said, so that nothing depends on a setting and an index may have it.
        return .value(
            SQLExpression(
                sql:
                    "(EXTRACT(epoch FROM \(later.operand) AT TIME ZONE 'UTC') - EXTRACT(epoch FROM \(earlier.operand) AT TIME ZONE 'UTC'))::float8",
                type: .float8, nullness: later.isNullable || earlier.isNullable ? .none : .never,
                requires: later.requires.union(earlier.requires),
                path: later.path.isEmpty ? earlier.path : later.path))
    }
}

extension Translation {
    /// An operand that is a date, as a moment of the server's.
    fileprivate func moment(_ operand: PredicateOperand) throws -> SQLExpression {
        var value = try value(operand)
        switch value.form {
        case .plain: return value
        case .secondsSince1970:
            value.sql = "to_timestamp(\(value.sql))"
            (value.form, value.type, value.shape) = (.plain, .timestamptz, .atom)
            return value
        default: throw unsupported("the time since \(value.path), which is not stored as a date,")
        }
    }
}
