package import StrataClient
package import StrataModels

/// What a column holds: values of a base type or lists of them, and what limits these.
///
/// Made where a descriptor, the catalogs or a frozen schema are read, and kept to the end: whoever has to know what a column holds asks
/// this value, and nobody its text.
package struct ColumnType: Hashable, Sendable {
    /// The types that Strata gives to columns of models. Columns of others may have any other, which is known by its name.
    package enum Base: Hashable, Sendable {
        case smallint, integer, bigint, numeric, real, double, boolean, text, bytea, uuid, timestamptz, date, time
        case interval, jsonb
        case other(String)
    }

    package var base: Base
    /// `10` and `2` of `numeric(10,2)`.
    package var parameters: [String]
    /// Whether the values are lists of the base type's: `text[]`.
    package var isList: Bool

    package init(_ base: Base, isList: Bool = false) {
        self.base = base
        parameters = []
        self.isList = isList
    }

    package static let bigint = ColumnType(.bigint)
    package static let boolean = ColumnType(.boolean)
    package static let bytea = ColumnType(.bytea)
    package static let jsonb = ColumnType(.jsonb)
    package static let text = ColumnType(.text)
    package static let timestamptz = ColumnType(.timestamptz)

    /// The type of a list's elements; `nil` for a type that is no list.
    package var element: ColumnType? {
        guard isList else { return nil }
        var type = self
        type.isList = false
        return type
    }

    /// Whether the values are whole numbers, such as keys.
    package var isInteger: Bool { !isList && base.isInteger }
}

extension ColumnType.Base {
    package var isInteger: Bool {
        switch self {
        case .smallint, .integer, .bigint: true
        case .numeric, .real, .double, .boolean, .text, .bytea, .uuid, .timestamptz, .date, .time, .interval, .jsonb,
            .other:
            false
        }
    }

    package var isNumber: Bool {
        switch self {
        case .smallint, .integer, .bigint, .numeric, .real, .double: true
        case .boolean, .text, .bytea, .uuid, .timestamptz, .date, .time, .interval, .jsonb, .other:
            false
        }
    }

    /// The short name, as SQL has it.
    package var name: String {
        switch self {
        case .smallint: "smallint"
        case .integer: "integer"
        case .bigint: "bigint"
        case .numeric: "numeric"
        case .real: "real"
        case .double: "double precision"
        case .boolean: "boolean"
        case .text: "text"
        case .bytea: "bytea"
        case .uuid: "uuid"
        case .timestamptz: "timestamptz"
        case .date: "date"
        case .time: "time"
        case .interval: "interval"
        case .jsonb: "jsonb"
        case .other(let name): name
        }
    }

    fileprivate init(named name: String) { self = Self.byName[name] ?? .other(name) }

    private static let byName: [String: Self] = {
        let known: [Self] = [
            .smallint, .integer, .bigint, .numeric, .real, .double, .boolean, .text, .bytea, .uuid, .timestamptz,
            .date, .time, .interval, .jsonb,
        ]
        return Dictionary(known.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }()
}

// MARK: - Reading and writing

extension ColumnType: CustomStringConvertible {
    /// As SQL writes it: `text`, `bigint[]`, `numeric(10,2)`.
    package var description: String {
        base.name + (parameters.isEmpty ? "" : "(\(parameters.joined(separator: ",")))") + (isList ? "[]" : "")
    }

    /// Reads what ``description`` writes; of any text the same comes back.
    package init(written text: String) {
        var name = Substring(text)
        isList = name.hasSuffix("[]")
        if isList { name = name.dropLast(2) }
        parameters = []
        if name.last == ")", let open = name.firstIndex(of: "(") {
            let list = name[name.index(after: open)...].dropLast()
            parameters = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            name = name[..<open]
        }
        base = Base(named: String(name))
    }

    /// Reads what the server's `format_type` prints: some names are the standard's long ones, with the parameter within.
    package init(printed text: String) {
        self.init(written: text)
        guard case .other(let name) = base else { return }
        if let short = Self.shortNames[name] {
            base = Base(named: short)
        } else if let open = name.firstIndex(of: "("), let close = name[open...].firstIndex(of: ")"),
            let short = Self.shortNames[String(name[..<open] + name[name.index(after: close)...])]
        {
            base = Base(named: short)
            parameters = [String(name[name.index(after: open)..<close])]
        }
    }

    private static let shortNames: [String: String] = [
        "character varying": "varchar", "timestamp with time zone": "timestamptz",
        "timestamp without time zone": "timestamp", "time with time zone": "timetz", "time without time zone": "time",
    ]

    /// The type that a property's values are stored as.
    package init(of type: PostgresType) { self.init(written: type.description) }

    /// The same, with the limits that the property has.
    package init(of column: Column) {
        if let stored = column.storedType {
            self.init(printed: stored.name)
            return
        }
        self.init(of: column.type)
        if let precision = column.precision { parameters = ["\(precision.precision)", "\(precision.scale)"] }
    }
}

extension ColumnType {
    /// `12` and `2` of `numeric(12,2)`; `nil` for all other types, and where anything is stored.
    package var precision: NumericPrecision? {
        guard base == .numeric, !isList, let precision = parameters.first.flatMap({ Int($0) }) else { return nil }
        return NumericPrecision(precision, scale: parameters.dropFirst().first.flatMap { Int($0) } ?? 0)
    }

    /// The same without limits.
    package var unlimited: ColumnType { ColumnType(base, isList: isList) }
}

extension ColumnType: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(written: text) }
}

extension ColumnType: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(written: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
