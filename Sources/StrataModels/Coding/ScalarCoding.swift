public import StrataClient

/// A type with a PostgreSQL type of its own: `String`, the integers, `Double`, `Date`, … and arrays of them.
public enum ScalarCoding<Value: PostgresCodable>: AttributeCoding {
    /// The PostgreSQL type of the Swift type, such as `text` for `String` and `timestamptz` for `Date`.
    public static var columnType: PostgresType { Value.postgresType }
    /// The column's type, or `text` where it has no array type of its own: for columns that are arrays.
    public static var transportType: PostgresType { Value.postgresType.arrayOID == 0 ? .text : Value.postgresType }
    /// The type's value that says nothing (0, `""`, `[]`, …), if it has one.
    public static var placeholder: Value? { (Value.self as? any NeutralValue.Type)?.neutral as? Value }

    /// Reads the type's binary form.
    ///
    /// - Throws: `PostgresError` with the code `decoding` for NULL and for bytes that do not fit.
    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Value {
        guard let bytes else { throw unexpectedNull(Value.self) }
        return try Value(postgresBytes: bytes)
    }

    /// Appends the value to an array parameter; an array goes in PostgreSQL's text form (manual, 8.15.6).
    public static func append(_ value: Value, to array: inout PostgresArray) throws(PostgresError) {
        // Asked first, because looking for a conformance takes longer than all the rest.
        if Value.postgresType.arrayOID == 0, let list = value as? any ArrayLiteralConvertible {
            try array.append(list.arrayLiteral())
        } else {
            try array.append(value)
        }
    }

    /// Appends the value as one parameter in binary form.
    public static func append(_ value: Value, to parameters: inout PostgresParameters) throws(PostgresError) {
        try parameters.append(value)
    }
}
