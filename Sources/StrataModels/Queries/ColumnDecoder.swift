package import StrataClient

/// How the bytes of one column become values of one Swift type: chosen once a statement.
package struct ColumnDecoder<Value> {
    private let decoding: (UnsafeRawBufferPointer?) throws(PostgresError) -> Value

    package init(_ decoding: @escaping (UnsafeRawBufferPointer?) throws(PostgresError) -> Value) {
        self.decoding = decoding
    }

    /// Reads a value from the binary form; `nil` for NULL.
    package func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Value { try decoding(bytes) }
}

extension AttributeCoding {
    /// A decoder of this coding for a value of this type, or for an optional of it; `nil` for other types.
    package static func decoder<V>(of _: V.Type) -> ColumnDecoder<V>? {
        if let exact = ColumnDecoder<Value>(Self.decode) as? ColumnDecoder<V> { return exact }
        let optional = ColumnDecoder<Value?> { (bytes: UnsafeRawBufferPointer?) throws(PostgresError) in
            guard let bytes else { return nil }
            return try Self.decode(bytes)
        }
        return optional as? ColumnDecoder<V>
    }
}
