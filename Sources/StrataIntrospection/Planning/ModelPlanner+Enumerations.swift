import StrataRepository

/// Enums of Swift for enum types.
extension ModelPlanner {
    /// Names are claimed behind those of classes, in the order of the types.
    mutating func nameEnumerations() {
        for (type, labels) in database.enumerations.sorted(by: { $0.key < $1.key }) {
            // `public.mood`, and `"Mood"`.
            let last = type.split(separator: ".").last.map { $0.filter { $0 != "\"" } } ?? type
            let name = SwiftName.className(ofTable: last)
            var taken: Set<String> = []
            let cases = labels.map { label in
                PlannedEnumeration.Case(name: Self.free([SwiftName.caseName(ofLabel: label)], &taken), label: label)
            }
            enumerations[type] = PlannedEnumeration(
                name: Self.freeType([name, name + "Value"], &typeNames), type: type, cases: cases)
        }
    }

    /// The Swift type of a column; `nil` for one that no property has.
    mutating func swiftType(of column: ColumnDefinition) -> SwiftType? {
        guard let enumeration = enumerations[column.type.base.name] else { return SwiftType(column.type) }
        // An enum without a case can hold nothing.
        guard !enumeration.cases.isEmpty else { return nil }
        enumerations[column.type.base.name]?.isUsed = true
        return SwiftType(enumeration, isList: column.type.isList)
    }
}
