package import Foundation
public import StrataClient

/// Any other `Codable` type, and every property marked `.codable`: one `jsonb` value.
public enum JSONCoding<Value: Codable>: AttributeCoding {
    /// Always `jsonb`, whatever the value looks like as JSON.
    public static var columnType: PostgresType { .jsonb }
    /// None: no value of an unknown type can be made up. Without a default the property is part of every fetch.
    public static var placeholder: Value? { nil }
    /// What another program wrote may hold keys this type does not know, so re-encoding it need not give the same
    /// document.
    public static var isComparable: Bool { false }

    /// Decodes the document; numbers that stand for dates are seconds since 1970, `Data` is base64.
    ///
    /// - Throws: `PostgresError` with the code `decoding` for NULL and for a document that does not fit the type.
    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Value {
        guard let bytes else { throw unexpectedNull(Value.self) }
        let document = try PostgresJSONB(postgresBytes: bytes)
        do {
            return try JSONForm.decoder.decode(Value.self, from: document.json)
        } catch {
            throw PostgresError(.decoding, "the stored jsonb is no \(Value.self)", underlying: CodingNote("\(error)"))
        }
    }

    /// Appends the value, encoded with sorted keys, as one document of an array parameter.
    public static func append(_ value: Value, to array: inout PostgresArray) throws(PostgresError) {
        try array.append(document(value))
    }

    /// Appends the value, encoded with sorted keys, as one `jsonb` parameter.
    public static func append(_ value: Value, to parameters: inout PostgresParameters) throws(PostgresError) {
        try parameters.append(document(value))
    }

    private static func document(_ value: Value) throws(PostgresError) -> PostgresJSONB {
        let json: Data
        do {
            json = try JSONForm.encoder.encode(value)
        } catch {
            throw PostgresError(
                .encoding, "a value of \(Value.self) cannot be written as JSON", underlying: CodingNote("\(error)"))
        }
        guard !JSONForm.holdsNUL(json) else {
            throw PostgresError(
                .encoding,
                "a String in the value of \(Value.self) holds the character U+0000 (NUL), which PostgreSQL cannot store "
                    + "in jsonb. Remove it")
        }
        guard !JSONForm.holdsNaN(json) else {
            throw PostgresError(
                .encoding,
                "a Decimal in the value of \(Value.self) is NaN, which JSON has no number for. Use an optional, or another "
                    + "value")
        }
        return PostgresJSONB(json: json)
    }
}

/// The one way in which Strata writes values as JSON: dates as ISO 8601 text would lose microseconds, so they are
/// numbers of seconds since 1970; keys are the coding keys as they are; documents of one value are fragments.
package enum JSONForm {
    /// Whether a string of the document holds U+0000, which JSON writes as `\u0000`.
    static func holdsNUL(_ json: Data) -> Bool {
        json.withUnsafeBytes { bytes in
            var position = 0
            while position < bytes.count {
                guard bytes[position] == UInt8(ascii: "\\") else {
                    position += 1
                    continue
                }
                // A backslash and the character after it belong together: `\\u0000` is a backslash and the letter u.
                if bytes[position...].starts(with: "\\u0000".utf8) { return true }
                position += 2
            }
            return false
        }
    }

    /// Whether the document holds `NaN`, which the encoder writes for `Decimal.nan` although it is no JSON.
    static func holdsNaN(_ json: Data) -> Bool {
        json.withUnsafeBytes { bytes in
            var (position, isString) = (0, false)
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: "\""): isString.toggle()
                case UInt8(ascii: "\\") where isString: position += 1
                case UInt8(ascii: "N") where !isString: return true
                default: break
                }
                position += 1
            }
            return false
        }
    }

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
