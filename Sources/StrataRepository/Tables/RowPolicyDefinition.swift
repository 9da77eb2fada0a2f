import Foundation

/// The policy of row-level security of a table whose rows are of many tenants (PostgreSQL manual, 5.8): for every command, and for its owner too.
///
/// A statement sees the rows of the tenant that the setting `strata.tenant` names, and none where it names none.
package struct RowPolicyDefinition: Hashable, Sendable {
    /// What is asked of a row.
    package enum Condition: Hashable, Sendable {
        /// Its own column names the tenant.
        case column(String, type: ColumnType)
        /// A row that it refers to is seen: that of the root of its hierarchy, or the first object of a pair.
        case reference(Reference)
        /// Something that this library has not made.
        case expression(String)
    }

    /// From columns of the table to the key of another.
    package struct Reference: Codable, Hashable, Sendable {
        package var columns: [String]
        package var table: String
        package var key: [String]

        package init(_ columns: [String], to table: String, _ key: [String]) {
            (self.columns, self.table, self.key) = (columns, table, key)
        }
    }

    package var condition: Condition
    /// Rows that must be seen too where one is written: the second object of a pair.
    package var written: Reference?
    /// Whether it is as it must be: row-level security is on, for the owner too, and there is no other policy.
    package var isForced = true

    package init(_ condition: Condition, written: Reference? = nil) {
        (self.condition, self.written) = (condition, written)
    }

    /// What each policy is called.
    package static let name = "strata_tenant"
    /// The setting that names the tenant.
    package static let setting = "strata.tenant"

    /// The same about tables and columns of other names; `nil` where one has none. Columns of the table itself have no table.
    package func renaming(table: (String) -> String?, column: (_ table: String?, String) -> String?) -> Self? {
        func renamed(_ reference: Reference) -> Reference? {
            let columns = reference.columns.compactMap { column(nil, $0) }
            let key = reference.key.compactMap { column(reference.table, $0) }
            guard let table = table(reference.table), columns.count == reference.columns.count,
                key.count == reference.key.count
            else { return nil }
            return Reference(columns, to: table, key)
        }
        var policy = self
        switch condition {
        case .column(let name, let type):
            guard let name = column(nil, name) else { return nil }
            policy.condition = .column(name, type: type)
        case .reference(let reference):
            guard let reference = renamed(reference) else { return nil }
            policy.condition = .reference(reference)
        case .expression: break
        }
        if let written {
            guard let written = renamed(written) else { return nil }
            policy.written = written
        }
        return policy
    }
}

// MARK: - SQL

extension RowPolicyDefinition {
    /// The tenant that the setting names, as a value of a column. NULL, which equals nothing, where it names none: a setting that a transaction has had
    /// stays behind it as an empty text.
    private static func tenant(_ type: ColumnType) -> String {
        let text = "NULLIF(current_setting('\(setting)'::text, true), ''::text)"
        return type == .text ? text : "(\(text))::\(type)"
    }

    /// `CREATE POLICY` of a table, and what lets the server follow it, the owner too.
    package func creation(of table: String, in schema: String) -> [SQLFragment] {
        let name = TableName(schema: schema, name: table)
        let seen = Self.sql(condition, of: table, in: schema)
        let check = written.map { " WITH CHECK (\(seen) AND \(Self.sql(.reference($0), of: table, in: schema)))" } ?? ""
        return [
            "CREATE POLICY \(identifier: Self.name) ON \(name) USING (\(raw: seen))\(raw: check)",
            "ALTER TABLE \(name) ENABLE ROW LEVEL SECURITY", "ALTER TABLE \(name) FORCE ROW LEVEL SECURITY",
        ]
    }

    /// Takes it away.
    ///
    /// - Parameter isFollowed: whether another one comes in its place. Until then a role that policies bind sees no row; without one, all roles see
    ///   all.
    package static func removal(of table: String, in schema: String, isFollowed: Bool) -> [SQLFragment] {
        let name = TableName(schema: schema, name: table)
        if isFollowed { return ["DROP POLICY IF EXISTS \(identifier: Self.name) ON \(name)"] }
        return [
            "ALTER TABLE \(name) NO FORCE ROW LEVEL SECURITY", "ALTER TABLE \(name) DISABLE ROW LEVEL SECURITY",
            "DROP POLICY IF EXISTS \(identifier: Self.name) ON \(name)",
        ]
    }

