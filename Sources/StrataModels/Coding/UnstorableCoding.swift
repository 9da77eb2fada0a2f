public import StrataClient

/// Stands in for the coding of a type that has none, so that the compiler reports one error and not what follows from it.
/// No program that compiles uses it.
public enum _UnstorableCoding<Value>: AttributeCoding {
    /// A column that is never made.
    public static var columnType: PostgresType { .jsonb }
    /// None.
    public static var placeholder: Value? { nil }
    /// Always throws.
    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Value { throw unstorable }
    /// Always throws.
    public static func append(_ value: Value, to array: inout PostgresArray) throws(PostgresError) { throw unstorable }
    /// Always throws.
    public static func append(_ value: Value, to parameters: inout PostgresParameters) throws(PostgresError) {
        throw unstorable
    }

    private static var unstorable: PostgresError { PostgresError(.encoding, "\(Value.self) cannot be stored.") }
}
