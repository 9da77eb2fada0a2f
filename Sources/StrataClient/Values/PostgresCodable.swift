/// A Swift type with a binary form on the server.
///
/// Conform your own type when one column holds it:
///
/// ```swift
/// struct Celsius: PostgresCodable {
///     var degrees: Double
///     static var postgresType: PostgresType { .float8 }
///     func encode(into buffer: inout PostgresBuffer) throws(PostgresError) { try degrees.encode(into: &buffer) }
///     init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
///         degrees = try Double(postgresBytes: postgresBytes)
///     }
/// }
/// ```
public protocol PostgresCodable: Sendable {
    /// The type of the parameter and, usually, of the column.
    static var postgresType: PostgresType { get }

    /// Whether a column of this type can be decoded; by default only `postgresType` itself.
    static func canDecode(_ type: UInt32) -> Bool

    /// Appends the value's binary form, without a length. Throws `.encoding` when the server cannot hold the value.
    func encode(into buffer: inout PostgresBuffer) throws(PostgresError)

    /// Reads the binary form. The bytes are valid only during the call. Throws `.decoding` when they do not fit.
    init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError)
}

extension PostgresCodable {
    /// Accepts exactly the type that is also sent.
    @inlinable
    public static func canDecode(_ type: UInt32) -> Bool {
        type == postgresType.oid
    }
}
