import StrataRepository

/// The Swift type that a column's values have in a model.
struct SwiftType: Hashable {
    enum Use: Hashable {
        case text, number, boolean, moment, day, time, uuid, data, document, list, range
        /// Of an enum type: its cases.
        case enumeration([PlannedEnumeration.Case])
    }

    var name: String
    var use: Use
    /// What has to be said of it, in a comment.
    var remark: String?

    /// `nil` for a type of which no model can have values.
    init?(_ type: ColumnType) {
        if let element = type.element {
            guard let element = SwiftType(element), element.use != .document, type.base != .other("bpchar"),
                type.base != .other("character"), type.base != .other("char")
            else { return nil }
            (name, use, remark) = ("[\(element.name)]", .list, element.remark)
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
        case .date: (name, use) = ("CalendarDate", .day)
        case .time: (name, use) = ("TimeOfDay", .time)
        case .interval: (name, use) = ("CalendarInterval", .time)
        case .jsonb: (name, use) = ("JSONValue", .document)
        case .other("int4range"): (name, use) = ("PostgresRange<Int32>", .range)
        case .other("int8range"): (name, use) = ("PostgresRange<Int>", .range)
        case .other("numrange"): (name, use) = ("PostgresRange<Decimal>", .range)
        case .other("daterange"): (name, use) = ("PostgresRange<CalendarDate>", .range)
        case .other("tstzrange"): (name, use) = ("PostgresRange<Date>", .range)
        case .other("varchar"), .other("character"), .other("bpchar"), .other("char"): (name, use) = ("String", .text)
        case .other("timestamp"):
            (name, use) = ("Date", .moment)
            remark = "Without a time zone in the database: read and written as UTC."
        case .other("json"):
            (name, use) = ("JSONValue", .document)
            remark =
                "json in the database: the text is not kept as it was written, with its blanks and the order of its keys."
        case .other(let type):
            guard Self.texts.contains(type.split(separator: ".").last.map(String.init) ?? type) else { return nil }
            (name, use) = ("String", .text)
            remark = "\(type) in the database: compared and sorted as its text."
        }
    }

    /// The enum of an enum type, or a list of it.
    init(_ enumeration: PlannedEnumeration, isList: Bool) {
        name = isList ? "[\(enumeration.name)]" : enumeration.name
        use = isList ? .list : .enumeration(enumeration.cases)
    }

    /// Types whose values are texts of a property: see `ColumnConversion`.
    private static let texts: Set = ["citext", "inet", "cidr", "macaddr", "macaddr8", "name"]

    /// What files have to import for it.
    static let foundationNames: Set<String> = ["Date", "Decimal", "Data", "UUID"]
}
