public import StrataClient

/// A type of the user's own, stored in a type that the server knows by its name: `vector(3)`, `int4range`.
public enum TextFormCoding<Value: PostgresTextCodable>: AttributeCoding {
    /// `text`: what the value is on its way to the server and back.
    public static var columnType: PostgresType { .text }
    /// What the column has, to which the server converts.
    public static var storedType: StoredType? { StoredType(of: Value.self) }
    /// None: no value of an unknown type can be made up. Without a default the property is part of every fetch.
    public static var placeholder: Value? { nil }
    /// The server may have written a value in other words: `1.50` and `1.5` are one number.
    public static var isComparable: Bool { false }

    /// Reads what the type's output function wrote.
    ///
    /// - Throws: `PostgresError` with the code `decoding` for NULL and for a text that the type does not take.
    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Value {
        guard let bytes else { throw unexpectedNull(Value.self) }
        return try value(of: String(postgresBytes: bytes))
    }

    /// Appends the text to an array parameter.
    public static func append(_ value: Value, to array: inout PostgresArray) throws(PostgresError) {
        try array.append(value.postgresText)
    }

    /// Appends the text as one parameter.
    public static func append(_ value: Value, to parameters: inout PostgresParameters) throws(PostgresError) {
        try parameters.append(value.postgresText)
    }

    fileprivate static func value(of text: String) throws(PostgresError) -> Value {
        guard let value = Value(postgresText: text) else {
            throw PostgresError(
                .decoding, "what \(Value.postgresTypeName) holds is no value of \(Value.self)",
                underlying: CodingNote("stored: \(text)"))
        }
        return value
    }
}

/// An array of such values: a PostgreSQL array of the stored type.
public enum TextFormArrayCoding<Element: PostgresTextCodable>: AttributeCoding {
    /// The array, in the order in which it was stored.
    public typealias Value = [Element]
    private typealias Texts = ScalarCoding<[String]>

    /// `text[]`.
    public static var columnType: PostgresType { Texts.columnType }
    /// What the column has, to which the server converts.
    public static var storedType: StoredType? { StoredType(of: Element.self).list }
    /// `text`: an array of arrays of different lengths does not exist in PostgreSQL (manual, 8.15).
    public static var transportType: PostgresType { .text }
    /// The empty array.
    public static var placeholder: [Element]? { [] }
    /// The server may have written a value in other words.
    public static var isComparable: Bool { false }

    /// Reads each element from its text.
    ///
    /// - Throws: `PostgresError` with the code `decoding` for NULL and for a text that the type does not take.
    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> [Element] {
        var values: [Element] = []
        for text in try Texts.decode(bytes) { values.append(try TextFormCoding<Element>.value(of: text)) }
        return values
    }

    /// Appends the texts, in PostgreSQL's text form of an array, to an array parameter.
    public static func append(_ value: [Element], to array: inout PostgresArray) throws(PostgresError) {
        try Texts.append(value.map(\.postgresText), to: &array)
    }

    /// Appends the texts as one array parameter.
    public static func append(_ value: [Element], to parameters: inout PostgresParameters) throws(PostgresError) {
        try parameters.append(value.map(\.postgresText))
    }
}
