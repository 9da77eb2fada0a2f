package import StrataModels

/// A column that the server computes by what a class says (`#Generated`). Memory computes the property itself: the column is read by nobody but
/// predicates, orders and indexes, so that it is none of ``EntityMapping/columns``.
package struct GeneratedColumn: Sendable {
    /// The property's column.
    package let column: Column
    /// What it is computed by, of columns of the same table.
    package let expression: ColumnExpression
    /// The properties that it is computed from.
    package let sources: SlotSet
}
