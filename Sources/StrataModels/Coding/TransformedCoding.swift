public import Foundation
public import StrataClient

/// Turns a value into the bytes that are stored, and back: what `@Attribute(.transformable(by:))` names.
///
/// Foundation's `ValueTransformer` does not exist on Linux; this protocol takes its place.
public protocol AttributeTransformer: SendableMetatype {
    associatedtype Value
    /// The stored form (`bytea`). Whatever it throws is reported with the property's name.
    static func transformed(_ value: Value) throws -> Data
    static func restored(_ data: Data) throws -> Value
}

/// A property stored through an ``AttributeTransformer``: `bytea`.
public enum TransformedCoding<Transformer: AttributeTransformer>: AttributeCoding {
    public typealias Value = Transformer.Value

    public static var columnType: PostgresType { .bytea }
    public static var placeholder: Value? { nil }
    /// A transformer need not write the same bytes twice.
    public static var isComparable: Bool { false }

    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Value {
        guard let bytes else { throw unexpectedNull(Value.self) }
        do {
            return try Transformer.restored(Data(bytes))
        } catch {
            throw PostgresError(.decoding, "\(Transformer.self) refused the stored bytes", underlying: CodingNote("\(error)"))
        }
    }

    public static func append(_ value: Value, to array: inout PostgresArray) throws(PostgresError) {
        try array.append(data(value))
    }

    public static func append(_ value: Value, to parameters: inout PostgresParameters) throws(PostgresError) {
        try parameters.append(data(value))
    }

    private static func data(_ value: Value) throws(PostgresError) -> Data {
        do {
            return try Transformer.transformed(value)
        } catch {
            throw PostgresError(.encoding, "\(Transformer.self) refused a value", underlying: CodingNote("\(error)"))
        }
    }
}
