import StrataModels

/// The keys by which rows of an `Encodable` type name their values, and the types of these.
package struct RowKeys {
    package let properties: [RowInsertPlan.NamedValue]

    /// Learns them from a row: an optional of a type that is encoded by the compiler's own code has its key also where it is `nil`.
    ///
    /// - Throws: ``SwiftDataError`` with the code `unsupportedFeature` for a type that is no list of keys and values; what the row throws.
    package init(of row: some Encodable) throws {
        let keys = Keys()
        try row.encode(to: KeyedValueEncoder(values: keys))
        guard !keys.isRefused else { throw Self.refusal(type(of: row)) }
        properties = keys.properties
    }

    static func refusal(_ type: Any.Type) -> SwiftDataError {
        SwiftDataError(
            .unsupportedFeature,
            "\(type) cannot be a row: it encodes itself as something else than keys with values. Insert values that have a property for each "
                + "one of the class, or name the properties by key paths.")
    }

    private final class Keys: KeyedValues {
        private(set) var properties: [RowInsertPlan.NamedValue] = []
        private(set) var isRefused = false

        func take<Value>(_ value: Value, _ key: String) { properties.append(.key(key, Value.self)) }
        func takeNothing(_ key: String) { properties.append(.key(key, nil)) }
        func refuse() { isRefused = true }
    }
}
