import Foundation

/// The trips that the databases are filled with: the same every time.
enum TripData {
    /// Rows that the benchmarks add have keys from here on: Strata gives its own (2^40 and more), the C program larger ones.
    static let firstNewKey: Int64 = 1 << 40
    static let firstPlainKey: Int64 = 1 << 50
    /// Trips start at a minute of the first million after this moment, evenly.
    static let firstStart = Date(timeIntervalSince1970: 1_704_067_200)
    private static let minutes = 1_000_000

    /// The moment before which about so many of the trips start.
    static func end(of count: Int, among total: Int) -> Date {
        firstStart.addingTimeInterval(Double(minutes * count / total) * 60)
    }

    /// A third each of the three classes; every second trip has an accommodation, every one two items.
    static func fill(_ database: Database, trips: Int, related: Bool) throws {
        let kinds = "(array['Trip', 'BusinessTrip', 'PersonalTrip'])[i % 3 + 1]"
        let words = "(array['Bright', 'Calm', 'Distant', 'Eager', 'Foggy', 'Gentle', 'High', 'Icy', 'Joyful', 'Kind'])"
        let places = "(array['Aarhus', 'Basel', 'Cork', 'Dakar', 'Essen', 'Faro', 'Ghent', 'Hilo', 'Izmir', 'Jena'])"
        let start = "timestamptz '2024-01-01 00:00+00' + ((i::bigint * 7919) % \(minutes)) * interval '1 minute'"
        let admin = database.admin
        // Neither triggers nor checks of foreign keys: what is filled in fits.
        try admin.execute("SET session_replication_role = replica")
        try admin.execute(
            """
            INSERT INTO trip (pk, class, name, destination, start_date, end_date)
            SELECT i, \(kinds), \(words)[i % 10 + 1] || ' ' || \(places)[i / 10 % 10 + 1] || ' ' || i,
              'Destination ' || i % 997, \(start), \(start) + interval '7 days'
            FROM generate_series(1, \(trips)) i
            """,
            "INSERT INTO business_trip SELECT pk, 50 + pk % 200 FROM trip WHERE class = 'BusinessTrip' ORDER BY pk",
            """
            INSERT INTO personal_trip SELECT pk, 'Reason number ' || pk % 50 FROM trip
            WHERE class = 'PersonalTrip' ORDER BY pk
            """)
        if related {
            try admin.execute(
                """
                INSERT INTO bucket_list_item (pk, title, has_reservation, trip)
                SELECT i, 'Item ' || i % 2 || ' of trip ' || (i + 1) / 2, i % 3 = 0, (i + 1) / 2
                FROM generate_series(1, \(trips) * 2) i
                """,
                """
                INSERT INTO living_accommodation (pk, place_name, address, trip)
                SELECT i, 'Hotel ' || i, i || ' Station Road', i * 2 FROM generate_series(1, \(trips) / 2) i
                """)
        }
        try admin.execute("RESET session_replication_role", "VACUUM (ANALYZE, FREEZE)", "CHECKPOINT")
    }

    /// Removes what the benchmarks have added, and the dead rows they left.
    static func reset(_ database: Database) throws {
        try database.admin.execute(
            "DELETE FROM trip WHERE pk >= \(firstNewKey)", "VACUUM trip", "VACUUM business_trip",
            "VACUUM personal_trip", "VACUUM bucket_list_item", "VACUUM living_accommodation")
    }
}

extension Date {
    /// As `timestamptz` has it: microseconds since 2000.
    var microseconds: Int64 { Int64(((timeIntervalSince1970 - 946_684_800) * 1_000_000).rounded()) }
}
