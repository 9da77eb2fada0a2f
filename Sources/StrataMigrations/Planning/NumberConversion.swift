import StrataRepository

/// How numbers of one PostgreSQL type become numbers of another, and which do not fit: by their size or by their digits.
struct NumberConversion {
    var expression: String
    /// `nil` when every number fits.
    var obstacle: String?

    /// - Returns: `nil` for anything that is no number.
    init?(from old: ColumnType.Base, to new: ColumnType.Base, column: String) {
        guard old.isNumber, new.isNumber else { return nil }
        // PostgreSQL rounds to 15 digits where a float becomes numeric; its text has all of them.
        let isFloat = old == .real || old == .double
        expression = isFloat && new == .numeric ? "\(column)::text::numeric" : "\(column)::\(new.name)"
        obstacle =
            switch new {
            case .smallint, .integer, .bigint: Self.isNoInteger(old, new, column)
            case .numeric: isFloat ? Self.isNoDecimal(expression) : nil
            case .real: Self.isNoFloat(old, column)
            default: Self.isNoDouble(old, column)
            }
    }

    /// How many bytes a whole number has, and the least and the greatest one; `nil` for other types.
    private static func whole(_ type: ColumnType.Base) -> (size: Int, low: Int, high: Int)? {
        switch type {
        case .smallint: (2, -32_768, 32_767)
        case .integer: (4, -2_147_483_648, 2_147_483_647)
        case .bigint: (8, .min, .max)
        default: nil
        }
    }

    private static func isNoInteger(_ old: ColumnType.Base, _ new: ColumnType.Base, _ column: String) -> String? {
        guard let (size, low, high) = whole(new) else { return nil }
        // A lower one fits into a higher one.
        if let older = whole(old) { return older.size <= size ? nil : "\(column) NOT BETWEEN \(low) AND \(high)" }
        // NaN is greater than any number to PostgreSQL.
        if old == .numeric { return "(\(column) NOT BETWEEN \(low) AND \(high) OR \(column) <> trunc(\(column)))" }
        // The largest bigint is no double: 2^63 is the nearest one.
        let isLarge = new == .bigint ? "\(column) >= 9223372036854775808" : "\(column) > \(high)"
        return "(\(column) < \(low) OR \(isLarge) OR \(column) <> trunc(\(column)::double precision))"
    }

    /// Numbers that Swift's `Decimal` cannot hold: infinities, more than 38 digits, an exponent below -128 or, with all
    /// its digits used, above 127.
    static func isNoDecimal(_ number: String) -> String {
        let digits = "length(trim(BOTH '0' FROM replace(abs(\(number))::text, '.', '')))"
        return """
            (\(number) <> 'NaN' AND (\(number) IN ('Infinity', '-Infinity') OR \(digits) > 38 \
            OR abs(\(number)) >= 1e165 OR scale(trim_scale(\(number))) > 128))
            """
    }

    private static func isNoFloat(_ old: ColumnType.Base, _ column: String) -> String? {
        switch old {
        case .smallint: nil
        case .integer: "\(column)::real::double precision <> \(column)"
        // Floats near the limit are greater than any bigint.
        case .bigint:
            "CASE WHEN \(column) > 9223371487098961920 THEN true ELSE \(column)::real::bigint <> \(column) END"
        case .numeric: isRounded(column, by: "real", least: "1.17549436e-38", greatest: "3.4028234e38")
        default:
            """
            CASE WHEN \(column) = 0 OR \(column) IN ('NaN', 'Infinity', '-Infinity') THEN false \
            WHEN abs(\(column)) NOT BETWEEN 1.17549436e-38 AND 3.4028234e38 THEN true \
            ELSE \(column)::real::double precision <> \(column) END
            """
        }
    }

    private static func isNoDouble(_ old: ColumnType.Base, _ column: String) -> String? {
        switch old {
        case .bigint:
            """
            CASE WHEN \(column) > 9223372036854774784 THEN true \
            ELSE \(column)::double precision::bigint <> \(column) END
            """
        case .numeric:
            isRounded(
                column, by: "double precision", least: "2.2250738585072014e-308", greatest: "1.797693134862315e308")
        default: nil
        }
    }

    /// Whether a `numeric` comes back from a float as another number: by its shortest text, or as a whole number.
    private static func isRounded(_ column: String, by type: String, least: String, greatest: String) -> String {
        """
        CASE WHEN \(column) = 0 OR \(column) IN ('NaN', 'Infinity', '-Infinity') THEN false \
        WHEN abs(\(column)) NOT BETWEEN \(least) AND \(greatest) THEN true \
        WHEN \(column) = trunc(\(column)) AND abs(\(column)) < 9200000000000000000 \
        THEN \(column)::\(type)::bigint <> \(column) \
        ELSE \(column)::\(type)::text::numeric <> \(column) END
        """
    }
}
