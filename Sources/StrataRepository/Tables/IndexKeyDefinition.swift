/// One key of an index.
package struct IndexKeyDefinition: Hashable, Sendable {
    /// The name of a column; an expression as PostgreSQL prints it.
    package var column: String
    /// What it holds in the place of the column's text; `nil` for the column as it is.
    package var fold: TextFold?
    package var isDescending = false
    package var nullsFirst = false

    package init(
        _ column: String, fold: TextFold? = nil, isDescending: Bool = false, nullsFirst: Bool = false
    ) {
        self.column = column
        self.fold = fold
        self.isDescending = isDescending
        self.nullsFirst = nullsFirst
    }

    /// The same, whatever the order: what has to be unique has none.
    package var withoutOrder: IndexKeyDefinition { IndexKeyDefinition(column, fold: fold) }

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
        return (fold.map { "(\($0(SQLFragment(column)).text))" } ?? column) + order
    }

    /// For people: `lowercased(name) DESC`. It is not the `lower` of SQL.
    package var description: String { (fold?.description(of: column) ?? column) + order }
}

/// A plain key is its column's name, as it has always been.
extension IndexKeyDefinition: Codable {
    private enum CodingKeys: String, CodingKey { case column, isLowercased, isCaseless, isDescending, nullsFirst }

    package init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            self.init(name)
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(String.self, forKey: .column),
            fold: try container.decodeIfPresent(Bool.self, forKey: .isLowercased) == true
                ? .lowercased
                : try container.decodeIfPresent(Bool.self, forKey: .isCaseless) == true ? .caseless : nil,
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
        switch fold {
        case .lowercased: try container.encode(true, forKey: .isLowercased)
        case .caseless: try container.encode(true, forKey: .isCaseless)
        case nil: break
        }
        if isDescending { try container.encode(true, forKey: .isDescending) }
        if nullsFirst { try container.encode(true, forKey: .nullsFirst) }
    }
}
