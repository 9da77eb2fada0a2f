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
        .bool, .int2, .int4, .int8, .float4, .float8, .numeric, .text, .varchar, .bytea, .uuid, .timestamptz, .date,
        .time, .interval, .jsonb,
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
        case .numeric: return Self.decimal(plainText).flatMap(encoded)
        case .uuid: return UUID(uuidString: plainText).flatMap(encoded)
        case .bytea: return Self.bytes(hexadecimal: plainText)
        case .timestamptz: return Self.microseconds(of: plainText).flatMap(encoded)
        case .date: return CalendarDate(plainText).flatMap(encoded)
        case .time: return TimeOfDay(plainText).flatMap(encoded)
        case .interval: return CalendarInterval(plainText).flatMap(encoded)
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

    /// A number as the server writes it. Decimal takes the beginning of any text for one: "12 pieces".
    private static func decimal(_ text: String) -> Decimal? {
        if text == "NaN" { return .nan }
        guard Double(text) != nil, text.utf8.allSatisfy("0123456789+-.eE".utf8.contains) else { return nil }
        return Decimal(string: text)
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
    ///
    /// `nil` for everything else: the property may have been of another type when the text was written.
    package static func microseconds(of text: String) -> Int64? {
        if text == "infinity" { return .max }
        if text == "-infinity" { return .min }
        let isBeforeChrist = text.hasSuffix(" BC")
        let text = isBeforeChrist ? text.dropLast(3) : text[...]
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2,
            let date = numbers(halves[0], separator: "-", in: [1...999_999, 1...12, 1...31]), date.count == 3
        else { return nil }
        let sign = halves[1].lastIndex { $0 == "+" || $0 == "-" } ?? halves[1].endIndex
        let clock = halves[1][..<sign].split(separator: ".", omittingEmptySubsequences: false)
        let zone = halves[1][sign...].dropFirst()
        guard (1...2).contains(clock.count),
            let time = numbers(clock[0], separator: ":", in: [0...24, 0...59, 0...60]), time.count == 3,
            let part = clock.count == 1 ? 0 : microseconds(ofFraction: clock[1]),
            let offset = zone.isEmpty ? [] : numbers(zone, separator: ":", in: [0...15, 0...59, 0...59])
        else { return nil }
        let direction: Int64 = halves[1][sign...].hasPrefix("-") ? -1 : 1
        let east = zip(offset, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 } * direction
        let year = isBeforeChrist ? 1 - date[0] : date[0]
        let days = GregorianDay.daysSince2000(year: year, month: date[1], day: date[2])
        let seconds = days * 86_400 + time[0] * 3600 + time[1] * 60 + time[2] - east
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (moment, isBeyond) = whole.addingReportingOverflow(part)
        return isTooLarge || isBeyond ? nil : moment
    }

    /// Numbers of digits only, as many as there are ranges at most, each within its range.
    private static func numbers(
        _ text: Substring, separator: Character, in ranges: [ClosedRange<Int64>]
    ) -> [Int64]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count <= ranges.count else { return nil }
        var numbers: [Int64] = []
        for (part, range) in zip(parts, ranges) {
            guard isDigits(part), let number = Int64(part), range.contains(number) else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    private static func microseconds(ofFraction text: Substring) -> Int64? {
        guard (1...6).contains(text.utf8.count), isDigits(text) else { return nil }
        return Int64(text.padding(toLength: 6, withPad: "0", startingAt: 0))
    }

    private static func isDigits(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
