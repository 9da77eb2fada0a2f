public import Foundation

/// JSON text for a `jsonb` column, as bytes: parsing is left to the caller.
public struct PostgresJSONB: PostgresCodable, Hashable {
    /// UTF-8 JSON.
    public var json: Data

    /// Wraps JSON text; the server checks it.
    public init(json: Data) {
        self.json = json
    }

    /// `jsonb`.
    @inlinable public static var postgresType: PostgresType { .jsonb }

    /// The version byte and the text.
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendByte(1)
        try json.encode(into: &buffer)
    }

    /// Reads version 1, the only one there is.
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard postgresBytes.first == 1 else {
            throw PostgresError(.decoding, "The server sent jsonb of an unknown version.")
        }
        json = Data(postgresBytes.dropFirst())
    }
}
