import StrataClient

/// Arithmetic with floating-point numbers as Swift does it (IEEE 754): what is too large is infinite, what is too small is
/// zero, and a division by zero is infinite or NaN.
///
/// PostgreSQL does the same arithmetic but makes these results errors of the whole statement, so that one row would fail
/// a fetch for all. The operands get names, so that the text grows no faster than the predicate (and so that the planner
/// computes no branch ahead of time: `OFFSET 0`), and an operation whose result would be an error is not carried out.
/// Whether it would be is asked with the operands multiplied by powers of two, which is exact.
enum FloatArithmetic {
    /// `nil` for other numbers.
    static func sql(
        _ left: SQLExpression, _ op: String, _ right: SQLExpression, _ aliases: AliasGenerator
    ) -> SQLFragment? {
        switch left.type {
        case .float8: return named(left.sql, right.sql, op, aliases)
        case .float4:
            // In double precision nothing overflows, and rounding twice gives what rounding once does.
            let wide = named("\(left.operand)::double precision", "\(right.operand)::double precision", op, aliases)
            let alias = aliases.alias()
            return "(SELECT \(narrow("\(alias).d")) FROM (SELECT \(wide) AS d OFFSET 0) AS \(alias))"
        default: return nil
        }
    }

    private static func named(
        _ left: SQLFragment, _ right: SQLFragment, _ op: String, _ aliases: AliasGenerator
    ) -> SQLFragment {
        let alias = aliases.alias()
        let (a, b): (SQLFragment, SQLFragment) = ("\(alias).a", "\(alias).b")
        let result =
            switch op {
            case "+": sum(a, "+", b)
            case "-": sum(a, "-", b)
            case "*": product(a, b)
            default: quotient(a, b)
            }
        return "(SELECT \(result) FROM (SELECT \(left) AS a, \(right) AS b OFFSET 0) AS \(alias))"
    }

    private static func sum(_ a: SQLFragment, _ op: String, _ b: SQLFragment) -> SQLFragment {
        let plain: SQLFragment = "\(a) \(raw: op) \(b)"
        return """
            CASE WHEN abs(\(a)) < \(0x1p1023) AND abs(\(b)) < \(0x1p1023) THEN \(plain) \
            WHEN \(isBetween(a, 1)) AND \(isBetween(b, 1)) THEN \
            CASE WHEN abs(\(a) * \(0.5) \(raw: op) \(b) * \(0.5)) >= \(0x1p1023) THEN sign(\(a)) * \(.infinity) ELSE \(plain) END \
            ELSE \(plain) END
            """
    }

    private static func product(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment {
        let plain: SQLFragment = "\(a) * \(b)"
        let sign: SQLFragment = "sign(\(a)) * sign(\(b))"
        let (least, greatest): (SQLFragment, SQLFragment) = (
            "least(abs(\(a)), abs(\(b)))", "greatest(abs(\(a)), abs(\(b)))"
        )
        return """
            CASE WHEN \(isOrdinary(a)) AND \(isOrdinary(b)) THEN \(plain) \
            WHEN \(isBetween(a, 1)) AND \(isBetween(b, 1)) THEN \
            CASE WHEN abs((\(a) * \(0x1p-512)) * (\(b) * \(0x1p-512))) >= \(1) THEN \(sign) * \(.infinity) ELSE \(plain) END \
            WHEN abs(\(a)) < \(1) AND abs(\(b)) < \(1) AND \(a) <> 0 AND \(b) <> 0 AND \(least) < \(0x1p-537) THEN \
            CASE WHEN (\(least) * \(0x1p540)) * (\(greatest) * \(0x1p535)) <= \(1) THEN \(sign) * \(0) ELSE \(plain) END \
            ELSE \(plain) END
            """
    }

    private static func quotient(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment {
        let plain: SQLFragment = "\(a) / \(b)"
        let sign: SQLFragment = "sign(\(a)) * sign(\(b))"
        return """
            CASE WHEN \(isOrdinary(a)) AND \(isOrdinary(b)) THEN \(plain) \
            WHEN \(b) = 0 THEN CASE WHEN \(a) = 0 OR \(a) = \(.nan) THEN \(.nan) \
            WHEN (\(a) < 0) <> (\(b)::text = '-0') THEN \(-.infinity) ELSE \(.infinity) END \
            WHEN \(isBetween(a, 0x1p-51)) AND abs(\(b)) < \(1) AND (abs(\(a)) >= \(1) OR abs(\(b)) < \(0x1p-1000)) THEN \
            CASE WHEN abs((\(a) * \(0x1p-537)) / (\(b) * \(0x1p537))) >= \(0x1p-50) THEN \(sign) * \(.infinity) ELSE \(plain) END \
            WHEN abs(\(a)) < \(0x1p-51) AND \(a) <> 0 AND \(isBetween(b, 1)) THEN \
            CASE WHEN abs((\(a) * \(0x1p537)) / (\(b) * \(0x1p-537))) <= \(0.5) THEN \(sign) * \(0) ELSE \(plain) END \
            ELSE \(plain) END
            """
    }

    /// A number in double precision as a `Float`.
    private static func narrow(_ d: SQLFragment) -> SQLFragment {
        // Half a unit in the last place above the greatest Float; half of the smallest one.
        """
        CASE WHEN \(isBetween(d, 0x1.ffffffp127)) THEN (sign(\(d)) * \(.infinity))::real \
        WHEN abs(\(d)) <= \(0x1p-150) AND \(d) <> 0 THEN (sign(\(d)) * \(0))::real ELSE (\(d))::real END
        """
    }

    /// Neither very large nor very small: no operation with two of these overflows.
    private static func isOrdinary(_ a: SQLFragment) -> SQLFragment {
        "abs(\(a)) >= \(0x1p-500) AND abs(\(a)) <= \(0x1p500)"
    }

    /// From `lower` on, but neither infinite nor NaN, which PostgreSQL has above infinity.
    private static func isBetween(_ a: SQLFragment, _ lower: Double) -> SQLFragment {
        "abs(\(a)) >= \(lower) AND abs(\(a)) < \(.infinity)"
    }
}

extension SQLFragment.StringInterpolation {
    /// A constant of this file: never a value of a program.
    fileprivate mutating func appendInterpolation(_ constant: Double) {
        let text = constant.isNaN ? "NaN" : constant.isInfinite ? (constant < 0 ? "-" : "") + "Infinity" : "\(constant)"
        appendInterpolation(raw: "'\(text)'::double precision")
    }
}
