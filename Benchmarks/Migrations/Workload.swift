/// How many rows there are, and which of them are of the subclass.
struct Workload {
    let rows: Int64
    /// Percent of the rows that belong to the subclass.
    let share: Int

    static let batchSize: Int64 = 10_000

    /// SQL over the row's number `i`.
    var isBusiness: String { "i % 100 < \(share)" }

    /// An INSERT of all trips; `columns` and `values` are what differs between the cases.
    func trips(_ columns: String, _ values: String) -> String {
        """
        INSERT INTO trip (pk, name, destination, start_date, end_date, code, budget, currency, travelers, distance,
          is_favorite, rating, notes, changed, \(columns))
        SELECT i, 'Trip number ' || i, 'Destination ' || i % 997,
          timestamptz '2024-01-01 00:00+00' + i % 100000 * interval '1 minute',
          timestamptz '2024-01-08 00:00+00' + i % 100000 * interval '1 minute',
          (i * 7)::text, i % 5000, 'EUR', i % 9, i % 20000, i % 7 = 0, i % 5, 'Notes on trip ' || i, now(), \(values)
        FROM generate_series(1, \(rows)) AS i
        """
    }

    /// Ranges of keys, as the hand-written batches walk them.
    var ranges: [ClosedRange<Int64>] {
        stride(from: 1, through: rows, by: Int(Self.batchSize)).map { $0...($0 + Self.batchSize - 1) }
    }
}
