import Foundation
import StrataClient
import StrataTestSupport
import Testing

@Suite struct ValueRoundTripTests {
    /// Sends each value as a parameter, lets the server show it as text, and reads it back.
    private func roundTrip<Value: PostgresCodable & Equatable>(
        _ values: [Value], on connection: PostgresConnection
    ) async throws {
        for value in values {
            let back = try await connection.column("SELECT $1 AS value", PostgresParameters(value), as: Value.self)
            #expect(back == [value])
        }
        let back = try await connection.column("SELECT unnest($1)", PostgresParameters(values), as: Value.self)
        #expect(back == values)
        let whole = try await connection.column("SELECT $1", PostgresParameters(values), as: [Value].self)
        #expect(whole == [values])
    }

    @Test func limitsOfEveryTypeSurvive() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await roundTrip([true, false], on: connection)
            try await roundTrip([Int.min, -1, 0, Int.max], on: connection)
            try await roundTrip([Int8.min, .max], on: connection)
            try await roundTrip([Int16.min, .max], on: connection)
            try await roundTrip([Int32.min, .max], on: connection)
            try await roundTrip([Int64.min, .max], on: connection)
            try await roundTrip([UInt8.min, .max], on: connection)
            try await roundTrip([UInt16.min, .max], on: connection)
            try await roundTrip([UInt32.min, .max], on: connection)
            try await roundTrip([UInt64.min, 1, .max], on: connection)
            try await roundTrip(
                [0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude], on: connection)
            try await roundTrip([Float.infinity, .leastNonzeroMagnitude, .pi], on: connection)
            try await roundTrip(["", "a", "日本語 👩‍👩‍👧", String(repeating: "x", count: 100_000)], on: connection)
            try await roundTrip([Data(), Data([0, 255]), Data(repeating: 7, count: 100_000)], on: connection)
            try await roundTrip([UUID(), UUID()], on: connection)
            try await roundTrip([Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 0)], on: connection)
            try await roundTrip([#require(URL(string: "https://example.com/a?b=c#d"))], on: connection)
            try await roundTrip([PostgresJSONB(json: Data("{\"a\": 1}".utf8))], on: connection)
        }
    }

    @Test func randomValuesSurvive() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            var random = SystemRandomNumberGenerator()
            func many<Value>(_ make: () -> Value) -> [Value] { (0..<300).map { _ in make() } }
            try await roundTrip(many { Int.random(in: .min ... .max) }, on: connection)
            try await roundTrip(many { UInt64.random(in: .min ... .max) >> UInt64.random(in: 0...63) }, on: connection)
            try await roundTrip(many { Double(bitPattern: random.next()) }.filter { !$0.isNaN }, on: connection)
            try await roundTrip(
                many { Date(postgresMicroseconds: Int64.random(in: -8_500_000_000_000_000...8_500_000_000_000_000)) },
                on: connection)
            try await roundTrip(
                many {
                    let digits = (0..<Int.random(in: 1...38)).map { _ in String(Int.random(in: 0...9)) }.joined()
                    let sign = Bool.random() ? "-" : ""
                    return Decimal(string: "\(sign)\(digits)e\(Int.random(in: -60...60))") ?? 0
                }, on: connection)
            try await roundTrip(
                many {
                    String(
                        String.UnicodeScalarView(
                            (0..<20).compactMap { _ in Unicode.Scalar(UInt32.random(in: 1...0x10FFFF)) }))
                }, on: connection)
        }
    }

    @Test func theServerReadsTheValuesAsTheyAreMeant() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            func text(_ parameters: PostgresParameters) async throws -> String? {
                try await connection.column("SELECT $1::text", parameters, as: String.self).first ?? nil
            }
            try await connection.execute("SET TIME ZONE 'UTC'")
            #expect(try await text(PostgresParameters(#require(Decimal(string: "-12345.678")))) == "-12345.678")
            #expect(
                try await text(PostgresParameters(#require(Decimal(string: "1e30")))) == "1"
                    + String(repeating: "0", count: 30))
            #expect(try await text(PostgresParameters(UInt64.max)) == "18446744073709551615")
            #expect(try await text(PostgresParameters(Date(timeIntervalSince1970: 1.5))) == "1970-01-01 00:00:01.5+00")
            #expect(try await text(PostgresParameters(Date.distantFuture)) == "infinity")
            #expect(try await text(PostgresParameters(["a", "b\""])) == "{a,\"b\\\"\"}")
            #expect(try await text(PostgresParameters(Double.nan)) == "NaN")
            #expect(try await text(PostgresParameters(Decimal.nan)) == "NaN")
        }
    }

    @Test func decodingAnotherTypeNamesColumnAndTypes() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let wrong = await postgresError { _ = try await connection.column("SELECT 1.5 AS price", as: Date.self) }
            #expect(wrong?.code == .decoding)
            #expect(wrong?.message == #"Column "price" is numeric, which is not read as Date."#)
            let null = await postgresError {
                try await connection.run(
                    PostgresBatch(PostgresStatement("SELECT NULL::int8 AS n")) { _ = try $0.decode(0, as: Int.self) })
            }
            #expect(null?.message == #"Column "n" is NULL, but Int is not optional."#)
            let infinite = await postgresError {
                _ = try await connection.column("SELECT 'infinity'::numeric AS n", as: Decimal.self)
            }
            #expect(infinite?.message.contains("infinite") == true)
            let long = await postgresError {
                _ = try await connection.column("SELECT repeat('9', 40)::numeric AS n", as: Decimal.self)
            }
            #expect(long?.message.contains("39") == true)
        }
    }

    @Test func uncheckedReadersReadWhatTheCheckedOnesDo() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let sql = "SELECT 1::int8, 2::int4, 3::int2, 1.5::float8, 2.5::float4, true, 'text', NULL::text"
            var batch = PostgresBatch()
            batch.add(
                PostgresStatement(sql),
                onResult: {
                    #expect($0.columnCount == 8)
                    #expect($0.columnType(0) == PostgresType.int8.oid)
                },
                onRow: { row in
                    #expect(row.int64(0) == 1 && row.int32(1) == 2 && row.int16(2) == 3)
                    #expect(row.double(3) == 1.5 && row.float(4) == 2.5 && row.bool(5))
                    #expect(row.string(6) == "text" && row.isNull(7) && row.string(7) == "")
                    #expect(row.bytes(7) == nil && row.bytes(99) == nil)
                })
            try await connection.run(batch)
        }
    }

    @Test func `the fields of a record come in their order, and one that is cut off is an error`() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            var batch = PostgresBatch()
            batch.add(
                PostgresStatement("SELECT ROW('7'::xid8, NULL::text, 'text'::text, true), NULL::record"),
                onRow: { row in
                    let bytes = try #require(row.bytes(0))
                    var record = try PostgresRecord(bytes)
                    #expect(record.count == 4)
                    #expect(try record.int64() == 7)
                    #expect(try record.stringIfPresent() == nil)
                    #expect(try record.string() == "text")
                    #expect(try record.bool())
                    #expect(throws: PostgresError.self) { try record.next() }
                    #expect(row.bytes(1) == nil)
                    var again = try PostgresRecord(bytes)
                    _ = try again.next()
                    #expect(throws: PostgresError.self) { try again.string() }
                    var cut = try PostgresRecord(UnsafeRawBufferPointer(rebasing: bytes.dropLast()))
                    for _ in 0..<3 { _ = try cut.next() }
                    #expect(throws: PostgresError.self) { try cut.next() }
                })
            try await connection.run(batch)
        }
    }
}
