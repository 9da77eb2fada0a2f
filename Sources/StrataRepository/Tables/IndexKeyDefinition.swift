/// One key of an index.
package struct IndexKeyDefinition: Hashable, Sendable {
    /// The name of a column; an expression as PostgreSQL prints it.
    package var column: String
    /// Whether it is the column's text in lower case, as ``LowercaseIndex`` writes it.
    package var isLowercased = false
    package var isDescending = false
    package var nullsFirst = false

    package init(
        _ column: String, isLowercased: Bool = false, isDescending: Bool = false, nullsFirst: Bool = false
    ) {
        self.column = column
        self.isLowercased = isLowercased
        self.isDescending = isDescending
        self.nullsFirst = nullsFirst
    }

    /// Whether it is the column as it is, sorted as PostgreSQL does without being told.
    var isPlain: Bool { self == IndexKeyDefinition(column) }

    /// ` DESC NULLS LAST`, as far as it is not what PostgreSQL does without being told.
    var order: String {
        (isDescending ? " DESC" : "")
            + (nullsFirst == isDescending ? "" : nullsFirst ? " NULLS FIRST" : " NULLS LAST")
    }

    /// As in `CREATE INDEX`.
    var sql: String {
        let column = SQLFragment.quoted(column)
        return (isLowercased ? "(\(LowercaseIndex.fold(SQLFragment(column)).text))" : column) + order
    }

    /// For people: `lowercased(name) DESC`. It is not the `lower` of SQL.
    package var description: String { (isLowercased ? "lowercased(\(column))" : column) + order }
}

/// A plain key is its column's name, as it has always been.
extension IndexKeyDefinition: Codable {
    private enum CodingKeys: String, CodingKey { case column, isLowercased, isDescending, nullsFirst }

    package init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            self.init(name)
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(String.self, forKey: .column),
            isLowercased: try container.decodeIfPresent(Bool.self, forKey: .isLowercased) ?? false,
            isDescending: try container.decodeIfPresent(Bool.self, forKey: .isDescending) ?? false,
            nullsFirst: try container.decodeIfPresent(Bool.self, forKey: .nullsFirst) ?? false)
    }

    package func encode(to encoder: any Encoder) throws {
        if isPlain {
            var container = encoder.singleValueContainer()
            try container.encode(column)
            return
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(column, forKey: .column)
        if isLowercased { try container.encode(true, forKey: .isLowercased) }
        if isDescending { try container.encode(true, forKey: .isDescending) }
        if nullsFirst { try container.encode(true, forKey: .nullsFirst) }
    }
}
