import Foundation
import Testing

@testable import StrataClient

@Suite struct ValueEncodingTests {
    private func bytes(_ value: some PostgresCodable) throws -> [UInt8] {
        var buffer = PostgresBuffer()
        try value.encode(into: &buffer)
        return buffer.bytes
    }

    private func decode<Value: PostgresCodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        try bytes.withUnsafeBytes { try Value(postgresBytes: $0) }
    }

    @Test func integersAreBigEndianInTheirColumnsWidth() throws {
        #expect(try bytes(1) == [0, 0, 0, 0, 0, 0, 0, 1])
        #expect(try bytes(Int64(-2)) == [255, 255, 255, 255, 255, 255, 255, 254])
        #expect(try bytes(Int32(258)) == [0, 0, 1, 2])
        #expect(try bytes(Int16(-1)) == [255, 255])
        #expect(try bytes(Int8(-128)) == [255, 128])
        #expect(try bytes(UInt8(255)) == [0, 255])
        #expect(try bytes(UInt16(65535)) == [0, 0, 255, 255])
        #expect(try bytes(UInt32.max) == [0, 0, 0, 0, 255, 255, 255, 255])
    }

    @Test func scalarsHaveTheServersForm() throws {
        #expect(try bytes(true) == [1])
        #expect(try bytes(1.0) == [0x3F, 0xF0, 0, 0, 0, 0, 0, 0])
        #expect(try bytes(Float(1)) == [0x3F, 0x80, 0, 0])
        #expect(try bytes("é") == [0xC3, 0xA9])
        #expect(try bytes(Data([1, 0, 2])) == [1, 0, 2])
        #expect(try bytes(PostgresJSONB(json: Data("{}".utf8))) == [1, 0x7B, 0x7D])
        let uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        #expect(try bytes(uuid) == Array(0...15))
    }

    @Test func datesAreMicrosecondsSince2000RoundedToTheNearest() throws {
        #expect(Date(timeIntervalSince1970: 946_684_800).postgresMicrosecondsOrNil == 0)
        #expect(Date(timeIntervalSince1970: 946_684_800.000_000_6).postgresMicrosecondsOrNil == 1)
        #expect(Date(timeIntervalSince1970: 946_684_799.5).postgresMicrosecondsOrNil == -500_000)
        #expect(Date.distantFuture.postgresMicrosecondsOrNil == .max)
        #expect(Date.distantPast.postgresMicrosecondsOrNil == .min)
        #expect(try decode(Date.self, bytes(Date.distantFuture)) == .distantFuture)
        // Days of years far from 2001, which no Double holds to the microsecond.
        for seconds in [252_424_166_399.25, 943_421_367_184, -200_000_000_000.125, 9_007_199_255, 252_424_079_999.75] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let read = try decode(Date.self, bytes(date))
            #expect(read == date)
            #expect(try decode(Date.self, bytes(read)) == date)
        }
        #expect(try decode(Date.self, bytes(Date.distantPast)) == .distantPast)
    }

    @Test(arguments: [1e15, -1e15, Double.infinity, -.infinity, .nan])
    func aDateOutsideTheServersRangeIsRefused(_ seconds: Double) {
        #expect(Date(timeIntervalSinceReferenceDate: seconds).postgresMicrosecondsOrNil == nil)
    }

    @Test func numericsAreGroupsOfFourDigits() throws {
        // digits, weight, sign, display scale
        #expect(try bytes(Decimal(0)) == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(try bytes(Decimal(1)) == [0, 1, 0, 0, 0, 0, 0, 0, 0, 1])
        #expect(
            try bytes(#require(Decimal(string: "-12345.678"))) == [0, 3, 0, 1, 0x40, 0, 0, 3, 0, 1, 9, 41, 26, 124])
        #expect(try bytes(#require(Decimal(string: "0.0001"))) == [0, 1, 255, 255, 0, 0, 0, 4, 0, 1])
        #expect(try bytes(Decimal.nan) == [0, 0, 0, 0, 0xC0, 0, 0, 0])
        #expect(try bytes(UInt64(10_000)) == [0, 1, 0, 1, 0, 0, 0, 0, 0, 1])
    }

    @Test(arguments: [
        "0", "1", "-1", "99999999999999999999999999999999999999", "0.00000000000000000001", "1e100", "-123.456e-20",
        "340282366920938463463374607431768211455", "-340282366920938463463374607431768211455e127", "1e-128",
        "340282366920938463463374607431768211455e-128",
    ])
    func decimalsSurvive(_ text: String) throws {
        let decimal = try #require(Decimal(string: text))
        #expect(try decode(Decimal.self, bytes(decimal)) == decimal)
    }

    /// Quotients fill all 128 bits of a Decimal: 39 digits.
    @Test func everyQuotientSurvives() throws {
        for dividend in 1...20 {
            for divisor in 1...50 {
                let quotient = Decimal(dividend) / Decimal(divisor)
                #expect(try decode(Decimal.self, bytes(quotient)) == quotient, "\(dividend) / \(divisor)")
            }
        }
        for decimal in [Decimal.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .pi] {
            #expect(try decode(Decimal.self, bytes(decimal)) == decimal)
        }
    }

    @Test func aNumericBeyondDecimalIsRefused() throws {
        // 2^128, and 2^128 in the last places of a fraction.
        for digits in ["340282366920938463463374607431768211456", "1" + String(repeating: "3", count: 39)] {
            for exponent in [0, -20, -128] {
                var buffer = PostgresBuffer()
                PostgresNumeric(
                    isNegative: false, decimalDigits: digits.utf8.map { $0 - 0x30 }, exponent: exponent
                ).encode(into: &buffer)
                let encoded = buffer.bytes
                #expect(throws: PostgresError.self, "\(digits)e\(exponent)") { try decode(Decimal.self, encoded) }
            }
        }
    }

    @Test func decimalNaNSurvives() throws {
        #expect(try decode(Decimal.self, bytes(Decimal.nan)).isNaN)
    }

    @Test(arguments: [0, 1, 9999, 10_000, UInt64(Int64.max), UInt64.max])
    func unsignedIntegersSurvive(_ value: UInt64) throws {
        #expect(try decode(UInt64.self, bytes(value)) == value)
    }

    @Test func aNumericThatIsNoUnsignedIntegerIsRefused() throws {
        for text in ["-1", "0.5", "18446744073709551616", "1e30"] {
            let encoded = try bytes(#require(Decimal(string: text)))
            #expect(throws: PostgresError.self, "\(text)") { try decode(UInt64.self, encoded) }
        }
        #expect(throws: PostgresError.self) { try decode(UInt64.self, bytes(Decimal.nan)) }
    }

    @Test func rangesAreCheckedWhenDecoding() throws {
        #expect(throws: PostgresError.self) { try decode(Int8.self, bytes(Int16(128))) }
        #expect(throws: PostgresError.self) { try decode(Int16.self, bytes(40_000)) }
        #expect(throws: PostgresError.self) { try decode(Int32.self, bytes(Int.max)) }
        #expect(throws: PostgresError.self) { try decode(UInt8.self, bytes(-1)) }
        #expect(throws: PostgresError.self) { try decode(UInt16.self, bytes(65_536)) }
        #expect(throws: PostgresError.self) { try decode(UInt32.self, bytes(-1)) }
        #expect(try decode(Int.self, [0, 7]) == 7)
        #expect(try decode(Int.self, [255, 255, 255, 255]) == -1)
    }

    @Test(arguments: [[], [1], [1, 2, 3], Array(repeating: 9, count: 17)] as [[UInt8]])
    func bytesOfTheWrongLengthAreAnError(_ wrong: [UInt8]) {
        func fails(_ type: (some PostgresCodable).Type) -> Bool { (try? decode(type, wrong)) == nil }
        #expect(fails(Int.self) && fails(Int32.self) && fails(Double.self) && fails(Float.self))
        #expect(fails(Date.self) && fails(UUID.self) && fails(Decimal.self) && fails([Int].self))
        #expect(wrong.count == 1 || fails(Bool.self))
    }

    @Test func aStringWithNULIsRefusedAndSaysSo() throws {
        let error = #expect(throws: PostgresError.self) { try bytes("a\0b") }
        #expect(error?.code == .encoding)
        #expect(error?.description.contains("U+0000") == true)
    }

    @Test func arraysHaveOneDimensionAndSayWhetherTheyHoldNull() throws {
        var array = PostgresArray(elementType: .int2, reservingCapacity: 2)
        try array.append(Int16(5))
        array.appendNull()
        var parameters = PostgresParameters()
        try parameters.append(array)
        #expect(
            parameters.buffer.bytes == [
                0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 21, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 5, 255, 255, 255, 255,
            ])
        #expect(try bytes([Int]()) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20])
        let decoded = try parameters.buffer.withUnsafeBytes { try PostgresArray.decode($0, as: Int16.self) }
        #expect(decoded == [5, nil])
    }

    @Test func anElementOfAnotherTypeIsRefused() {
        var array = PostgresArray(elementType: .int8, reservingCapacity: 0)
        #expect(throws: PostgresError.self) { try array.append("text") }
        #expect(throws: PostgresError.self) { try bytes([[1], [2]]) }
    }

    @Test func anArrayThatLiesAboutItsLengthIsRefused() throws {
        var lie = try bytes([1, 2, 3])
        lie[12] = 0x7F
        #expect(throws: PostgresError.self) { try decode([Int].self, lie) }
        #expect(throws: PostgresError.self) { try decode([Int].self, Array(try bytes([1, 2, 3]).dropLast())) }
    }

    @Test func aFailedAppendLeavesTheParametersAsTheyWere() throws {
        var parameters = PostgresParameters()
        try parameters.append("ok")
        #expect(throws: PostgresError.self) { try parameters.append("\0") }
        #expect(parameters.count == 1)
        #expect(parameters.buffer.bytes == Array("ok".utf8))
    }

    @Test func copiesOfABufferAreIndependent() {
        var first = PostgresBuffer()
        first.appendInteger(Int32(1))
        var second = first
        second.appendInteger(Int32(2))
        first.appendByte(9)
        #expect(first.bytes == [0, 0, 0, 1, 9])
        #expect(second.bytes == [0, 0, 0, 1, 0, 0, 0, 2])
    }
}

extension Date {
    fileprivate var postgresMicrosecondsOrNil: Int64? { try? postgresMicroseconds }
}
