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
    init?(from old: ColumnType, to new: ColumnType, column: String, isSameValue: Bool = false) {
        if old == new {
            self.init(column, of: column)
        } else if old.precision != nil || new.precision != nil {
            self.init(limited: old, to: new, column, isSameValue: isSameValue)
        } else if !old.parameters.isEmpty || !new.parameters.isEmpty {
            // No property has such a type.
            return nil
        } else if old == .jsonb || new == .jsonb, isSameValue || old != .text && new != .text {
            guard isSameValue else { return nil }
            guard let conversion = DocumentConversion(from: old, to: new, column: column) else { return nil }
            self.init(conversion.expression, of: column, unless: conversion.obstacle)
        } else if let from = old.element, let to = new.element {
            guard let inner = TypeConversion(from: from, to: to, column: "e") else { return nil }
            self.init(
                """
                CASE WHEN \(column) IS NOT NULL THEN ARRAY(SELECT \(inner.expression) \
                FROM unnest(\(column)) WITH ORDINALITY AS u(e, i) ORDER BY i)::\(new) END
                """, of: column,
                unless: inner.obstacle.map { "EXISTS (SELECT FROM unnest(\(column)) AS u(e) WHERE \($0))" })
        } else if let element = new.element {
            guard let inner = TypeConversion(from: old, to: element, column: column) else { return nil }
            self.init(
                "CASE WHEN \(column) IS NOT NULL THEN ARRAY[\(inner.expression)]::\(new) END", of: column,
                unless: inner.obstacle)
        } else if let element = old.element {
            let first = "(\(column))[1]"
            guard let inner = TypeConversion(from: element, to: new, column: first) else { return nil }
            let isLong = "cardinality(\(column)) > 1"
            self.init(inner.expression, of: first, unless: inner.obstacle.map { "\(isLong) OR \($0)" } ?? isLong)
        } else {
            self.init(scalar: old.base, to: new.base, column)
        }
    }

    /// Whether every value of the old type comes back as it was when it is converted to the new one and back.
    static func isExact(from old: ColumnType, to new: ColumnType) -> Bool {
        if old == new { return true }
        if let limit = new.precision {
            guard let known = old.precision else { return false }
            return limit.scale >= known.scale && limit.precision - limit.scale >= known.precision - known.scale
        }
        if old.precision != nil { return isExact(from: old.unlimited, to: new) }
        if let to = new.element { return isExact(from: old.element ?? old, to: to) }
        if old.isList { return false }
        return switch (old.base, new.base) {
        case (_, .text): true
        case (.boolean, .smallint), (.boolean, .integer), (.boolean, .bigint): true
        case (.smallint, let wider): wider.isNumber && wider != .smallint
        case (.integer, .bigint), (.integer, .double), (.integer, .numeric): true
        case (.bigint, .numeric), (.real, .double): true
        default: false
        }
    }

    private init?(scalar old: ColumnType.Base, to new: ColumnType.Base, _ column: String) {
        switch (old, new) {
        // How a date and an interval are written depends on settings of the session.
        case (.bytea, .text), (.date, .text), (.interval, .text): return nil
        case (.timestamptz, .text):
            let text = MomentText(column)
            self.init(text.written, of: column, unless: text.isUnwritable)
        case (_, .text): self.init("\(column)::text", of: column)
        case (.text, _): self.init(text: column, to: new)
        case (.boolean, _) where new.isNumber: self.init("\(column)::integer::\(new.name)", of: column)
        case (_, .boolean) where old.isNumber:
            self.init("(\(column) <> 0)", of: column, unless: "\(column) NOT IN (0, 1)")
        case (.timestamptz, .double): self.init("extract(epoch FROM \(column))::double precision", of: column)
        case (.double, .timestamptz):
            // What the server can say of moments (PostgreSQL manual, 8.5), in seconds since 1970.
            self.init(
                "to_timestamp(\(column))", of: column,
                unless: """
                    (\(column) = 'NaN' OR abs(\(column)) < 'Infinity' \
                    AND \(column) NOT BETWEEN -210866803200 AND 9224318015999)
                    """)
        default:
            guard let number = NumberConversion(from: old, to: new, column: column) else { return nil }
            self.init(number.expression, of: column, unless: number.obstacle)
        }
    }

    /// Numbers with a precision: those of the type without one, of which some do not fit.
    private init?(limited old: ColumnType, to new: ColumnType, _ column: String, isSameValue: Bool) {
        guard
            let plain = TypeConversion(
                from: old.unlimited, to: new.unlimited, column: column, isSameValue: isSameValue)
        else { return nil }
        self = plain
        guard let limit = new.precision else { return }
        expression = "(\(plain.expression))::\(new)"
        guard !TypeConversion.isExact(from: old, to: new) else { return }
        let number = "(\(plain.expression))"
        let size = "1" + String(repeating: "0", count: limit.precision - limit.scale)
        let isTooLong =
            "(\(number) <> 'NaN' AND (\(number) <> round(\(number), \(limit.scale)) OR abs(\(number)) >= \(size)))"
        // What is no number is not asked for its digits.
        obstacle = plain.obstacle.map { "CASE WHEN \($0) THEN true ELSE \(isTooLong) END" } ?? isTooLong
    }

    private init?(text column: String, to new: ColumnType.Base) {
        let probe = "NOT strata.can_cast(\(column), \(SQLFragment.literal(new.name)))"
        let plain = Self.plainForm(of: new).map { "\(column) !~ \(SQLFragment.literal($0))" }
        let isUncastable = plain.map { "(\($0) AND \(probe))" } ?? probe
        switch new {
        case .smallint, .integer, .bigint, .real, .double, .boolean, .uuid, .jsonb:
            self.init("\(column)::\(new.name)", of: column, unless: isUncastable)
        case .numeric:
            self.init(
                "\(column)::numeric", of: column,
                unless: """
                    CASE WHEN NOT (\(plain ?? "true")) THEN false WHEN \(probe) THEN true \
                    ELSE \(NumberConversion.isNoDecimal("\(column)::numeric")) END
                    """)
        case .timestamptz:
            let text = MomentText(column)
            self.init(text.read, of: column, unless: "(\(text.isUnreadable) OR \(isUncastable))")
        // How their text is read depends on settings.
        case .text, .bytea, .date, .time, .interval, .other: return nil
        }
    }

    private init(_ expression: String, of value: String, unless obstacle: String? = nil) {
        self.expression = expression
        self.obstacle = obstacle
        emptiness = "\(value) IS NULL"
    }

    /// Texts that are values for certain: nearly all there are, and the probe costs ten times as much.
    private static func plainForm(of type: ColumnType.Base) -> String? {
        switch type {
        case .smallint: "^-?[0-9]{1,4}$"
        case .integer: "^-?[0-9]{1,9}$"
        case .bigint: "^-?[0-9]{1,18}$"
        case .numeric, .real, .double: "^-?[0-9]{1,18}([.][0-9]{1,18})?$"
        case .boolean: "^(true|false)$"
        case .uuid: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"
        case .text, .bytea, .timestamptz, .date, .time, .interval, .jsonb, .other: nil
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
