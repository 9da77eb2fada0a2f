/// A foreign key.
package struct ForeignKeyDefinition: Codable, Hashable, Sendable {
    /// What deleting the referenced row does.
    package enum Action: String, Codable, Hashable, Sendable {
        case noAction = "NO ACTION"
        case restrict = "RESTRICT"
        case cascade = "CASCADE"
        case setNull = "SET NULL"
        case setDefault = "SET DEFAULT"
    }

    package var name: String
    package var columns: [String]
    /// The schema of the referenced table, where it is another one than the table's own.
    package var referencedSchema: String?
    package var referencedTable: String
    package var referencedColumns: [String]
    package var onDelete: Action
    /// The columns that `SET NULL` empties, where those are not all; absent otherwise.
    package var emptied: [String]?

    package init(
        name: String, columns: [String], referencedSchema: String? = nil, referencedTable: String,
        referencedColumns: [String], onDelete: Action, emptied: [String]? = nil
    ) {
        self.name = name
        self.columns = columns
        self.referencedSchema = referencedSchema
        self.referencedTable = referencedTable
        self.referencedColumns = referencedColumns
        self.onDelete = onDelete
        self.emptied = emptied
    }

    /// Which column leads to which: the order in which a constraint lists them says nothing.
    private var pairs: Set<[String]> { Set(zip(columns, referencedColumns).map { [$0, $1] }) }

    /// Whether a row refers to the same row of the same table by both.
    func refersAs(_ other: ForeignKeyDefinition) -> Bool {
        pairs == other.pairs && referencedTable == other.referencedTable && referencedSchema == other.referencedSchema
    }

    /// Of a foreign key that compares more columns than a key, the same by the columns of the key alone: these say which row it is.
    ///
    /// The others have to be NOT NULL, because a foreign key with a NULL in it is not looked at, and no rule may write them.
    ///
    /// - Parameters:
    ///   - key: the columns of the key in the other table.
    ///   - table: the one that has the foreign key.
    /// - Returns: `nil` where the key alone does not say it.
    package func narrowed(to key: [String], in table: TableDefinition) -> ForeignKeyDefinition? {
        let pairs = zip(columns, referencedColumns).map { (column: $0, referenced: $1) }
        let own = pairs.filter { key.contains($0.referenced) }
        guard !key.isEmpty, own.count == key.count, pairs.count > key.count, onDelete != .setDefault,
            pairs.allSatisfy({ key.contains($0.referenced) || table.column(named: $0.column)?.isNullable == false })
        else { return nil }
        let left = emptied ?? columns
        guard onDelete != .setNull || Set(left).isSubset(of: own.map(\.column)) else { return nil }
        var narrowed = self
        (narrowed.columns, narrowed.referencedColumns) = (own.map(\.column), own.map(\.referenced))
        if onDelete == .setNull, Set(left) == Set(narrowed.columns) { narrowed.emptied = nil }
        return narrowed
    }
}
