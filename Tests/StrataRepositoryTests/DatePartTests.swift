import Foundation
import StrataClient
import StrataRepository
import StrataTestSupport
import Testing

/// A date as a part of a key: one text for one moment, in Swift and on the server, whatever the zone of the session.
@Suite struct DatePartTests {
    /// Of all times, of now, and of the ends of what the server has.
    private static var moments: [PostgresTimestamp] {
        var random = KeyGenerator(1)
        let ends: [Int64] = [
            .min, .max, -211_813_488_000_000_000, 9_223_371_331_199_999_999, 0, -1, 1, 100_000, -100_000,
            -63_114_076_800_000_000, -63_114_076_800_000_001, -63_082_454_400_000_000, 252_455_615_999_999_999,
        ]
        return
            (ends
            + (0..<300).map { _ in
                Int64.random(in: -211_813_488_000_000_000..<9_223_371_331_200_000_000, using: &random)
            }
            + (0..<300).map { _ in Int64.random(in: 0..<1_000_000_000, using: &random) * 1_000_000 })
            .map { PostgresTimestamp(microseconds: $0) }
    }

    @Test func `the text of a moment is what the server writes in JSON, and is read again`() async throws {
        try await withTestDatabase { database in
            let moments = Self.moments
            for zone in ["UTC", "America/St_Johns", "Asia/Kathmandu"] {
                let connection = try await database.connect()
                defer { connection.close() }
                try await connection.run(
                    PostgresBatch(PostgresStatement("SET timezone = '\(zone)'")))
                try await connection.run(PostgresBatch(PostgresStatement("SET datestyle = 'German'")))
                let keys = try moments.map { moment in
                    try #require(RowKey(moment.description, of: .date))
                }
                let array: SQLFragment = """
                    SELECT to_jsonb(u.at AT TIME ZONE 'UTC') #>> '{}', (to_jsonb(7) || to_jsonb(u.at AT TIME ZONE 'UTC'))::text,
                        ((to_jsonb(u.at AT TIME ZONE 'UTC') #>> '{}')::timestamp AT TIME ZONE 'UTC') = u.at
                    FROM unnest(\(bind: keys, of: .date)) WITH ORDINALITY AS u (at, place) ORDER BY u.place
                    """
                var place = 0
                try await connection.run(
                    PostgresBatch(try array.statement()) { row in
                        let (moment, key) = (moments[place], keys[place])
                        #expect(row.string(0) == moment.description && row.bool(2), "\(zone)")
                        let whole = RowKey(parts: [7, key])
                        #expect(whole?.text == row.string(1))
                        #expect(whole?.parts([.integer, .date]) == [7, key])
                        #expect(key.kind == .date && !key.isText && !key.isInteger && key.uuid == nil && key.isFinal)
                        #expect(key.postgresBytes.count == 8)
                        place += 1
                    })
                #expect(place == moments.count)
            }
        }
    }

    @Test func `another text of the same moment is none`() {
        for text in [
            "2026-11-28T01:52:41.50", "2026-11-28 01:52:41", "2026-11-28T01:52:41+00", "2026-11-28T24:00:00",
            "2026-13-01T00:00:00",
            "02026-11-28T01:52:41", "2026-02-30T00:00:00", "Infinity", "", "294277-01-01T00:00:00 BC ",
            "999999-01-01T00:00:00",
        ] {
            let key = RowKey(text, of: .date)
            #expect(key == nil || key?.description != text || text == "999999-01-01T00:00:00", "\(text)")
        }
        #expect(RowKey("2026-11-28T01:52:41.5", of: .date)?.date == Date(timeIntervalSince1970: 1_795_830_761.5))
    }
}
