import StrataClient
import StrataModels

/// Where an ordered to-many relationship keeps the order of its objects: in a column with positions, beside the key of
/// the owner.
///
/// Rows come by position, then by key; those without a position, which other programs have written, come last.
package struct ListOrder: Sendable {
    package var table: TableName { holder?.table ?? pairs }
    private let pairs: TableName
    /// The class in whose table the positions stand, and which knows what was found there; `nil` for pairs.
    private unowned let holder: EntityMapping?
    /// The columns with keys of the objects that have the relationship.
    let owner: KeyColumns
    /// The columns with keys of the objects it leads to.
    let target: KeyColumns
    /// The column with the positions.
    package let position: Column

    /// Whether the rows are pairs, in a table of their own.
    package let isOfPairs: Bool

    init(
        _ property: RelationshipProperty, table: TableName, owner: KeyColumns, target: KeyColumns, isOfPairs: Bool,
        isSecond: Bool = false, holder: EntityMapping? = nil
    ) {
        (pairs, self.holder) = (table, holder)
        (self.owner, self.target) = (owner, target)
        self.isOfPairs = isOfPairs
        position = Column(
            name: Naming.positionColumn(of: property, isSecond: isSecond), type: .int8, transportType: .int8,
            isNullable: true,
            slot: nil, propertyName: property.qualifiedName, isExternal: false)
    }
}
