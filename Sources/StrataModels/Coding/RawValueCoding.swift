public import StrataClient

/// An enum (or struct) with a raw value: stored as the raw value.
public enum RawValueCoding<Value: RawRepresentable>: AttributeCoding where Value.RawValue: PostgresCodable {
    /// The type of the raw value's column: `text` for a `String`, `bigint` for an `Int`.
    public static var columnType: PostgresType { Value.RawValue.postgresType }
    /// None: no case stands for nothing. Without a default the property is part of every fetch.
    public static var placeholder: Value? { nil }

    /// Makes the value from the stored raw value.
    ///
    /// - Throws: `PostgresError` with the code `decoding` for NULL and for a raw value that the type does not know.
    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Value {
        guard let bytes else { throw unexpectedNull(Value.self) }
        let raw = try Value.RawValue(postgresBytes: bytes)
        guard let value = Value(rawValue: raw) else {
            throw PostgresError(
                .decoding, "the stored value is not a raw value of \(Value.self)",
                underlying: CodingNote("stored: \(raw)"))
        }
        return value
    }

    /// Appends the raw value to an array parameter.
    public static func append(_ value: Value, to array: inout PostgresArray) throws(PostgresError) {
        try array.append(value.rawValue)
    }

    /// Appends the raw value as one parameter.
    public static func append(_ value: Value, to parameters: inout PostgresParameters) throws(PostgresError) {
        try parameters.append(value.rawValue)
    }
}

/// An array of enums with raw values: a PostgreSQL array of the raw values.
public enum RawValueArrayCoding<Element: RawRepresentable>: AttributeCoding where Element.RawValue: PostgresCodable {
    /// The array, in the order in which it was stored.
    public typealias Value = [Element]
    private typealias Raw = ScalarCoding<[Element.RawValue]>

    /// The array type of the raw value's type, such as `text[]`.
    public static var columnType: PostgresType { Raw.columnType }
    /// `text`: an array of arrays of different lengths does not exist in PostgreSQL (manual, 8.15).
    public static var transportType: PostgresType { .text }
    /// The empty array.
    public static var placeholder: [Element]? { [] }

    /// Makes each element from its raw value.
    ///
    /// - Throws: `PostgresError` with the code `decoding` for NULL and for a raw value that the type does not know.
    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> [Element] {
        let raws = try Raw.decode(bytes)
        var values: [Element] = []
        values.reserveCapacity(raws.count)
        for raw in raws {
            guard let value = Element(rawValue: raw) else {
                throw PostgresError(
                    .decoding, "a stored element is not a raw value of \(Element.self)",
                    underlying: CodingNote("stored: \(raw)"))
            }
            values.append(value)
        }
        return values
    }

    /// Appends the raw values, in PostgreSQL's text form of an array, to an array parameter.
    public static func append(_ value: [Element], to array: inout PostgresArray) throws(PostgresError) {
        try Raw.append(value.map(\.rawValue), to: &array)
    }

    /// Appends the raw values as one array parameter.
    public static func append(_ value: [Element], to parameters: inout PostgresParameters) throws(PostgresError) {
        try parameters.append(value.map(\.rawValue))
    }
}
