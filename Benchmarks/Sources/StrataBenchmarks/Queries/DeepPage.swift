import Foundation
import PlainClient
import Strata

/// Q5: the page of 50 behind a cursor deep in the table, and the first page, in turn.
final class DeepPage: Workload {
    /// What the pages are ordered by.
    enum Order { case required, descendingOptional }

    let name: String
    let title: String
    let limit: Double? = nil
    /// How many pages.
    let size: Int
    var operations: Int { size * 2 }
    var countsRoundTrips: Bool { false }
    private let rows: Int
    private let descriptor: FetchDescriptor<Sale>
    private let column: String
    private let direction: String
    private var cursor: PageCursor?
    private var place = (value: "", key: 0)
    private var firstPages: [Double] = []
    private var deepPages: [Double] = []

    init(_ order: Order, size: Int, rows: Int) {
        self.size = size
        self.rows = rows
        switch order {
        case .required:
            (name, title) = ("Q5", "a page of 50 at a depth of 85 %")
            (column, direction) = ("sold_at", "ASC")
            descriptor = FetchDescriptor(sortBy: [SortDescriptor(\.soldAt)])
        case .descendingOptional:
            (name, title) = ("Q5d", "the same, descending by an optional")
            (column, direction) = ("due_at", "DESC NULLS LAST")
            descriptor = FetchDescriptor(sortBy: [SortDescriptor(\.dueAt, order: .reverse)])
        }
    }

    func plain(_ database: Database) throws -> () throws -> Outcome {
        try choose(database)
        let columns = "SELECT pk, city, category, sold_at, due_at, price FROM sale"
        let order = "ORDER BY \(column) \(direction), pk LIMIT 50"
        let first = "\(columns) \(order)"
        let deep =
            direction == "ASC"
            ? "\(columns) WHERE (\(column), pk) > ('\(place.value)', \(place.key)) \(order)"
            // What is not null beyond the place is enough for a page at this depth; one who knows that writes only this.
            : "\(columns) WHERE \(column) <= '\(place.value)' AND (\(column) < '\(place.value)' OR pk > \(place.key)) \(order)"
        return { [self] in
            var latencies: [Int64] = []
            var count = 0
            for _ in 0..<size {
                for sql in [first, deep] {
                    let start = ProcessTime.nanoseconds
                    count += try database.plain.outcome(plain_fetch(database.plain.raw, sql, "ltllld")).count
                    latencies.append(ProcessTime.nanoseconds - start)
                }
            }
            return Outcome(count: count, latencies: latencies)
        }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        try choose(database)
        return { [self] in
            var latencies: [Int64] = []
            var count = 0
            for index in 0..<size * 2 {
                let start = ProcessTime.nanoseconds
                let context = ModelContext(database.container)
                let page = try context.fetchPage(descriptor, after: index % 2 == 0 ? nil : cursor, size: 50)
                count += page.objects.count
                latencies.append(ProcessTime.nanoseconds - start)
            }
            firstPages.append(median(latencies, from: 0))
            deepPages.append(median(latencies, from: 1))
            return Outcome(count: count, latencies: latencies)
        }
    }

    private func median(_ latencies: [Int64], from first: Int) -> Double {
        stride(from: first, to: latencies.count, by: 2).map { Double(latencies[$0]) }.median
    }

    func bars(plain: Series, strata: Series) -> [Measurement.Bar] {
        let ratios = zip(deepPages, firstPages).map { $0 / $1 }
        return [.init(what: "times the time of the first page", value: ratios.median, limit: 1.1)]
    }

    /// The cursor at the depth, and the same place for C.
    private func choose(_ database: Database) throws {
        guard cursor == nil else { return }
        let context = ModelContext(database.container)
        let depth = rows * 85 / 100
        cursor = try context.fetchPage(descriptor, size: depth).next
        let order = "ORDER BY \(column) \(direction), pk OFFSET \(depth - 1) LIMIT 1"
        let micros = try database.admin.number(
            "SELECT (extract(epoch FROM \(column)) * 1000000)::bigint FROM sale \(order)")
        place.value = Date(timeIntervalSince1970: Double(micros) / 1_000_000).formatted(.iso8601)
        place.key = try database.admin.number("SELECT pk FROM sale \(order)")
    }
}
