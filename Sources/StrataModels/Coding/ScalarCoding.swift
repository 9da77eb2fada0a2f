public import StrataClient

/// A type with a PostgreSQL type of its own: `String`, the integers, `Double`, `Date`, … and arrays of them.
public enum ScalarCoding<Value: PostgresCodable>: AttributeCoding {
    public static var columnType: PostgresType { Value.postgresType }
    public static var transportType: PostgresType { Value.postgresType.arrayOID == 0 ? .text : Value.postgresType }
    public static var placeholder: Value? { (Value.self as? any NeutralValue.Type)?.neutral as? Value }

    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Value {
        guard let bytes else { throw unexpectedNull(Value.self) }
        return try Value(postgresBytes: bytes)
    }

    public static func append(_ value: Value, to array: inout PostgresArray) throws(PostgresError) {
        if let list = value as? any ArrayLiteralConvertible {
            try array.append(list.arrayLiteral())
        } else {
            try array.append(value)
        }
    }

    public static func append(_ value: Value, to parameters: inout PostgresParameters) throws(PostgresError) {
        try parameters.append(value)
    }
}
