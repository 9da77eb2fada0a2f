import Foundation
import StrataClient

// A tombstone holds values as PostgreSQL's to_jsonb writes them (manual, 9.16.1). Codings read the binary form of a
// column's type, so a value is brought into that first.
extension StoredJSON {
    /// The binary form of the value as a column of this type would hold it; `nil` for null and where it does not fit.
    func binary(as type: PostgresType) -> [UInt8]? {
        if isNull { return nil }
        if let element = Self.scalarTypes.first(where: { $0.arrayOID == type.oid }) {
            return array(of: element)
        }
        return scalar(as: type)
    }

    private static let scalarTypes: [PostgresType] = [
        .bool, .int2, .int4, .int8, .float4, .float8, .numeric, .text, .varchar, .bytea, .uuid, .timestamptz, .jsonb,
    ]

    private func scalar(as type: PostgresType) -> [UInt8]? {
        switch type {
        case .jsonb: return [1] + text
        case .text, .varchar: return string.map { Array($0.utf8) }
        default: break
        }
        guard let plainText else { return nil }
        switch type {
        case .bool: return plainText == "true" ? [1] : plainText == "false" ? [0] : nil
        case .int2: return Int16(plainText).flatMap(encoded)
        case .int4: return Int32(plainText).flatMap(encoded)
        case .int8: return Int64(plainText).flatMap(encoded)
        case .float4: return Float(plainText).flatMap(encoded)
        case .float8: return Double(plainText).flatMap(encoded)
        case .numeric: return plainText == "NaN" ? encoded(Decimal.nan) : Decimal(string: plainText).flatMap(encoded)
        case .uuid: return UUID(uuidString: plainText).flatMap(encoded)
        case .bytea: return Self.bytes(hexadecimal: plainText)
        case .timestamptz: return Self.microseconds(of: plainText).flatMap(encoded)
        default: return nil
        }
    }

    private func encoded(_ value: some PostgresCodable) -> [UInt8]? {
        var buffer = PostgresBuffer()
        guard (try? value.encode(into: &buffer)) != nil else { return nil }
        return buffer.bytes
    }

    /// The binary form of a one-dimensional array: dimensions, whether there are NULLs, element type, length, lower
    /// bound, then the elements, each with its length.
    private func array(of type: PostgresType) -> [UInt8]? {
        guard let elements = elements() else { return nil }
        var buffer = PostgresBuffer()
        buffer.appendInteger(Int32(elements.isEmpty ? 0 : 1))
        buffer.appendInteger(Int32(elements.contains(where: \.isNull) ? 1 : 0))
        buffer.appendInteger(type.oid)
        guard !elements.isEmpty else { return buffer.bytes }
        buffer.appendInteger(Int32(elements.count))
        buffer.appendInteger(Int32(1))
        for element in elements {
            if element.isNull {
                buffer.appendInteger(Int32(-1))
                continue
            }
            guard let bytes = element.scalar(as: type) else { return nil }
            buffer.appendInteger(Int32(bytes.count))
            for byte in bytes { buffer.appendByte(byte) }
        }
        return buffer.bytes
    }

    /// `00ff`, in arrays `\x00ff`.
    private static func bytes(hexadecimal text: String) -> [UInt8]? {
        guard text.utf8.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.hasPrefix("\\x") ? text.dropFirst(2) : text[...] {
            guard let digit = character.hexDigitValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        return bytes
    }

    /// Microseconds since 2000 of `2026-11-21T19:30:00.25+01:00`, the form of `timestamptz` in JSON; UTC without an offset.
    package static func microseconds(of text: String) -> Int64? {
        if text == "infinity" { return .max }
        if text == "-infinity" { return .min }
        let isBeforeChrist = text.hasSuffix(" BC")
        let text = isBeforeChrist ? text.dropLast(3) : text[...]
        let halves = text.split(separator: "T")
        guard halves.count == 2 else { return nil }
        let date = halves[0].split(separator: "-").compactMap { Int64($0) }
        guard date.count == 3 else { return nil }
        let sign = halves[1].lastIndex { $0 == "+" || $0 == "-" } ?? halves[1].endIndex
        let time = halves[1][..<sign].split(separator: ":")
        let offset = halves[1][sign...].dropFirst().split(separator: ":").compactMap { Int64($0) }
        guard time.count == 3, let hours = Int64(time[0]), let minutes = Int64(time[1]) else { return nil }
        let seconds = time[2].split(separator: ".")
        guard let whole = Int64(seconds[0]) else { return nil }
        let fraction = seconds.count > 1 ? seconds[1] : ""
        guard let part = Int64(fraction.padding(toLength: 6, withPad: "0", startingAt: 0)) else { return nil }
        let direction: Int64 = halves[1][sign...].hasPrefix("-") ? -1 : 1
        let east = zip(offset, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 } * direction
        let year = isBeforeChrist ? 1 - date[0] : date[0]
        let days = daysSince2000(year: year, month: date[1], day: date[2])
        return (days * 86_400 + hours * 3600 + minutes * 60 + whole - east) * 1_000_000 + part
    }

    /// Days of the proleptic Gregorian calendar, counted in years that begin in March.
    private static func daysSince2000(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 730_425
    }
}
