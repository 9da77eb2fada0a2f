public import StrataClient

/// How values of one Swift type are stored in one column: the column's type, decoding and encoding.
///
/// `_storage(of:)` picks the coding of a property at compile time, once; everything after that is generic over it.
public protocol AttributeCoding: SendableMetatype {
    /// The type of the property in Swift.
    associatedtype Value
    /// The type of the column.
    static var columnType: PostgresType { get }
    /// The type in which a value travels as an element of an array parameter: the column's, or `text` with a cast where
    /// an array cannot hold the column's type (arrays of arrays are one flat array to PostgreSQL).
    static var transportType: PostgresType { get }
    /// The column's type where the server converts its values to ``columnType`` and back; `nil` where the column is of that type.
    static var storedType: StoredType? { get }
    /// Whether the column may be NULL.
    static var isOptional: Bool { get }
    /// What a failed load yields where the property has no default; `nil` where the type has no neutral value.
    static var placeholder: Value? { get }
    /// What a failed load yields where there is neither a default nor a placeholder; `nil` when no value can be made up.
    static var standIn: Value? { get }
    /// Whether equal values always have equal stored forms, so that an old value can be compared in SQL.
    static var isComparable: Bool { get }
    /// Why no value can be stored now, if none can; asked when a container is made.
    static var obstacle: String? { get }

    /// Reads a value from the binary form that the server sent.
    /// - Parameter bytes: the binary form, `nil` for NULL.
    static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Value
    /// Appends a value to the array parameter that carries a column of many rows, in ``transportType``.
    ///
    /// - Throws: `PostgresError` with the code `encoding` for a value that the type cannot hold.
    static func append(_ value: Value, to array: inout PostgresArray) throws(PostgresError)
    /// Appends a value as a parameter of its own, in ``columnType``: what predicates and look-ups send.
    ///
    /// - Throws: `PostgresError` with the code `encoding` for a value that the type cannot hold.
    static func append(_ value: Value, to parameters: inout PostgresParameters) throws(PostgresError)
}

extension AttributeCoding {
    /// The first case of an enum, zeros and empty texts for other types.
    public static var standIn: Value? { StandInValue.make(Value.self) }
    /// The column's own type, unless a coding says otherwise.
    public static var transportType: PostgresType { columnType }
    /// None: nothing is converted, unless a coding says otherwise.
    public static var storedType: StoredType? { nil }
    /// `NOT NULL`, unless a coding says otherwise.
    public static var isOptional: Bool { false }
    /// None, unless a coding says otherwise.
    public static var obstacle: String? { nil }
    /// Comparable, unless a coding says otherwise.
    public static var isComparable: Bool { true }
}

/// NULL arrived for a property that is not optional.
func unexpectedNull(_ type: Any.Type) -> PostgresError {
    PostgresError(.decoding, "NULL was read for a value of type \(type), which is not optional")
}

/// The part of a coding error that may hold a stored value: shown by `debugDescription` only.
struct CodingNote: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
