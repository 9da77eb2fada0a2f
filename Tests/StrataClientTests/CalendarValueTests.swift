import Foundation
import StrataClient
import StrataTestSupport
import Testing

/// Days, times of day and spans of the calendar, as PostgreSQL has them.
@Suite struct CalendarValueTests {
    /// Values that the server reads of a text, and writes as one.
    private func expect<Value: PostgresCodable & Hashable & LosslessStringConvertible & Codable>(
        _ values: [(String, Value?)], type: String, _ connection: PostgresConnection,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for (text, value) in values {
            let value = try #require(value, "\(text)", sourceLocation: sourceLocation)
            let read = try await connection.column(
                "SELECT $1::text::\(type)", PostgresParameters(text), as: Value.self)
            #expect(read == [value], "\(text)", sourceLocation: sourceLocation)
            let written = try await connection.column(
                "SELECT $1::\(type) = $2::text::\(type) AND $1::text = ($2::text::\(type))::text",
                PostgresParameters(value, text), as: Bool.self)
            #expect(written == [true], "\(text)", sourceLocation: sourceLocation)
            // What it says of itself is read by the server as the same, and by itself.
            let said = try await connection.column(
                "SELECT $1::text::\(type)", PostgresParameters(value.description), as: Value.self)
            #expect(said == [value], "\(value)", sourceLocation: sourceLocation)
            #expect(Value(value.description) == value, sourceLocation: sourceLocation)
            let json = try await connection.column(
                "SELECT to_jsonb($1::\(type)) #>> '{}'", PostgresParameters(value), as: String.self)
            #expect(json.compactMap { $0 }.map { Value($0) } == [value], "\(json)", sourceLocation: sourceLocation)
            let coded = try JSONDecoder().decode([Value].self, from: JSONEncoder().encode([value]))
            #expect(coded == [value], sourceLocation: sourceLocation)
        }
    }

