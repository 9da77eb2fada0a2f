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

    /// Whether the other one compares these columns, and others too.
    func isPart(of other: ForeignKeyDefinition) -> Bool {
        pairs.isSubset(of: other.pairs) && referencedTable == other.referencedTable
            && referencedSchema == other.referencedSchema
    }
}
