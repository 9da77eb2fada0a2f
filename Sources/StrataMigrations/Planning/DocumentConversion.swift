import StrataRepository

/// How a value in a column of its own becomes the same value as a document, and back: `.codable` is added or removed.
///
/// The documents are those that Strata writes: dates are seconds since 1970, `Data` is base64, a UUID is a text.
struct DocumentConversion {
    var expression: String
    /// True for values that have no such document, or documents that hold another value.
    var obstacle: String?

    /// - Returns: `nil` for types that are not among those of attributes.
    init?(from old: ColumnType, to new: ColumnType, column: String) {
        if new == .jsonb {
            if let element = old.element {
                guard let inner = DocumentConversion(from: element, to: new, column: "e") else { return nil }
                expression = """
                    CASE WHEN \(column) IS NOT NULL THEN (SELECT coalesce(jsonb_agg(\(inner.expression) ORDER BY i), '[]') \
                    FROM unnest(\(column)) WITH ORDINALITY AS u(e, i)) END
                    """
                obstacle = inner.obstacle.map { "EXISTS (SELECT FROM unnest(\(column)) AS u(e) WHERE \($0))" }
            } else {
                guard let value = Self.written(old.base, column) else { return nil }
                expression = "to_jsonb(\(value))"
                obstacle =
                    switch old.base {
                    case .real, .double, .numeric: "\(column) IN ('NaN', 'Infinity', '-Infinity')"
                    default: nil
                    }
            }
        } else if let element = new.element {
            guard let inner = DocumentConversion(from: old, to: element, column: "e") else { return nil }
            expression = """
                CASE WHEN \(column) IS NOT NULL THEN ARRAY(SELECT \(inner.expression) \
                FROM jsonb_array_elements(\(column)) WITH ORDINALITY AS u(e, i) ORDER BY i)::\(new) END
                """
            obstacle = """
                CASE WHEN jsonb_typeof(\(column)) <> 'array' THEN true \
                ELSE EXISTS (SELECT FROM jsonb_array_elements(\(column)) AS u(e) WHERE \(inner.obstacle ?? "false")) END
                """
        } else {
            guard let (kind, value) = Self.read(new.base, "(\(column) #>> '{}')") else { return nil }
            expression = value
            let isOther = "jsonb_typeof(\(column)) <> '\(kind)'"
            obstacle =
                switch new.base {
                case .text, .bytea, .timestamptz: isOther
                default: "(\(isOther) OR NOT strata.can_cast(\(column) #>> '{}', '\(new)'))"
                }
        }
    }

    private static func written(_ type: ColumnType.Base, _ column: String) -> String? {
        switch type {
        case .smallint, .integer, .bigint, .numeric, .real, .double, .boolean, .text: column
        case .uuid: "upper(\(column)::text)"
        case .bytea: "translate(encode(\(column), 'base64'), E'\\n', '')"
        // `Date.distantFuture` and `Date.distantPast` are the server's infinities.
        case .timestamptz:
            """
            CASE \(column) WHEN 'infinity' THEN 64092211200 WHEN '-infinity' THEN -62135769600 \
            ELSE extract(epoch FROM \(column)) END
            """
        case .date, .time, .interval, .jsonb, .other: nil
        }
    }

    private static func read(_ type: ColumnType.Base, _ text: String) -> (kind: String, value: String)? {
        switch type {
        case .text: ("string", text)
        case .uuid: ("string", "\(text)::uuid")
        case .bytea: ("string", "decode(\(text), 'base64')")
        case .boolean: ("boolean", "\(text)::boolean")
        case .timestamptz: ("number", "to_timestamp(\(text)::double precision)")
        case .smallint, .integer, .bigint, .numeric, .real, .double: ("number", "\(text)::\(type.name)")
        case .date, .time, .interval, .jsonb, .other: nil
        }
    }
}