    @Test func `days from the first to the last`() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await expect(
                [
                    ("2026-11-24", CalendarDate(year: 2026, month: 11, day: 24)),
                    ("2000-02-29", CalendarDate(year: 2000, month: 2, day: 29)),
                    ("1999-12-31", CalendarDate(year: 1999, month: 12, day: 31)),
                    ("1582-10-10", CalendarDate(year: 1582, month: 10, day: 10)),
                    ("0001-01-01", CalendarDate(year: 1, month: 1, day: 1)),
                    ("0001-12-31 BC", CalendarDate(year: 0, month: 12, day: 31)),
                    ("0044-03-15 BC", CalendarDate(year: -43, month: 3, day: 15)),
                    ("4714-11-24 BC", CalendarDate(year: -4713, month: 11, day: 24)),
                    ("5874897-12-31", CalendarDate(year: 5_874_897, month: 12, day: 31)),
                    ("infinity", .distantFuture), ("-infinity", .distantPast),
                ], type: "date", connection)
        }
    }

    @Test func `there is no day that is none`() {
        for (year, month, day) in [
            (2025, 2, 29), (1900, 2, 29), (2025, 4, 31), (2025, 13, 1), (2025, 0, 1), (2025, 1, 0), (-4713, 11, 23),
            (5_874_898, 1, 1), (.max, 1, 1), (.min, 12, 31),
        ] {
            #expect(CalendarDate(year: year, month: month, day: day) == nil, "\(year)-\(month)-\(day)")
        }
        for text in ["2025-02-29", "25-01-01", "2025-1-1", "2025-01-01 ", "0000-01-01", "2025/01/01", "Infinity", ""] {
            #expect(CalendarDate(text) == nil, "\(text)")
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([CalendarDate].self, from: Data(#"["x"]"#.utf8))
        }
    }

    @Test func `days are counted`() throws {
        let day = try #require(CalendarDate(year: 2024, month: 2, day: 28))
        #expect(day.adding(days: 2) == CalendarDate(year: 2024, month: 3, day: 1))
        #expect(day.adding(days: -59) == CalendarDate(year: 2023, month: 12, day: 31))
        #expect(day.days(to: try #require(CalendarDate(year: 2025, month: 2, day: 28))) == 366)
        #expect(day.adding(days: .max) == nil)
        #expect(CalendarDate.distantFuture.adding(days: -1) == .distantFuture)
        #expect(CalendarDate.distantPast.days(to: day) == nil)
        #expect(CalendarDate.distantPast < day && day < .distantFuture)
        let moment = Date(timeIntervalSince1970: 1_700_000_000)  // 2023-11-14 22:13:20 UTC
        #expect(CalendarDate(moment, in: .gmt)?.description == "2023-11-14")
        #expect(CalendarDate(moment, in: try #require(TimeZone(secondsFromGMT: 7200)))?.description == "2023-11-15")
        #expect(CalendarDate(.init(timeIntervalSince1970: -1), in: .gmt)?.description == "1969-12-31")
        #expect(CalendarDate(.init(timeIntervalSince1970: 1e18), in: .gmt) == nil)
    }

    @Test func `times from midnight to midnight`() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await expect(
                [
                    ("00:00:00", .midnight), ("24:00:00", .endOfDay), ("09:30:00", TimeOfDay(hour: 9, minute: 30)),
                    ("23:59:59.999999", TimeOfDay(hour: 23, minute: 59, second: 59, microsecond: 999_999)),
                    ("00:00:00.000001", TimeOfDay(microseconds: 1)),
                    ("12:00:00.25", TimeOfDay(hour: 12, minute: 0, microsecond: 250_000)),
                ], type: "time", connection)
        }
        #expect(TimeOfDay(hour: 24, minute: 0, microsecond: 1) == nil)
        #expect(TimeOfDay(hour: 9, minute: 60) == nil)
        #expect(TimeOfDay(microseconds: -1) == nil)
        for text in ["9:30:00", "09:30", "24:00:01", "09:30:60", "09:30:00.1234567", "09:30:00.", "-1:00:00", ""] {
            #expect(TimeOfDay(text) == nil, "\(text)")
        }
        let time = try #require(TimeOfDay("13:14:15.016"))
        #expect((time.hour, time.minute, time.second, time.microsecond) == (13, 14, 15, 16_000))
        #expect(TimeOfDay.midnight < time && time < .endOfDay)
    }

    @Test func `spans with every sign`() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await expect(
                [
                    ("0", CalendarInterval()), ("1 mon", CalendarInterval(months: 1)),
                    ("30 days", CalendarInterval(days: 30)),
                    ("24:00:00", CalendarInterval(microseconds: 86_400_000_000)),
                    (
                        "1 year 2 mons 3 days 04:05:06.5",
                        CalendarInterval(months: 14, days: 3, microseconds: 14_706_500_000)
                    ),
                    (
                        "-1 years -2 mons +3 days -04:05:06.000001",
                        CalendarInterval(months: -14, days: 3, microseconds: -14_706_000_001)
                    ),
                    ("1 mon -1 days +00:00:00.5", CalendarInterval(months: 1, days: -1, microseconds: 500_000)),
                    ("-00:00:00.5", CalendarInterval(microseconds: -500_000)),
                    ("178956970 years 7 mons", CalendarInterval(months: .max)),
                    ("-178956970 years -8 mons", CalendarInterval(months: .min)),
                    ("2147483647 days", CalendarInterval(days: .max)),
                    ("-2147483648 days", CalendarInterval(days: .min)),
                    ("2562047788:00:54.775807", CalendarInterval(microseconds: .max)),
                ], type: "interval", connection)
            let least = CalendarInterval(microseconds: .min)
            #expect(
                try await connection.column("SELECT $1", PostgresParameters(least), as: CalendarInterval.self) == [
                    least
                ])
            #expect(CalendarInterval(least.description) == least)
        }
        // The server says that they are equal.
        #expect(CalendarInterval(months: 1) != CalendarInterval(days: 30))
        #expect(CalendarInterval().description == "PT0S")
        #expect(
            CalendarInterval(months: -14, days: 3, microseconds: -14_706_500_000).description == "P-1Y-2M3DT-4H-5M-6.5S"
        )
        #expect(CalendarInterval(CalendarInterval.infinity.description) == .infinity)
        for text in ["", "P", "PT", "P1", "P1H", "PT1D", "P1.5D", "1 week", "1", "1 day 2", "P99999999999Y", "04:05"] {
            #expect(CalendarInterval(text) == nil, "\(text)")
        }
    }

    @Test func `what no value is, is an error`() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            await #expect(throws: PostgresError.self) {
                _ = try await connection.column("SELECT '09:00+02'::timetz", PostgresParameters(), as: TimeOfDay.self)
            }
            await #expect(throws: PostgresError.self) {
                _ = try await connection.column("SELECT now()", PostgresParameters(), as: CalendarDate.self)
            }
        }
    }
}
