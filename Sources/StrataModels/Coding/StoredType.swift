import StrataClient

/// The type of a column that the server knows by its name, and converts to and from texts.
public struct StoredType: Hashable, Sendable {
    /// As SQL writes it: `vector(3)`, `cube[]`.
    package let name: String
    /// The extension that brings it; `nil` for a type that is built in.
    package let extensionName: String?
    /// Whether `=` in PostgreSQL says the same as `==` in Swift.
    package let isComparable: Bool

    init<Value: PostgresTextCodable>(of type: Value.Type) {
        name = type.postgresTypeName
        extensionName = type.postgresExtension
        isComparable = type.isPostgresComparable
    }

    private init(name: String, _ element: StoredType) {
        self.name = name
        extensionName = element.extensionName
        isComparable = element.isComparable
    }

    /// The type of lists of such values.
    var list: StoredType { StoredType(name: name + "[]", self) }
}
