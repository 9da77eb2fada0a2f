public import StrataClient

/// An optional property: the same column, with NULL for `nil`.
public enum OptionalCoding<Wrapped: AttributeCoding>: AttributeCoding {
    /// The wrapped coding's value, or `nil`.
    public typealias Value = Wrapped.Value?

    /// The type of the wrapped coding's column.
    public static var columnType: PostgresType { Wrapped.columnType }
    /// The type in which the wrapped coding's values travel.
    public static var transportType: PostgresType { Wrapped.transportType }
    /// The wrapped coding's.
    public static var storedType: StoredType? { Wrapped.storedType }
    /// Always `true`: the column may be NULL.
    public static var isOptional: Bool { true }
    /// As the wrapped coding; NULL equals NULL when an old value is compared.
    public static var isComparable: Bool { Wrapped.isComparable }
    /// The wrapped coding's.
    public static var obstacle: String? { Wrapped.obstacle }
    /// Always `nil`, the value of an optional property that has none.
    public static var placeholder: Wrapped.Value?? { .some(nil) }

    /// Reads `nil` from NULL, everything else as the wrapped coding does.
    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Wrapped.Value? {
        guard let bytes else { return nil }
        return try Wrapped.decode(bytes)
    }

    /// Appends NULL for `nil`, everything else as the wrapped coding does.
    public static func append(_ value: Wrapped.Value?, to array: inout PostgresArray) throws(PostgresError) {
        guard let value else { return array.appendNull() }
        try Wrapped.append(value, to: &array)
    }

    /// Appends NULL (of the column's type) for `nil`, everything else as the wrapped coding does.
    public static func append(_ value: Wrapped.Value?, to parameters: inout PostgresParameters) throws(PostgresError) {
        guard let value else { return parameters.appendNull(columnType) }
        try Wrapped.append(value, to: &parameters)
    }
}