    private static func sql(_ condition: Condition, of table: String, in schema: String) -> String {
        switch condition {
        case .column(let column, let type): return "\(SQLFragment.quoted(column)) = \(tenant(type))"
        case .reference(let reference):
            let target = SQLFragment.quoted(schema) + "." + SQLFragment.quoted(reference.table)
            let keys = zip(reference.key, reference.columns).map { key, column in
                "r.\(SQLFragment.quoted(key)) = \(SQLFragment.quoted(table)).\(SQLFragment.quoted(column))"
            }
            return "EXISTS (SELECT FROM \(target) AS r WHERE \(keys.joined(separator: " AND ")))"
        case .expression(let text): return text
        }
    }
}

// MARK: - What the server prints

extension RowPolicyDefinition {
    /// What the catalogs say of a table.
    ///
    /// - Parameters:
    ///   - condition: what `pg_get_expr` prints.
    ///   - check: the same for rows that are written; `nil` where it is the condition.
    ///   - isForced: whether there is this one policy, for all commands and roles, and the table and its owner are under it.
    package init(printed condition: String, check: String?, isForced: Bool) {
        let parts = check.map(Self.conjuncts) ?? []
        var written: Reference?
        var isRead = check == nil
        if parts.count == 2, parts[0] == condition, let reference = Self.reference(parts[1]) {
            (written, isRead) = (reference, true)
        }
        let known = Self.column(condition) ?? Self.reference(condition).map { .reference($0) }
        self.init(isRead ? known ?? .expression(condition) : .expression("\(condition), and written: \(check ?? "")"))
        self.written = written
        self.isForced = isForced
    }

    /// `((EXISTS (…)) AND (EXISTS (…)))` as its two parts.
    private static func conjuncts(_ printed: String) -> [String] {
        guard printed.hasPrefix("("), printed.hasSuffix(")") else { return [] }
        let parts = printed.dropFirst().dropLast().components(separatedBy: ") AND (EXISTS")
        guard parts.count == 2 else { return [] }
        return [parts[0] + ")", "(EXISTS" + parts[1]]
    }

    private static func column(_ printed: String) -> Condition? {
        let comparison = #/\((?<name>[A-Za-z_][A-Za-z0-9_$]*|"(?:[^"]|"")+") = (?<rest>.*)\)/#
        guard let match = printed.wholeMatch(of: comparison) else { return nil }
        let type = (["text", "uuid", "bigint"] as [ColumnType]).first { tenant($0) == String(match.rest) }
        return type.map { .column(unquoted(String(match.name)), type: $0) }
    }

    private static func reference(_ printed: String) -> Reference? {
        let text = printed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let identifier = #"(?:[A-Za-z_][A-Za-z0-9_$]*|"(?:[^"]|"")+")"#
        guard
            let statement = try? Regex(
                "\\(EXISTS \\( SELECT FROM (?:\(identifier)\\.)?(\(identifier)) r WHERE (.*)\\)\\)",
                as: (Substring, Substring, Substring).self),
            let pair = try? Regex(
                "\\(r\\.(\(identifier)) = \(identifier)\\.(\(identifier))\\)",
                as: (Substring, Substring, Substring).self),
            let match = text.wholeMatch(of: statement)
        else { return nil }
        let pairs = match.output.2.matches(of: pair)
        // Nothing else is asked, which could let more rows be seen.
        let conditions = pairs.map { String($0.output.0) }
        let whole = conditions.count == 1 ? conditions[0] : "(" + conditions.joined(separator: " AND ") + ")"
        guard !pairs.isEmpty, match.output.2 == whole else { return nil }
        return Reference(
            pairs.map { unquoted(String($0.output.2)) }, to: unquoted(String(match.output.1)),
            pairs.map { unquoted(String($0.output.1)) })
    }

    private static func unquoted(_ name: String) -> String {
        name.hasPrefix("\"") ? String(name.dropFirst().dropLast()).replacing("\"\"", with: "\"") : name
    }
}

extension RowPolicyDefinition: Codable {
    private enum CodingKeys: String, CodingKey { case column, type, reference, expression, written, isForced }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let column = try container.decodeIfPresent(String.self, forKey: .column) {
            condition = .column(column, type: try container.decode(ColumnType.self, forKey: .type))
        } else if let reference = try container.decodeIfPresent(Reference.self, forKey: .reference) {
            condition = .reference(reference)
        } else {
            condition = .expression(try container.decode(String.self, forKey: .expression))
        }
        written = try container.decodeIfPresent(Reference.self, forKey: .written)
        isForced = try container.decodeIfPresent(Bool.self, forKey: .isForced) ?? true
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch condition {
        case .column(let column, let type):
            try container.encode(column, forKey: .column)
            try container.encode(type, forKey: .type)
        case .reference(let reference): try container.encode(reference, forKey: .reference)
        case .expression(let text): try container.encode(text, forKey: .expression)
        }
        try container.encodeIfPresent(written, forKey: .written)
        if !isForced { try container.encode(false, forKey: .isForced) }
    }
}
