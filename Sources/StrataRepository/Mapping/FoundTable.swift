/// What somebody else's table is where it is not what the model has. Opening looks at the tables and makes the mapping with it (decision 0040).
package struct FoundTable: Sendable {
    /// The key, or the first reference, that is a smaller number than the model's, with its type.
    package var narrow: (name: String, type: String)?
    /// The first moment without a time zone.
    package var withoutTimeZone: String?
    /// By column, the types in which the server keeps less of a value than the model has: a text is filled with blanks, a number rounded.
    package var rounding: [String: String] = [:]

    /// By column with a part of the key, its type where keys of its kind have another: `bpchar`, `timestamp`.
    package var keyTypes: [String: String] = [:]
    /// By column, how the server converts what is read and what is written: of an enum type, to `text` and to the type itself.
    package var converted: [String: ColumnConversion] = [:]
    /// Of a subclass's table: whether a row stays, or is in the way, when the superclass's row is deleted. No foreign key deletes it.
    package var staysBehind = false
    /// Whether tables of other classes inherit from the table: a statement has to say that it is about the rows of this one (manual, 5.10).
    package var hasHeirs = false

    package init() {}
}
