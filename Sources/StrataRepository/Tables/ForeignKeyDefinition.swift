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

    package init(
        name: String, columns: [String], referencedSchema: String? = nil, referencedTable: String,
        referencedColumns: [String], onDelete: Action
    ) {
        self.name = name
        self.columns = columns
        self.referencedSchema = referencedSchema
        self.referencedTable = referencedTable
        self.referencedColumns = referencedColumns
        self.onDelete = onDelete
    }
}
