import Foundation
package import StrataClient

/// How the bytes of one column become values of one Swift type: chosen once a statement.
///
/// A value is made at the place where it stays. So whoever reads a row of several types need not know them, and nothing is boxed.
package struct ColumnDecoder<Value> {
    private let decoding: ColumnDecoding
    /// What the value is where it is read from its bytes alone; `nil` for optionals, and for all other types.
    package let scalar: CommonScalar?

    fileprivate init(scalar: CommonScalar? = nil, _ decoding: @escaping ColumnDecoding) {
        self.decoding = decoding
        self.scalar = scalar
    }

    /// Makes a value from the binary form, or from `nil` for NULL, at a place that holds none.
    package func decode(_ bytes: UnsafeRawBufferPointer?, to place: UnsafeMutableRawPointer) throws(PostgresError) {
        try decoding(bytes, place)
    }
}

private typealias ColumnDecoding = (UnsafeRawBufferPointer?, UnsafeMutableRawPointer) throws(PostgresError) -> Void

extension AttributeCoding {
    /// A decoder of this coding for a value of this type, or for an optional of it; `nil` for other types.
    package static func decoder<V>(of type: V.Type) -> ColumnDecoder<V>? {
        if let (common, scalar) = CommonScalar.decoding(of: Self.self, as: type) {
            return ColumnDecoder(scalar: scalar, common)
        }
        if V.self == Value.self {
            return ColumnDecoder { (bytes, place) throws(PostgresError) in
                place.initializeMemory(as: Value.self, to: try Self.decode(bytes))
            }
        }
        guard V.self == Value?.self else { return nil }
        return ColumnDecoder { (bytes, place) throws(PostgresError) in
            var value: Value?
            if let bytes { value = try Self.decode(bytes) }
            place.initializeMemory(as: Value?.self, to: value)
        }
    }
}

extension CommonScalar {
    /// - Returns: `nil` for another coding, and where `type` is neither its scalar nor an optional of it; no scalar for an optional.
    fileprivate static func decoding(of coding: Any.Type, as type: Any.Type) -> (ColumnDecoding, CommonScalar?)? {
        switch coding {
        case is ScalarCoding<String>.Type, is OptionalCoding<ScalarCoding<String>>.Type:
            decoding(String.self, .string, type)
        case is ScalarCoding<Int>.Type, is OptionalCoding<ScalarCoding<Int>>.Type: decoding(Int.self, .int, type)
        case is ScalarCoding<Double>.Type, is OptionalCoding<ScalarCoding<Double>>.Type:
            decoding(Double.self, .double, type)
        case is ScalarCoding<Bool>.Type, is OptionalCoding<ScalarCoding<Bool>>.Type: decoding(Bool.self, .bool, type)
        case is ScalarCoding<Date>.Type, is OptionalCoding<ScalarCoding<Date>>.Type: decoding(Date.self, .date, type)
        case is ScalarCoding<UUID>.Type, is OptionalCoding<ScalarCoding<UUID>>.Type: decoding(UUID.self, .uuid, type)
        default: nil
        }
    }

    private static func decoding<Scalar: PostgresCodable>(
        _: Scalar.Type, _ scalar: CommonScalar, _ type: Any.Type
    ) -> (ColumnDecoding, CommonScalar?)? {
        if type == Scalar.self {
            return (
                { (bytes, place) throws(PostgresError) in
                    guard let bytes else { throw unexpectedNull(Scalar.self) }
                    place.initializeMemory(as: Scalar.self, to: try Scalar(postgresBytes: bytes))
                }, scalar
            )
        }
        guard type == Scalar?.self else { return nil }
        return (
            { (bytes, place) throws(PostgresError) in
                var value: Scalar?
                if let bytes { value = try Scalar(postgresBytes: bytes) }
                place.initializeMemory(as: Scalar?.self, to: value)
            }, nil
        )
    }
}
