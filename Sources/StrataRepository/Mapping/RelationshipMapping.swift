package import StrataModels

/// How one relationship of one class lies in tables.
package final class RelationshipMapping: Sendable {
    package enum Storage: Sendable {
        /// The key of the target stands in a column of this side's own table.
        case foreignKey(Column)
        /// The key of this side stands in a column of the other side's table (`holder`).
        case inverseForeignKey(holder: EntityMapping, column: Column)
        /// Pairs of keys in a table of their own.
        case joinTable(JoinTable, own: KeyColumns, other: KeyColumns)
    }

    package let property: RelationshipProperty
    /// The class that declares the relationship.
    package unowned let owner: EntityMapping
    package unowned let destination: EntityMapping
    package let storage: Storage
    /// The relationship at the other end, if there is one.
    package let inverse: RelationshipProperty?
    /// Whether the column of an inverse foreign key belongs to no property of the other side.
    package let isHidden: Bool
    /// Where the order of the objects is kept, if it is.
    package let order: ListOrder?

    /// The columns of the foreign key by which the objects are related, where those are several.
    package var foreignKey: ForeignKeyColumns? {
        switch storage {
        case .foreignKey(let column), .inverseForeignKey(_, let column): column.foreignKey
        case .joinTable: nil
        }
    }

    init(
        _ property: RelationshipProperty, owner: EntityMapping, destination: EntityMapping, storage: Storage,
        inverse: RelationshipProperty?, isHidden: Bool = false, order: ListOrder? = nil
    ) {
        self.property = property
        self.owner = owner
        self.destination = destination
        self.storage = storage
        self.inverse = inverse
        self.isHidden = isHidden
        self.order = order
    }
}

/// The table of a many-to-many relationship: two keys, together unique.
package struct JoinTable: Sendable {
    /// What the model calls its constraints.
    struct GivenConstraints: Sendable {
        let key: String?
        /// The foreign keys to the two sides.
        let first: String?
        let second: String?
    }

    package let table: TableName
    /// The columns with the keys of the side that named the table, and of the other.
    package let firstKey: KeyColumns
    package let secondKey: KeyColumns
    /// The classes that declare the two relationships.
    package unowned let first: EntityMapping
    package unowned let second: EntityMapping
    /// The orders of the two sides, as far as they have one.
    package var orders: [ListOrder] = []
    /// `Trip.guests`, for messages.
    package let propertyName: String
    let constraints: GivenConstraints

    /// The columns with keys, which are the primary key.
    package var keyNames: [String] { firstKey.names + secondKey.names }
}
