import StrataRepository

/// The Swift type that a column's values have in a model.
struct SwiftType: Hashable {
    enum Use { case text, number, boolean, moment, uuid, data, document, list }

    var name: String
    var use: Use
    /// What has to be said of it, in a comment.
    var remark: String?

    /// `nil` for a type of which no model can have values.
    init?(_ type: ColumnType) {
        if let element = type.element {
            // An array in the database has exactly the type of its elements; what stands in for another type cannot be within one.
            guard let element = SwiftType(element), element.use != .document, Self.isListed(type.base) else {
                return nil
            }
            (name, use) = ("[\(element.name)]", .list)
            return
        }
        switch type.base {
        case .smallint: (name, use) = ("Int16", .number)
        case .integer: (name, use) = ("Int32", .number)
        case .bigint: (name, use) = ("Int", .number)
        case .numeric: (name, use) = ("Decimal", .number)
        case .real: (name, use) = ("Float", .number)
        case .double: (name, use) = ("Double", .number)
        case .boolean: (name, use) = ("Bool", .boolean)
        case .text: (name, use) = ("String", .text)
        case .bytea: (name, use) = ("Data", .data)
        case .uuid: (name, use) = ("UUID", .uuid)
        case .timestamptz: (name, use) = ("Date", .moment)
        case .jsonb: (name, use) = ("JSONValue", .document)
        case .other("varchar"), .other("character"), .other("bpchar"), .other("char"): (name, use) = ("String", .text)
        case .other("timestamp"):
            (name, use) = ("Date", .moment)
            remark = "Without a time zone in the database: read and written as UTC."
        case .other: return nil
        }
    }

    private static func isListed(_ base: ColumnType.Base) -> Bool {
        if case .other = base { return false }
        return true
    }

    /// What files have to import for it.
    static let foundationNames: Set<String> = ["Date", "Decimal", "Data", "UUID"]
}
