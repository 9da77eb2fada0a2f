/// Types of somebody else's columns that the server converts to the type of a model and back: what is read is cast to the one, what is written
/// to the other.
///
/// Each value comes back as it was, so nothing is lost; what is compared and sorted is what the model has, so that both mean the same as in
/// memory.
package struct ColumnConversion: Sendable {
    /// The type of the model.
    let read: String
    /// The type of the column, to which values are cast that are written.
    let written: String

    /// `nil` for a column that needs no conversion, or has none.
    ///
    /// - Parameter isEnumeration: whether the column's type, or that of its elements, is an enum type.
    init?(of type: ColumnType, in actual: ColumnType, isEnumeration: Bool) {
        guard type != actual, type.isList == actual.isList, type.parameters.isEmpty else { return nil }
        let isConverted =
            switch (type.base, actual.base) {
            case (.text, .other(let name)):
                isEnumeration || Self.texts.contains(Self.baseName(name)) || type.isList && name == "varchar"
            case (.jsonb, .other("json")): true
            // The sessions of such a store are in UTC.
            case (.timestamptz, .other("timestamp")): type.isList
            default: false
            }
        guard isConverted else { return nil }
        read = type.description
        // Without limits: an explicit cast to varchar(3) would cut a text where an assignment refuses it.
        written = actual.base.name + (actual.isList ? "[]" : "")
    }

    /// What stands before a column and behind it where it is read in the type of the model. A cast of an address to text has its netmask
    /// always, which nobody else shows (PostgreSQL manual, 9.12), and so has a cast of each element of a list.
    private var reading: (before: String, after: String) {
        switch written {
        // Unsaved values stand there as texts.
        case "inet": ("pg_catalog.abbrev((", ")::pg_catalog.inet)")
        case "inet[]": ("", "::text::\(read)")
        default: ("", "::\(read)")
        }
    }

    /// What stands in the column, in the type of the model.
    func reading(_ column: String) -> String { reading.before + column + reading.after }

    /// The same as an operand of anything.
    func reading(_ column: SQLFragment) -> SQLFragment { "(\(raw: reading.before)\(column)\(raw: reading.after))" }

    /// A value for the column.
    func writing(_ value: String) -> String { "\(value)::\(written)" }

    /// The same for an expression.
    func writing(_ value: SQLFragment) -> SQLFragment { "(\(value))::\(raw: written)" }

    /// Types with one text for each value, which the server reads as the same value.
    private static let texts: Set = ["citext", "inet", "cidr", "macaddr", "macaddr8", "name"]

    /// `citext` of `extensions.citext`, as it is printed where the search path does not lead there.
    private static func baseName(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }
}
