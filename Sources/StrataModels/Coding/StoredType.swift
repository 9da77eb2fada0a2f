package import StrataClient

/// The type of a column that the server knows by its name, and converts to and from texts.
public struct StoredType: Hashable, Sendable {
    /// As SQL writes it: `vector(3)`, `cube[]`.
    package let name: String
    /// The extension that brings it; `nil` for a type that is built in.
    package let extensionName: String?
    /// Whether `=` in PostgreSQL says the same as `==` in Swift.
    package let isComparable: Bool

    package init<Value: PostgresTextCodable>(of type: Value.Type) {
        name = type.postgresTypeName
        extensionName = type.postgresExtension
        isComparable = type.isPostgresComparable
    }

    private init(name: String, _ element: StoredType) {
        self.name = name
        extensionName = element.extensionName
        isComparable = element.isComparable
    }

    /// The name without what limits the values: `vector` of `vector(3)`, `cube[]` of `cube[]`.
    package var unlimitedName: String {
        guard let open = name.firstIndex(of: "("), let close = name.lastIndex(of: ")"), open < close else {
            return name
        }
        return String(name[..<open] + name[name.index(after: close)...])
    }

    /// Why no column can be of it; `nil` where one can.
    var problem: String? {
        let form = /([a-z_][a-z0-9_]*(?:[. ][a-z_][a-z0-9_]*)*)(\([A-Za-z0-9_]+(?:,[A-Za-z0-9_]+)*\))?(?:\[\])?/
        guard let parts = name.wholeMatch(of: form) else { return "the catalogs print no type so" }
        let base = String(parts.1)
        if Self.aliases.contains(base) { return "the catalogs print that type under another name" }
        if Self.cut.contains(base) { return "a cast without a length cuts its values to one character" }
        if parts.2 != nil, Self.rounded.contains(base) { return "the server rounds its values to the limit" }
        return nil
    }

    private static let aliases: Set = [
        "int", "int2", "int4", "int8", "float", "float4", "float8", "bool", "decimal", "dec", "varchar", "varbit",
        "char",
    ]
    private static let cut: Set = ["character", "bit"]
    private static let rounded: Set = ["numeric", "time", "timestamp", "timestamptz", "timetz", "interval"]

    /// The type of lists of such values.
    var list: StoredType { StoredType(name: name + "[]", self) }
}
