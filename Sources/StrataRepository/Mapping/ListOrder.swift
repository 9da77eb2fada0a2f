import StrataClient
import StrataModels

/// Where an ordered to-many relationship keeps the order of its objects: in a column with positions, beside the key of
/// the owner.
///
/// Rows come by position, then by key; those without a position, which other programs have written, come last.
package struct ListOrder: Sendable {
    package let table: TableName
    /// The column with keys of the objects that have the relationship.
    package let owner: String
    /// The column with keys of the objects it leads to.
    package let target: String
    /// What the keys in these two columns are.
    let ownerKind: RowKey.Kind
    let targetKind: RowKey.Kind
    /// The column with the positions.
    package let position: Column

    /// Whether the rows are pairs, in a table of their own.
    package let isOfPairs: Bool

    init(
        _ property: RelationshipProperty, table: TableName, owner: (column: String, kind: RowKey.Kind),
        target: (column: String, kind: RowKey.Kind), isOfPairs: Bool, isSecond: Bool = false
    ) {
        self.table = table
        (self.owner, ownerKind) = owner
        (self.target, targetKind) = target
        self.isOfPairs = isOfPairs
        position = Column(
            name: Naming.positionColumn(of: property, isSecond: isSecond), type: .int8, transportType: .int8,
            isNullable: true,
            slot: nil, propertyName: property.qualifiedName, isExternal: false)
    }
}
