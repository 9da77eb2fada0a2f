import StrataRepository

/// Names of Swift for names of a database.
enum SwiftName {
    /// `order_details`, `OrderDetails`, `order details` → `["order", "details"]`, in small letters.
    static func words(_ name: String) -> [String] {
        var words: [String] = []
        var word = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            let previous = index > 0 ? characters[index - 1] : nil
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            let startsWord =
                character.isUppercase
                && (previous.map { $0.isLowercase || $0.isNumber || $0.isUppercase && next?.isLowercase == true }
                    ?? false)
            if startsWord, !word.isEmpty {
                words.append(word)
                word = ""
            }
            word += character.lowercased()
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// `["bucket", "list"]` → `bucketList`.
    static func lowerCamel(_ words: [String]) -> String {
        guard let first = words.first else { return "" }
        return first + words.dropFirst().map(capitalized).joined()
    }

    /// `["bucket", "list"]` → `BucketList`.
    static func upperCamel(_ words: [String]) -> String { words.map(capitalized).joined() }

    static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// `BucketList` → `bucketList`.
    static func decapitalized(_ name: String) -> String { lowerCamel(words(name)) }

    /// `bucket_list_items` → `BucketListItem`.
    static func className(ofTable table: String) -> String {
        var words = words(table)
        if let last = words.popLast() { words.append(EnglishNoun.singular(last)) }
        return identifier(upperCamel(words), prefix: "Table")
    }

    /// Whether a class can have this name, which stands in rows and cannot be made another: no word of Swift, and none of the names that
    /// generated files need.
    static func isClassName(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else {
            return false
        }
        return !reservedProperties.contains(name) && !reservedClasses.contains(name)
    }

    /// `first_name` → `firstName`. A key may have the name of every object's identifier.
    static func keyName(ofColumn column: String) -> String { column == "id" ? column : propertyName(ofColumn: column) }

    /// `NC-17` → `nc17`; `value` for a text without a letter or digit.
    static func caseName(ofLabel label: String) -> String {
        let name = lowerCamel(words(label))
        // `.none` would be an optional's, and `allCases` is the enumeration's own.
        if ["none", "allCases"].contains(name) { return name + "Value" }
        return name.isEmpty ? "value" : property(name.first?.isNumber == true ? "value" + name : name)
    }

    /// `first_name` → `firstName`.
    static func propertyName(ofColumn column: String) -> String { property(lowerCamel(words(column))) }

    /// A property of this name, with another where Swift or every model has it already.
    static func property(_ name: String) -> String {
        let name = identifier(name, prefix: "column")
        return reservedProperties.contains(name) ? name + "Value" : name
    }

    /// Many of what a class is the name of: `BucketListItem` → `bucketListItems`.
    static func plural(ofClass name: String) -> String { plural(words(name)) }

    static func plural(_ words: [String]) -> String {
        var words = words
        if let last = words.popLast() { words.append(EnglishNoun.plural(last)) }
        return property(lowerCamel(words))
    }

    /// Of a name that begins with a digit, or has no letter at all.
    private static func identifier(_ name: String, prefix: String) -> String {
        guard let first = name.first, !first.isNumber else { return prefix + name }
        return name
    }

    /// Swift's words, and what every model has.
    private static let reservedProperties: Set<String> = [
        "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
        "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in",
        "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while", "any", "some", "actor", "async",
        "id", "persistentModelID", "modelContext", "hasChanges", "isDeleted", "persistentBackingData", "schemaMetadata",
        "hashValue", "type",
    ]

    /// Names of types that generated files, or what `@Model` writes, use as others have them.
    static let reservedClasses: Set<String> = [
        "Any", "AnyKeyPath", "Array", "Attribute", "Bool", "CalendarDate", "CalendarInterval", "CaseIterable",
        "Character", "Codable", "Data", "Date", "Decimal",
        "Dictionary",
        "Double", "Encoder", "Decoder", "Equatable", "Error", "FetchDescriptor", "Float", "Foundation", "Hashable",
        "HistoryToken", "Identifiable", "Index", "Int", "Int16", "Int32", "Int64", "JSONValue", "KeyPath", "Model",
        "ModelActor", "ModelConfiguration", "ModelContainer", "ModelContext", "ModelProperty", "ModelState", "Never",
        "Optional",
        "PartialKeyPath", "PersistentIdentifier", "PersistentModel", "Predicate", "Relationship", "Result", "RowReader",
        "RowWriter", "Schema", "Self", "Sendable", "Sequence", "Set", "SortDescriptor", "Strata", "String", "Swift",
        "SwiftData", "Task", "TimeOfDay", "Transient", "Type", "UUID", "Unique", "VersionedSchema", "Void",
    ]
}
