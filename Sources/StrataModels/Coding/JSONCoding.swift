package import Foundation
public import StrataClient

/// Any other `Codable` type, and every property marked `.codable`: one `jsonb` value.
public enum JSONCoding<Value: Codable>: AttributeCoding {
    public static var columnType: PostgresType { .jsonb }
    public static var placeholder: Value? { nil }
    /// What another program wrote may hold keys this type does not know, so re-encoding it need not give the same document.
    public static var isComparable: Bool { false }

    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Value {
        guard let bytes else { throw unexpectedNull(Value.self) }
        let document = try PostgresJSONB(postgresBytes: bytes)
        do {
            return try JSONForm.decoder.decode(Value.self, from: document.json)
        } catch {
            throw PostgresError(.decoding, "the stored jsonb is no \(Value.self)", underlying: CodingNote("\(error)"))
        }
    }

    public static func append(_ value: Value, to array: inout PostgresArray) throws(PostgresError) {
        try array.append(document(value))
    }

    public static func append(_ value: Value, to parameters: inout PostgresParameters) throws(PostgresError) {
        try parameters.append(document(value))
    }

    private static func document(_ value: Value) throws(PostgresError) -> PostgresJSONB {
        do {
            return PostgresJSONB(json: try JSONForm.encoder.encode(value))
        } catch {
            throw PostgresError(.encoding, "a value of \(Value.self) cannot be written as JSON", underlying: CodingNote("\(error)"))
        }
    }
}

/// The one way in which Strata writes values as JSON: dates as ISO 8601 text would lose microseconds, so they are numbers
/// of seconds since 1970; keys are the coding keys as they are; documents of one value are fragments.
package enum JSONForm {
    package static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.dataEncodingStrategy = .base64
        return encoder
    }

    package static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        decoder.dataDecodingStrategy = .base64
        return decoder
    }
}
