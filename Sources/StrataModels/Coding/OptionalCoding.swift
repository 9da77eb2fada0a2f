public import StrataClient

/// An optional property: the same column, with NULL for `nil`.
public enum OptionalCoding<Wrapped: AttributeCoding>: AttributeCoding {
    public typealias Value = Wrapped.Value?

    public static var columnType: PostgresType { Wrapped.columnType }
    public static var transportType: PostgresType { Wrapped.transportType }
    public static var isOptional: Bool { true }
    public static var isComparable: Bool { Wrapped.isComparable }
    public static var placeholder: Wrapped.Value?? { .some(nil) }

    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Wrapped.Value? {
        guard let bytes else { return nil }
        return try Wrapped.decode(bytes)
    }

    public static func append(_ value: Wrapped.Value?, to array: inout PostgresArray) throws(PostgresError) {
        guard let value else { return array.appendNull() }
        try Wrapped.append(value, to: &array)
    }

    public static func append(_ value: Wrapped.Value?, to parameters: inout PostgresParameters) throws(PostgresError) {
        guard let value else { return parameters.appendNull(columnType) }
        try Wrapped.append(value, to: &parameters)
    }
}
