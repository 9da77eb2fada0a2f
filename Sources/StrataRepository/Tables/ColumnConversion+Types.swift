import StrataModels

/// Which types of columns the server converts.
extension ColumnConversion {
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
        // Without limits: an explicit cast to varchar(3) would cut a text where an assignment refuses it.
        self.init(read: type.description, written: actual.base.name + (actual.isList ? "[]" : ""))
    }

    /// What the properties of a class say that it declares itself, by their columns: lists are read as lists of texts.
    static func declared(in descriptor: ModelDescriptor) -> [String: ColumnConversion] {
        var conversions: [String: ColumnConversion] = [:]
        for slot in descriptor.ownSlots {
            guard let attribute = descriptor.properties[slot] as? AnyAttributeProperty, !attribute.isEphemeral,
                let stored = attribute.storedType
            else { continue }
            conversions[Naming.column(of: attribute)] = ColumnConversion(
                read: attribute.columnType.description, written: stored.unlimitedName)
        }
        return conversions
    }

    /// Types with one text for each value, which the server reads as the same value.
    private static let texts: Set = ["citext", "inet", "cidr", "macaddr", "macaddr8", "name"]

    /// `citext` of `extensions.citext`, as it is printed where the search path does not lead there.
    private static func baseName(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }
}
