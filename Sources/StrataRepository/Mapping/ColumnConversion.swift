/// How the server converts the values of a column to the type of a model and back: what is read is cast to the one, what is written to the
/// other. So are columns of somebody else's, and those of a type that a model knows by its name.
///
/// Each value comes back as it was, so nothing is lost; what is compared and sorted is what the model has, so that both mean the same as in
/// memory.
package struct ColumnConversion: Sendable {
    /// The type of the model.
    let read: String
    /// The type of the column, to which values are cast that are written.
    let written: String

    /// What stands before a column and behind it where it is read in the type of the model. A cast of an address to text has its netmask
    /// always, which nobody else shows (PostgreSQL manual, 9.12), and so has a cast of each element of a list.
    var reading: (before: String, after: String) {
        switch written {
        // Unsaved values stand there as texts.
        case "inet": ("pg_catalog.abbrev((", ")::pg_catalog.inet)")
        case "inet[]": ("", "::text::\(read)")
        default: ("", "::\(read)")
        }
    }

    /// What stands in the column, in the type of the model.
    func reading(_ column: String) -> String { reading.before + column + reading.after }

    /// A value for the column.
    func writing(_ value: String) -> String { "\(value)::\(written)" }
}
