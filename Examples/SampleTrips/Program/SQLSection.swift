import Foundation
import SampleTripsModels
import Strata

/// SQL of one's own, and locks.
struct SQLSection {
    let container: ModelContainer
    let report: Report

    private struct City: Decodable {
        var name: String
        var trips: Int
        var lastStart: Date
    }

    func run() async throws {
        report.section("SQL and locks")
        let context = ModelContext(container)
        try await readRows(context)
        try await readObjects(context)
        try await write(context)
        try await lock(context)
        try await takeTurns(context)
    }

    private func readRows(_ context: ModelContext) async throws {
        let date = day(2020, 1, 1)
        let cities = try await context.fetch(
            City.self,
            sql: """
                SELECT \(\Trip.destination) AS name, count(*) AS trips, max(\(\Trip.startDate)) AS last_start
                FROM \(Trip.self) WHERE \(\Trip.startDate) > \(date) GROUP BY 1 ORDER BY 2 DESC, 1
                """)
        report.expect(!cities.isEmpty && cities.allSatisfy { $0.lastStart > date }, "rows of SQL become structs")

        let perdiems = try await context.fetch(
            (String, Double).self,
            sql: "SELECT \(\BusinessTrip.name), \(\BusinessTrip.perdiem) FROM \(BusinessTrip.self) ORDER BY 2 DESC")
        let total = try await context.fetch(
            Double?.self, sql: "SELECT sum(\(\BusinessTrip.perdiem)) FROM \(BusinessTrip.self)")
        report.expect(perdiems.map(\.1).reduce(0, +) == total[0] ?? 0, "or tuples, or single values")
    }

    private func readObjects(_ context: ModelContext) async throws {
        let planned = try await context.fetch(
            Trip.self,
            sql: """
                SELECT \(\Trip.persistentModelID) FROM \(Trip.self)
                LEFT JOIN \(BucketListItem.self) ON \(\BucketListItem.trip) = \(\Trip.persistentModelID)
                GROUP BY 1 HAVING count(\(\BucketListItem.title)) > 0 ORDER BY count(*) DESC
                """)
        report.expect(planned.allSatisfy { !$0.bucketList.isEmpty }, "keys become the context's objects")
    }

    private func write(_ context: ModelContext) async throws {
        let shorter = try await context.execute(
            """
            UPDATE \(table: BucketListItem.self) SET \(column: \BucketListItem.details) = ''
            WHERE \(\BucketListItem.details) = \(" ")
            """)
        report.expect(shorter == 0, "a statement says how many rows it changed")
    }

    private func lock(_ context: ModelContext) async throws {
        try await context.transaction {
            var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
            descriptor.fetchLimit = 1
            descriptor.lock = .update
            let trips = try await context.fetch(descriptor)
            for trip in trips { trip.destination = trip.destination.capitalized }
        }
        report.expect(!context.hasChanges, "locked rows are changed without a conflict")
        try await shareAndSkip(context)
    }

    private func shareAndSkip(_ context: ModelContext) async throws {
        var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
        try await context.transaction {
            descriptor.lock = .share
            let all = try await context.fetch(descriptor)
            let others = try await container.withContext { other in
                try await other.transaction {
                    var free = FetchDescriptor<Trip>()
                    free.lock = .skipLocked
                    var readable = FetchDescriptor<Trip>()
                    readable.lock = .share.noWait
                    return (try await other.fetch(free).count, try await other.fetch(readable).count)
                }
            }
            report.expect(
                others == (0, all.count), "rows that are shared are no one's to change, and others may read them")
        }
    }

    private func takeTurns(_ context: ModelContext) async throws {
        let count = try await context.withAdvisoryLock("nightly") {
            try await context.fetchCount(FetchDescriptor<Trip>())
        }
        let same = try await context.tryWithAdvisoryLock("nightly") {
            try await context.fetchCount(FetchDescriptor<Trip>())
        }
        report.expect(count == same, "a lock with a name is free again after its transaction")

        let counts = try await container.withAdvisoryLock("nightly") {
            var counts: [Int] = []
            for city in ["Kyoto", "Oslo"] {
                let trips = FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == city })
                counts.append(try await container.withContext { try await $0.fetchCount(trips) })
            }
            return counts
        }
        report.expect(counts.count == 2, "and is held by the container for work that is longer")
    }
}
