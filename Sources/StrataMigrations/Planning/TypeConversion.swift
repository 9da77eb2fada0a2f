import StrataRepository

/// How values of one PostgreSQL type become values of another, and which values cannot.
struct TypeConversion {
    /// Over the column, as `column` names it.
    var expression: String
    /// True for values that cannot be converted; `nil` when all can.
    var obstacle: String?

    /// - Returns: `nil` when only the user can say what the new value is.
    init?(from old: String, to new: String, column: String) {
        if old == new {
            self.init(column)
        } else if let element = Self.element(of: new), !old.hasSuffix("[]") {
            guard let inner = TypeConversion(from: old, to: element, column: column) else { return nil }
            self.init(
                "CASE WHEN \(column) IS NULL THEN NULL ELSE ARRAY[\(inner.expression)]::\(new) END",
                unless: inner.obstacle)
        } else if let element = Self.element(of: old), !new.hasSuffix("[]") {
            guard let inner = TypeConversion(from: element, to: new, column: "(\(column))[1]") else { return nil }
            let isLong = "cardinality(\(column)) > 1"
            self.init(inner.expression, unless: inner.obstacle.map { "(\(isLong) OR \($0))" } ?? isLong)
        } else if let from = Self.element(of: old), let to = Self.element(of: new) {
            guard let rank = Self.rank[from], let other = Self.rank[to], rank < other || to == "text" else {
                return nil
            }
            self.init("\(column)::\(new)")
        } else if new == "text" {
            guard let text = Self.asText(old, column) else { return nil }
            self.init(text)
        } else if old == "text" {
            guard Self.castable.contains(new) else { return nil }
            let probe = "NOT strata.can_cast(\(column), \(SQLFragment.literal(new)))"
            self.init(
                "\(column)::\(new)",
                unless: Self.plainForm[new].map { "(\(column) !~ \(SQLFragment.literal($0)) AND \(probe))" } ?? probe)
        } else if let from = Self.rank[old], let to = Self.rank[new] {
            self.init(
                "\(column)::\(new)",
                unless: from < to && !Self.isInexact(old, new) ? nil : Self.outOfRange(old, new, column))
        } else if old == "boolean", Self.rank[new] != nil {
            self.init("\(column)::integer::\(new)")
        } else if new == "boolean", Self.rank[old] != nil {
            self.init("(\(column) <> 0)", unless: "\(column) NOT IN (0, 1)")
        } else if old == "timestamptz", new == "double precision" {
            self.init("extract(epoch FROM \(column))::double precision")
        } else if old == "double precision", new == "timestamptz" {
            self.init("to_timestamp(\(column))")
        } else {
            return nil
        }
    }

    private init(_ expression: String, unless obstacle: String? = nil) {
        self.expression = expression
        self.obstacle = obstacle
    }

    /// Numbers by what they hold: a lower one fits into a higher one.
    private static let rank = [
        "smallint": 0, "integer": 1, "bigint": 2, "numeric": 5, "real": 3, "double precision": 4,
    ]

    /// Whether a float of this size cannot hold every value of the other type, although its range is wider.
    private static func isInexact(_ old: String, _ new: String) -> Bool {
        switch new {
        case "double precision": old == "bigint" || old == "numeric"
        case "real": old == "bigint" || old == "integer" || old == "numeric"
        default: false
        }
    }

    private static let castable: Set<String> = [
        "smallint", "integer", "bigint", "numeric", "real", "double precision", "boolean", "timestamptz", "uuid",
        "jsonb",
    ]

    /// Texts that are values for certain: nearly all there are, and the probe costs ten times as much.
    private static let plainForm = [
        "smallint": "^-?[0-9]{1,4}$", "integer": "^-?[0-9]{1,9}$", "bigint": "^-?[0-9]{1,18}$",
        "numeric": "^-?[0-9]{1,18}([.][0-9]{1,18})?$", "real": "^-?[0-9]{1,18}([.][0-9]{1,18})?$",
        "double precision": "^-?[0-9]{1,18}([.][0-9]{1,18})?$", "boolean": "^(true|false)$",
        "uuid": "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
    ]

    private static func element(of type: String) -> String? { type.hasSuffix("[]") ? String(type.dropLast(2)) : nil }

    private static func asText(_ type: String, _ column: String) -> String? {
        switch type {
        // As Swift's ISO 8601 has it, independent of the session's DateStyle.
        case "timestamptz": "to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
        case "bytea": nil
        default: "\(column)::text"
        }
    }

    /// Values that lose something on the way to a narrower number.
    private static func outOfRange(_ old: String, _ new: String, _ column: String) -> String? {
        switch new {
        case "smallint", "integer", "bigint":
            let bounds = ["smallint": ("-32768", "32767"), "integer": ("-2147483648", "2147483647")]
            let (low, high) = bounds[new] ?? ("-9223372036854775808", "9223372036854775807")
            let isInteger = ["smallint", "integer", "bigint"].contains(old)
            let range = "\(column)::numeric NOT BETWEEN \(low) AND \(high)"
            // NaN and the infinities have no numeric before PostgreSQL 14 and no integer anywhere.
            return isInteger
                ? range
                : "(\(column)::text IN ('NaN', 'Infinity', '-Infinity') OR \(range) OR \(column)::numeric <> trunc(\(column)::numeric))"
        // By way of numeric: a float near the limits of an integer would not fit when it is cast back.
        case "real" where old == "double precision":
            return "\(column)::real::double precision IS DISTINCT FROM \(column)"
        case "real": return "\(column)::real::double precision::numeric IS DISTINCT FROM \(column)::numeric"
        case "double precision":
            return "\(column)::double precision::numeric IS DISTINCT FROM \(column)::numeric"
        default: return nil
        }
    }
}

/// A function of the library's schema that tells whether a text is a value of a type: PostgreSQL has its own,
/// `pg_input_is_valid`, from 16 on only.
package enum CastProbe {
    package static let creation = """
        CREATE OR REPLACE FUNCTION "strata"."can_cast"(value text, type text) RETURNS boolean
        LANGUAGE plpgsql STABLE SET search_path = pg_catalog AS $can_cast$
        BEGIN
            EXECUTE format('SELECT CAST($1 AS %s)', type::regtype) USING value;
            RETURN true;
        EXCEPTION WHEN data_exception OR numeric_value_out_of_range OR invalid_text_representation THEN
            RETURN false;
        END
        $can_cast$
        """
}
