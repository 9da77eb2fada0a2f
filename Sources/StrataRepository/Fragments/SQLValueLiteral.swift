import Foundation
package import StrataClient

/// Writes a stored value as a constant in SQL, from the binary form in which it would be sent.
package enum SQLValueLiteral {
    /// `'new'::text`, `true`, `-3`, `ARRAY[1, 2]::bigint[]`; `nil` for types that are not among those of attributes, and for
    /// bytes that are no value of the type.
    package static func text(_ bytes: [UInt8], of type: PostgresType) -> String? {
        if let element = elementTypes[type.oid] { return array(bytes, of: element, as: type) }
        return bytes.withUnsafeBytes { bytes in
            switch type {
            case .bool: (try? Bool(postgresBytes: bytes)).map { $0 ? "true" : "false" }
            case .int2: (try? Int16(postgresBytes: bytes)).map { "\($0)" }
            case .int4: (try? Int32(postgresBytes: bytes)).map { "\($0)" }
            case .int8: (try? Int64(postgresBytes: bytes)).map { integer($0) }
            default: quotedText(bytes, of: type).map { "\(SQLFragment.literal($0))::\(type)" }
            }
        }
    }

    /// The same for a place within SQL that somebody has written: with its type, and with no sign that could meet another one (`5--1`
    /// is a 5 and a comment).
    package static func typed(_ bytes: [UInt8], of type: PostgresType) -> String? {
        guard let text = text(bytes, of: type) else { return nil }
        return [.int2, .int4, .int8].contains(type) && !text.hasPrefix("'") ? "'\(text)'::\(type)" : text
    }

    /// The server reads the digits before the sign, and 9223372036854775808 is no bigint.
    private static func integer(_ value: Int64) -> String { value == .min ? "'\(value)'::bigint" : "\(value)" }

    /// What stands between the quotes.
    private static func quotedText(_ bytes: UnsafeRawBufferPointer, of type: PostgresType) -> String? {
        switch type {
        case .text, .varchar: try? String(postgresBytes: bytes)
        case .float4: (try? Float(postgresBytes: bytes)).map { float(Double($0), shortest: "\($0)") }
        case .float8: (try? Double(postgresBytes: bytes)).map { float($0, shortest: "\($0)") }
        case .numeric: (try? Decimal(postgresBytes: bytes)).map { $0.isNaN ? "NaN" : "\($0)" }
        case .uuid: (try? UUID(postgresBytes: bytes)).map { $0.uuidString.lowercased() }
        case .timestamptz: timestamp(bytes)
        case .date: (try? CalendarDate(postgresBytes: bytes)).map(\.description)
        case .time: (try? TimeOfDay(postgresBytes: bytes)).map(\.description)
        case .interval: (try? CalendarInterval(postgresBytes: bytes)).map(\.description)
        case .bytea: "\\x" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        case .jsonb: (try? PostgresJSONB(postgresBytes: bytes)).map { String(decoding: $0.json, as: UTF8.self) }
        default: nil
        }
    }

    private static func float(_ value: Double, shortest: String) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "Infinity" : "-Infinity" }
        return shortest
    }

    // MARK: Dates

    /// From the binary form's own microseconds: a way through `Date` would round them.
    private static func timestamp(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard let microseconds = try? Int64(postgresBytes: bytes) else { return nil }
        if microseconds == .max { return "infinity" }
        if microseconds == .min { return "-infinity" }
        let perDay: Int64 = 86_400_000_000
        let inDay = ((microseconds % perDay) + perDay) % perDay
        let (day, isBeforeChrist) = GregorianDay.text(daysSince2000: (microseconds - inDay) / perDay)
        let seconds = inDay / 1_000_000
        let fraction = inDay % 1_000_000
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { GregorianDay.padded($0, 2) }
        return day + " " + clock.joined(separator: ":")
            + (fraction == 0 ? "" : "." + GregorianDay.padded(fraction, 6)) + "+00" + (isBeforeChrist ? " BC" : "")
    }

    // MARK: Arrays

    private static let elementTypes: [UInt32: PostgresType] = Dictionary(
        [
            .bool, .int2, .int4, .int8, .float4, .float8, .numeric, .text, .varchar, .uuid, .timestamptz, .date,
            .time, .interval, .bytea, .jsonb,
        ].map { (type: PostgresType) in (type.arrayOID, type) }, uniquingKeysWith: { first, _ in first })

    /// One dimension, or none for an empty array (manual, 8.15): dimensions, flags, element type, then length and lower bound,
    /// then each element with its length.
    private static func array(_ bytes: [UInt8], of element: PostgresType, as type: PostgresType) -> String? {
        var rest = bytes[...]
        func word() -> Int32? {
            guard rest.count >= 4 else { return nil }
            defer { rest.removeFirst(4) }
            return rest.prefix(4).reduce(Int32(0)) { $0 << 8 | Int32($1) }
        }
        guard let dimensions = word(), word() != nil, word() != nil else { return nil }
        guard dimensions > 0 else { return "'{}'::\(type)" }
        guard dimensions == 1, let count = word(), word() != nil else { return nil }
        var elements: [String] = []
        for _ in 0..<count {
            guard let length = word() else { return nil }
            guard length >= 0 else {
                elements.append("NULL")
                continue
            }
            guard rest.count >= length else { return nil }
            let value = Array(rest.prefix(Int(length)))
            rest.removeFirst(Int(length))
            guard let text = text(value, of: element) else { return nil }
            elements.append(text)
        }
        return "ARRAY[\(elements.joined(separator: ", "))]::\(type)"
    }
}
