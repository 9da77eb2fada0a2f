public import StrataClient

/// An enum (or struct) with a raw value: stored as the raw value.
public enum RawValueCoding<Value: RawRepresentable>: AttributeCoding where Value.RawValue: PostgresCodable {
    public static var columnType: PostgresType { Value.RawValue.postgresType }
    public static var placeholder: Value? { nil }

    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Value {
        guard let bytes else { throw unexpectedNull(Value.self) }
        let raw = try Value.RawValue(postgresBytes: bytes)
        guard let value = Value(rawValue: raw) else {
            throw PostgresError(.decoding, "the stored value is not a raw value of \(Value.self)", underlying: CodingNote("stored: \(raw)"))
        }
        return value
    }

    public static func append(_ value: Value, to array: inout PostgresArray) throws(PostgresError) {
        try array.append(value.rawValue)
    }

    public static func append(_ value: Value, to parameters: inout PostgresParameters) throws(PostgresError) {
        try parameters.append(value.rawValue)
    }
}

/// An array of enums with raw values: a PostgreSQL array of the raw values.
public enum RawValueArrayCoding<Element: RawRepresentable>: AttributeCoding where Element.RawValue: PostgresCodable {
    public typealias Value = [Element]
    private typealias Raw = ScalarCoding<[Element.RawValue]>

    public static var columnType: PostgresType { Raw.columnType }
    public static var transportType: PostgresType { .text }
    public static var placeholder: [Element]? { [] }

    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> [Element] {
        let raws = try Raw.decode(bytes)
        var values: [Element] = []
        values.reserveCapacity(raws.count)
        for raw in raws {
            guard let value = Element(rawValue: raw) else {
                throw PostgresError(.decoding, "a stored element is not a raw value of \(Element.self)", underlying: CodingNote("stored: \(raw)"))
            }
            values.append(value)
        }
        return values
    }

    public static func append(_ value: [Element], to array: inout PostgresArray) throws(PostgresError) {
        try Raw.append(value.map(\.rawValue), to: &array)
    }

    public static func append(_ value: [Element], to parameters: inout PostgresParameters) throws(PostgresError) {
        try parameters.append(value.map(\.rawValue))
    }
}
