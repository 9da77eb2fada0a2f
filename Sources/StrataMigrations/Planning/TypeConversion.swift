import StrataRepository

/// How values of one PostgreSQL type become values of another, and which values cannot.
struct TypeConversion {
    /// Over the column, as `column` names it.
    var expression: String
    /// True for values that cannot be converted, or would not be read as the same value; `nil` when all can.
    var obstacle: String?
    /// True for rows whose new value is NULL.
    var emptiness: String

    /// - Parameter isSameValue: whether the property has the same type in Swift: then `jsonb` holds that value as a
    ///   document, and not a text that is JSON.
    /// - Returns: `nil` when only the user can say what the new value is.
    init?(from old: String, to new: String, column: String, isSameValue: Bool = false) {
        if old == new {
            self.init(column, of: column)
        } else if old == "jsonb" || new == "jsonb", isSameValue || old != "text" && new != "text" {
            guard isSameValue else { return nil }
            guard let conversion = DocumentConversion(from: old, to: new, column: column) else { return nil }
            self.init(conversion.expression, of: column, unless: conversion.obstacle)
        } else if let from = Self.element(of: old), let to = Self.element(of: new) {
            guard let inner = TypeConversion(from: from, to: to, column: "e") else { return nil }
            self.init(
                """
                CASE WHEN \(column) IS NOT NULL THEN ARRAY(SELECT \(inner.expression) \
                FROM unnest(\(column)) WITH ORDINALITY AS u(e, i) ORDER BY i)::\(new) END
                """, of: column,
                unless: inner.obstacle.map { "EXISTS (SELECT FROM unnest(\(column)) AS u(e) WHERE \($0))" })
        } else if let element = Self.element(of: new) {
            guard let inner = TypeConversion(from: old, to: element, column: column) else { return nil }
            self.init(
                "CASE WHEN \(column) IS NOT NULL THEN ARRAY[\(inner.expression)]::\(new) END", of: column,
                unless: inner.obstacle)
        } else if let element = Self.element(of: old) {
            let first = "(\(column))[1]"
            guard let inner = TypeConversion(from: element, to: new, column: first) else { return nil }
            let isLong = "cardinality(\(column)) > 1"
            self.init(inner.expression, of: first, unless: inner.obstacle.map { "\(isLong) OR \($0)" } ?? isLong)
        } else {
            self.init(scalar: old, to: new, column)
        }
    }

    /// Whether every value of the old type comes back as it was when it is converted to the new one and back.
    static func isExact(from old: String, to new: String) -> Bool {
        if old == new { return true }
        if let to = element(of: new) { return isExact(from: element(of: old) ?? old, to: to) }
        if element(of: old) != nil { return false }
        let wider: [String: Set<String>] = [
            "boolean": ["smallint", "integer", "bigint"],
            "smallint": ["integer", "bigint", "real", "double precision", "numeric"],
            "integer": ["bigint", "double precision", "numeric"], "bigint": ["numeric"], "real": ["double precision"],
        ]
        return new == "text" || wider[old]?.contains(new) == true
    }

    private init?(scalar old: String, to new: String, _ column: String) {
        if new == "text" {
            guard old != "bytea" else { return nil }
            if old == "timestamptz" {
                let text = MomentText(column)
                self.init(text.written, of: column, unless: text.isUnwritable)
            } else {
                self.init("\(column)::text", of: column)
            }
        } else if old == "text" {
            self.init(text: column, to: new)
        } else if let number = NumberConversion(from: old, to: new, column: column) {
            self.init(number.expression, of: column, unless: number.obstacle)
        } else if old == "boolean", NumberConversion.types.contains(new) {
            self.init("\(column)::integer::\(new)", of: column)
        } else if new == "boolean", NumberConversion.types.contains(old) {
            self.init("(\(column) <> 0)", of: column, unless: "\(column) NOT IN (0, 1)")
        } else if old == "timestamptz", new == "double precision" {
            self.init("extract(epoch FROM \(column))::double precision", of: column)
        } else if old == "double precision", new == "timestamptz" {
            // What the server can say of moments (PostgreSQL manual, 8.5), in seconds since 1970.
            self.init(
                "to_timestamp(\(column))", of: column,
                unless: """
                    (\(column) = 'NaN' OR abs(\(column)) < 'Infinity' \
                    AND \(column) NOT BETWEEN -210866803200 AND 9224318015999)
                    """)
        } else {
            return nil
        }
    }

    private init?(text column: String, to new: String) {
        let probe = "NOT strata.can_cast(\(column), \(SQLFragment.literal(new)))"
        let plain = Self.plainForm[new].map { "\(column) !~ \(SQLFragment.literal($0))" }
        let isUncastable = plain.map { "(\($0) AND \(probe))" } ?? probe
        switch new {
        case "smallint", "integer", "bigint", "real", "double precision", "boolean", "uuid", "jsonb":
            self.init("\(column)::\(new)", of: column, unless: isUncastable)
        case "numeric":
            self.init(
                "\(column)::numeric", of: column,
                unless: """
                    CASE WHEN NOT (\(plain ?? "true")) THEN false WHEN \(probe) THEN true \
                    ELSE \(NumberConversion.isNoDecimal("\(column)::numeric")) END
                    """)
        case "timestamptz":
            let text = MomentText(column)
            self.init(text.read, of: column, unless: "(\(text.isUnreadable) OR \(isUncastable))")
        default:
            return nil
        }
    }

    private init(_ expression: String, of value: String, unless obstacle: String? = nil) {
        self.expression = expression
        self.obstacle = obstacle
        emptiness = "\(value) IS NULL"
    }

    /// Texts that are values for certain: nearly all there are, and the probe costs ten times as much.
    private static let plainForm = [
        "smallint": "^-?[0-9]{1,4}$", "integer": "^-?[0-9]{1,9}$", "bigint": "^-?[0-9]{1,18}$",
        "numeric": "^-?[0-9]{1,18}([.][0-9]{1,18})?$", "real": "^-?[0-9]{1,18}([.][0-9]{1,18})?$",
        "double precision": "^-?[0-9]{1,18}([.][0-9]{1,18})?$", "boolean": "^(true|false)$",
        "uuid": "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
    ]

    static func element(of type: String) -> String? { type.hasSuffix("[]") ? String(type.dropLast(2)) : nil }
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
