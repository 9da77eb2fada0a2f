package import StrataClient

/// What statements say of a key. `row` is what stands in front of its columns: the alias of the table, or nothing.
extension KeyColumns {
    /// Each column: for lists, for `ORDER BY`.
    package func columns(of row: SQLFragment = "") -> [SQLFragment] { parts.map { column($0, of: row) } }

    private func column(_ part: Part, of row: SQLFragment) -> SQLFragment {
        let name: SQLFragment = part.isQuoted ? "\(identifier: part.name)" : SQLFragment(part.name)
        return row.isEmpty ? name : "\(row).\(name)"
    }

    /// The columns, separated by commas.
    package func list(of row: SQLFragment = "") -> SQLFragment {
        isSingle ? column(parts[0], of: row) : columns(of: row).joined(separator: ", ")
    }

    /// The key as one value. `NULL` where an outer join has found no row.
    package func value(of row: SQLFragment = "") -> SQLFragment {
        if isSingle { return column(parts[0], of: row) }
        let documents = parts.map { part -> SQLFragment in
            let column = column(part, of: row)
            switch part.columnType {
            // What fills it up to its length is no part of the text.
            case "bpchar": return "to_jsonb(\(column)::text)"
            // Whatever bytea_output is.
            case "bytea": return "to_jsonb('\\x' || encode(\(column), 'hex'))"
            // In JSON a `timestamptz` has the zone of the session, and a `timestamp` has none.
            case nil where part.kind == .date: return "to_jsonb(\(column) AT TIME ZONE 'UTC')"
            default: return "to_jsonb(\(column))"
            }
        }
        // What is added to one is an array, too.
        let array = documents.count == 1 ? documents + ["'[]'::jsonb"] : documents
        return "(\(array.joined(separator: " || ")))::text"
    }

    /// Whether the key of a row is this value, an atom of SQL.
    package func isEqual(to value: SQLFragment, of row: SQLFragment = "") -> SQLFragment {
        isSingle ? "\(column(parts[0], of: row)) = \(value)" : "(\(list(of: row))) = (\(taken(apart: value)))"
    }

    /// Whether the key of a row is that of another row, whose columns are these.
    package func isEqual(to other: KeyColumns, of otherRow: SQLFragment, _ row: SQLFragment) -> SQLFragment {
        isSingle
            ? isEqual(to: other.value(of: otherRow), of: row) : "(\(list(of: row))) = (\(other.list(of: otherRow)))"
    }

    /// Whether the key of a row is this one.
    package func isEqual(to key: RowKey, of row: SQLFragment = "") -> SQLFragment {
        if isSingle { return "\(column(parts[0], of: row)) = \(bind: key)" }
        guard let values = key.parts(kinds) else { return "FALSE" }
        return "(\(list(of: row))) = (\(zip(parts, values).map { $0.bound($1) }.joined(separator: ", ")))"
    }

    /// Whether the key of a row is one of an array's.
    ///
    /// - Parameter gap: what stands between `ANY` and its parenthesis.
    package func isAmong(_ array: SQLFragment, of row: SQLFragment = "", gap: String = "") -> SQLFragment {
        if isSingle { return "\(column(parts[0], of: row)) = ANY\(raw: gap)(\(array))" }
        return "(\(list(of: row))) IN (SELECT \(taken(apart: "k.pk")) FROM unnest(\(array)) AS k(pk))"
    }

    /// Whether the key of a row is one of these.
    package func isAmong(_ keys: [RowKey], of row: SQLFragment = "", gap: String = "") -> SQLFragment {
        if isSingle { return isAmong("\(bind: keys, of: parts[0].kind)", of: row, gap: gap) }
        return "(\(list(of: row))) IN (SELECT * FROM unnest(\(arrays(of: keys).joined(separator: ", "))))"
    }

    /// Whether the key of a row is none of an array's.
    package func isNotAmong(_ array: SQLFragment, of row: SQLFragment = "", gap: String = "") -> SQLFragment {
        if isSingle { return "\(column(parts[0], of: row)) <> ALL\(raw: gap)(\(array))" }
        return "NOT (\(isAmong(array, of: row)))"
    }

    /// Whether the key of a row is one of those that a query finds, in its only column.
    package func isIn(_ query: SQLFragment, of row: SQLFragment = "") -> SQLFragment {
        if isSingle { return "\(column(parts[0], of: row)) IN (\(query))" }
        return "(\(list(of: row))) IN (SELECT \(taken(apart: "k.pk")) FROM (\(query)) AS k(pk))"
    }

    /// A key as one value, as a term of `ORDER BY`: keys of several columns have the order of their texts, as in memory.
    func ordered(_ value: SQLFragment) -> SQLFragment { isSingle ? value : "\(value) COLLATE \"C\"" }

    /// The value of each column, separated by commas, from a key as one value.
    package func taken(apart value: SQLFragment) -> SQLFragment {
        isSingle ? value : parts.indices.map { part($0, of: value) }.joined(separator: ", ")
    }

    /// The value of one of several columns, from a key as one value.
    package func part(_ place: Int, of value: SQLFragment) -> SQLFragment {
        let text: SQLFragment = "(\(value)::jsonb ->> \(raw: String(place)))"
        if let type = parts[place].columnType { return "\(text)::\(raw: type)" }
        return switch parts[place].kind {
        case .text: text
        case .date: "(\(text)::timestamp AT TIME ZONE 'UTC')"
        case .integer, .uuid: "\(text)::\(raw: parts[place].kind.type.description)"
        }
    }

    /// An array for each column.
    private func arrays(of keys: [RowKey]) -> [SQLFragment] {
        let apart = keys.compactMap { $0.parts(kinds) }
        return parts.indices.map { place in
            let array: SQLFragment = "\(bind: apart.map { $0[place] }, of: parts[place].kind)"
            // A date is bound as a moment: of a column without a time zone it is what it is in UTC, as of the session.
            return parts[place].columnType.map { "\(array)::\(raw: $0)[]" } ?? array
        }
    }
}

extension KeyColumns.Part {
    /// A value of the column.
    func bound(_ key: RowKey) -> SQLFragment {
        columnType.map { "\(bind: key)::\(raw: $0)" } ?? "\(bind: key)"
    }
}

/// The same as text, for statements whose parameters are numbered by those who write them.
extension KeyColumns {
    package func list(of row: String) -> String { list(of: SQLFragment(row)).text }
    package func value(of row: String) -> String { value(of: SQLFragment(row)).text }
    package func isEqual(to value: String, of row: String) -> String {
        isEqual(to: SQLFragment(value), of: SQLFragment(row)).text
    }
    package func isAmong(_ array: String, of row: String) -> String {
        isAmong(SQLFragment(array), of: SQLFragment(row), gap: " ").text
    }
    package func isNotAmong(_ array: String, of row: String) -> String {
        isNotAmong(SQLFragment(array), of: SQLFragment(row), gap: " ").text
    }
}
