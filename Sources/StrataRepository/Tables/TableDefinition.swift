/// One table with everything that belongs to it.
package struct TableDefinition: Codable, Hashable, Sendable {
    package var name: String
    package var columns: [ColumnDefinition]
    package var primaryKey: PrimaryKeyDefinition?
    package var uniques: [UniqueDefinition]
    package var foreignKeys: [ForeignKeyDefinition]
    package var checks: [CheckDefinition]
    /// The indexes beside those that constraints bring with them.
    package var indexes: [IndexDefinition]
    /// Which of its rows a statement sees; `nil` for all.
    package var policy: RowPolicyDefinition?
    /// How it is divided by time; `nil`, and absent in files, for a table that is one.
    package var partitioning: PartitioningDefinition?

    package init(
        name: String, columns: [ColumnDefinition] = [], primaryKey: PrimaryKeyDefinition? = nil,
        uniques: [UniqueDefinition] = [], foreignKeys: [ForeignKeyDefinition] = [], checks: [CheckDefinition] = [],
        indexes: [IndexDefinition] = [], policy: RowPolicyDefinition? = nil, partitioning: PartitioningDefinition? = nil
    ) {
        self.name = name
        self.columns = columns
        self.primaryKey = primaryKey
        self.uniques = uniques
        self.foreignKeys = foreignKeys
        self.checks = checks
        self.indexes = indexes
        self.policy = policy
        self.partitioning = partitioning
    }

    package func column(named name: String) -> ColumnDefinition? { columns.first { $0.name == name } }

    /// The column by which the rows of a class's table are walked in ranges: that of the key, or the first of several. Of those, rows with the
    /// same value are in one range.
    package var walkedColumn: String? { primaryKey?.columns.first }

    /// Whether each value of a column is in one row at most, be it regardless of case.
    package func isUnique(_ column: String) -> Bool {
        uniques.contains { $0.columns == [column] }
            || indexes.contains { $0.isUnique && $0.predicate == nil && $0.columns == [column] }
    }

    /// The column of the key in the table of a class; `nil` for a key of several columns, and for a table of pairs.
    package var keyColumn: String? {
        primaryKey.flatMap { $0.columns.count == 1 ? $0.columns.first : nil }
    }

    /// The columns of which no two rows have the same values, beside the primary key: of constraints, and of indexes of all rows, whatever the order in them and
    /// whatever they hold beside.
    package var uniqueSets: [UniqueDefinition] {
        uniques
            + indexes.filter {
                $0.isUnique && $0.predicate == nil && $0.method == "btree" && !$0.keys.contains { $0.fold != nil }
            }
            .map { UniqueDefinition(name: $0.name, columns: $0.columns, nullsNotDistinct: $0.nullsNotDistinct) }
    }

    /// Whether the server gives keys to rows that come without.
    package var hasIdentity: Bool { keyColumn.flatMap { column(named: $0) }?.identity != nil }

    /// The column that says which class a row has, in the table of a root with subclasses: the one with a list of classes.
    package var classColumn: String? {
        for case .isOneOf(let column, _) in checks.map(\.condition) where self.column(named: column) != nil {
            return column
        }
        return nil
    }

    /// Whether a property gives a column its default. That of the column that says the class is the table's own.
    package func hasServerDefault(_ column: ColumnDefinition) -> Bool {
        column.defaultExpression != nil && column.name != classColumn
    }

    /// Whether what stands in that column are numbers.
    var classesAreNumbers: Bool {
        for case .isOneOf(let column, let values) in checks.map(\.condition) where column == classColumn {
            return values.allSatisfy { Int64($0) != nil }
        }
        return false
    }

    /// The same with constraints and indexes in the order of names. Columns keep their order, it is part of the table.
    package var sorted: TableDefinition {
        var table = self
        table.uniques.sort { $0.name < $1.name }
        table.foreignKeys.sort { $0.name < $1.name }
        table.checks.sort { $0.name < $1.name }
        table.indexes.sort { $0.name < $1.name }
        return table
    }
}

/// The primary key of a table.
package struct PrimaryKeyDefinition: Codable, Hashable, Sendable {
    package var name: String
    package var columns: [String]

    package init(name: String, columns: [String]) {
        self.name = name
        self.columns = columns
    }
}

/// A unique constraint.
package struct UniqueDefinition: Hashable, Sendable {
    package var name: String
    package var columns: [String]
    /// Checked when a statement ends instead of row by row, so that one `UPDATE` may hand a value from one row to another.
    /// Such a constraint cannot be the target of `ON CONFLICT`.
    package var isDeferrable: Bool
    /// Checked when the transaction is committed, unless that is said otherwise in it.
    package var isInitiallyDeferred: Bool
    /// Whether NULL equals NULL.
    package var nullsNotDistinct: Bool

    package init(
        name: String, columns: [String], isDeferrable: Bool = false, isInitiallyDeferred: Bool = false,
        nullsNotDistinct: Bool = false
    ) {
        self.name = name
        self.columns = columns
        self.isDeferrable = isDeferrable
        self.isInitiallyDeferred = isInitiallyDeferred
        self.nullsNotDistinct = nullsNotDistinct
    }

    /// The same about columns of other names; `nil` where one has none.
    package func renaming(_ name: (String) -> String?) -> UniqueDefinition? {
        var renamed = self
        renamed.columns = columns.compactMap(name)
        return renamed.columns.count == columns.count ? renamed : nil
    }

    /// Whether both do the same, whatever they are called.
    package func isSame(as other: UniqueDefinition) -> Bool {
        var renamed = other
        renamed.name = name
        return self == renamed
    }
}

/// What is as it is without a word has none: what was written before there were others means the same.
extension UniqueDefinition: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, columns, isDeferrable, isInitiallyDeferred, nullsNotDistinct
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            columns: try container.decode([String].self, forKey: .columns),
            isDeferrable: try container.decode(Bool.self, forKey: .isDeferrable),
            isInitiallyDeferred: try container.decodeIfPresent(Bool.self, forKey: .isInitiallyDeferred) ?? false,
            nullsNotDistinct: try container.decodeIfPresent(Bool.self, forKey: .nullsNotDistinct) ?? false)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(columns, forKey: .columns)
        try container.encode(isDeferrable, forKey: .isDeferrable)
        if isInitiallyDeferred { try container.encode(true, forKey: .isInitiallyDeferred) }
        if nullsNotDistinct { try container.encode(true, forKey: .nullsNotDistinct) }
    }
}
