import Foundation
import StrataClient

/// A value that nobody has, one for each row, in the form in which a column's values travel.
enum ParkingValue {
    /// - Parameters:
    ///   - key: of the row.
    ///   - number: of the row within the save, for types in which a key has no room.
    /// - Returns: `nil` for a type that has too few values.
    static func bytes(of column: Column, key: RowKey, _ number: Int) -> [UInt8]? {
        // What nobody has would have too many digits.
        if column.precision != nil { return nil }
        if column.type == column.transportType { return bytes(of: column.type, key: key, number) }
        // Arrays travel as text (PostgreSQL manual, 8.15.2).
        guard column.type.oid == PostgresType.text.arrayOID, column.transportType == .text else { return nil }
        return Array("{\"\(text(key))\"}".utf8)
    }

    /// Of a key that is text two digests: it may have quotes, and be longer than a column or an index takes.
    private static func text(_ key: RowKey) -> String {
        guard key.isText else { return "strata parks \(key)" }
        let digests = [digest(key, from: 0xcbf2_9ce4_8422_2325), digest(key, from: 0x8422_2325_cbf2_9ce4)]
        return "strata parks " + digests.map { String($0, radix: 16) }.joined(separator: " ")
    }

    /// A word that other keys do not have, in no process: the number of a long text is its own process's.
    private static func word(_ key: RowKey) -> Int64 {
        key.isText ? Int64(bitPattern: digest(key, from: 0xcbf2_9ce4_8422_2325)) : key.word
    }

    /// FNV-1a.
    private static func digest(_ key: RowKey, from start: UInt64) -> UInt64 {
        key.postgresBytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private static func bytes(of type: PostgresType, key: RowKey, _ number: Int) -> [UInt8]? {
        switch type {
        case .text, .varchar, .bytea: Array(text(key).utf8)
        case .uuid: Array("strata\0\0".utf8) + bigEndian(word(key))
        case .int8: key.integer.map { bigEndian(Int64.min &+ $0) } ?? bigEndian(Int64.min &+ Int64(number))
        case .int4: Int32(exactly: number).map { bigEndian(Int32.min + $0) }
        case .int2: number < 1000 ? bigEndian(Int16.min + Int16(number)) : nil
        case .float8: bigEndian((-Double.greatestFiniteMagnitude).bitPattern - UInt64(number))
        case .float4: UInt32(exactly: number).map { bigEndian((-Float.greatestFiniteMagnitude).bitPattern - $0) }
        // The first microseconds, and days, of the calendar (manual, 8.5), counted from the year 2000.
        case .timestamp, .timestamptz: bigEndian(-211_813_488_000_000_000 + Int64(number))
        case .date: Int32(exactly: number).map { bigEndian(-2_451_545 + $0) }
        case .time: (0...86_400_000_000).contains(number) ? bigEndian(Int64(86_400_000_000 - number)) : nil
        case .numeric:
            numeric(
                Decimal(sign: .minus, exponent: 40, significand: key.integer.map { Decimal($0) } ?? Decimal(number)))
        default: nil
        }
    }

    private static func bigEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    private static func numeric(_ value: Decimal) -> [UInt8]? {
        var array = PostgresArray(elementType: .numeric, reservingCapacity: 1)
        guard (try? array.append(value)) != nil else { return nil }
        return array.firstElement
    }
}
