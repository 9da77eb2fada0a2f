/// Types of somebody else's columns that the server converts to the type of a model and back: what is read is cast to the one, what is written
/// to the other.
///
/// Each value comes back as it was, so nothing is lost; what is compared and sorted is what the model has, so that both mean the same as in
/// memory.
enum ColumnConversion {
    /// The type to which values are cast that are written; `nil` for a column that needs no conversion, or has none.
    ///
    /// - Parameter isEnumeration: whether the column's type, or that of its elements, is an enum type.
    static func writtenType(
        of type: ColumnType, in actual: ColumnType, isEnumeration: Bool
    ) -> String? {
        guard type != actual, type.isList == actual.isList, type.parameters.isEmpty else { return nil }
        let isConverted =
            switch (type.base, actual.base) {
            case (.text, .other(let name)):
                isEnumeration || texts.contains(baseName(name)) || type.isList && name == "varchar"
            case (.jsonb, .other("json")): true
            // The sessions of such a store are in UTC.
            case (.timestamptz, .other("timestamp")): type.isList
            default: false
            }
        guard isConverted else { return nil }
        // Without limits: an explicit cast to varchar(3) would cut a text where an assignment refuses it.
        return actual.base.name + (actual.isList ? "[]" : "")
    }

    /// Types with one text for each value, which the server reads as the same value.
    private static let texts: Set = ["citext", "inet", "cidr", "macaddr", "macaddr8", "name"]

    /// `citext` of `extensions.citext`, as it is printed where the search path does not lead there.
    private static func baseName(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }
}
