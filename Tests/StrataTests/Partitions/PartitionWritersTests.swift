import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataRepository
import StrataTestSupport
import Synchronization
import Testing

/// Seeded writers across partitions that are made and dropped under them, with server processes that end: afterwards the table has what each of them
/// knows of the partitions that are kept.
@Suite struct PartitionWritersTests {
    private typealias Reading = Divided.Reading

    /// What one writer believes of its own readings: months and values by number.
    private typealias Known = [Int: (month: Int, value: Int)]

    /// What happened while the writers wrote.
    private final class Events: Sendable {
        let dropped = Atomic(0)
        let kills = Atomic(0)
    }

    private static let kill =
        "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"

    @Test(arguments: [1, 2, 3] as [UInt64]) func `writers, maintenance, kills and the table agree`(seed: UInt64)
        async throws
    {
        try await withModelStore(of: Divided.schema) { store in
            let (container, database) = (store.container, store.database)
            try await container.makePartitions(of: Reading.self, covering: Divided.date(-6)...Divided.date(-2))
            // Old ones, which are dropped meanwhile.
            let context = ModelContext(container)
            for month in -6 ... -2 { context.insert(Reading(Divided.date(month), 1_000_000 - month)) }
            try await context.save()
            let events = Events()
            let known = try await withThrowingTaskGroup(of: Known.self) { group in
                for writer in 1...3 { group.addTask { try await Self.write(container, database, writer, seed) } }
                group.addTask {
                    // From month to month less is kept.
                    for months in [-5, -4, -3, -2, -1] {
                        let age = Duration.seconds(Date.now.timeIntervalSince(Divided.date(months, plus: 1)))
                        for _ in 0..<2 {
                            do {
                                let outcome = try await container.maintainPartitions(ahead: 5, keeping: age)
                                events.dropped.add(outcome.dropped.count, ordering: .relaxed)
                            } catch let error as SwiftDataError {
                                // Its server process was ended, in the middle of anything.
                                #expect(error.code == .storeFailure, "\(error)")
                            }
                            try await Task.sleep(for: .milliseconds(60))
                        }
                    }
                    return [:]
                }
                group.addTask {
                    var random = SeededGenerator(seed &* 77)
                    for _ in 0..<5 {
                        try await Task.sleep(for: .milliseconds(Int.random(in: 20...150, using: &random)))
                        let ended = try await database.texts(Self.kill).count
                        events.kills.add(ended, ordering: .relaxed)
                    }
                    return [:]
                }
                return try await group.reduce(into: Known()) { $0.merge($1) { first, _ in first } }
            }
            let dropped = events.dropped.load(ordering: .relaxed)
            let kills = events.kills.load(ordering: .relaxed)
            #expect(dropped > 0 && kills > 0, "\(dropped) partitions were dropped, \(kills) sessions ended")
            let age = Duration.seconds(Date.now.timeIntervalSince(Divided.date(-1, plus: 1)))
            let last = try await container.maintainPartitions(ahead: 5, keeping: age)
            #expect(last.postponed.isEmpty)
            #expect(try await store.partitions() == (-1...5).map(Divided.partition))
            let rows = try await database.texts("SELECT serial || ' ' || value FROM reading ORDER BY serial")
            #expect(rows == known.keys.sorted().map { "\($0) \(known[$0]?.value ?? 0)" })
            let read = try await ModelContext(container).fetch(
                FetchDescriptor<Reading>(sortBy: [SortDescriptor(\.serial)]))
            #expect(read.map { "\($0.serial) \($0.value)" } == rows)
            #expect(read.allSatisfy { known[$0.serial].map { Divided.date($0.month) } == $0.takenAt })
            // Nothing is left of what was dropped.
            #expect(
                try await database.texts(
                    "SELECT relname::text FROM pg_class WHERE relname LIKE 'reading_p%' AND relkind = 'r'"
                ).count == 7)
        }
    }

    private static func write(
        _ container: ModelContainer, _ database: TestDatabase, _ writer: Int, _ seed: UInt64
    ) async throws -> Known {
        var random = SeededGenerator(seed &* 1_000 &+ UInt64(writer))
        var known: Known = [:]
        for step in 0..<40 {
            var next = known
            let context = ModelContext(container)
            do {
                try await change(&next, context, writer * 1_000 + step, &random)
                try await context.save()
                known = next
            } catch let error as SwiftDataError {
                let others: [SwiftDataError.Code] = [
                    .uniqueConstraint, .conflict, .missingPartition, .modelNotFound, .modelValidationFailure,
                ]
                #expect(!others.contains(error.code), "\(error)")
                // A backend was ended: either all of it is there, or nothing.
                let rows = try await rows(of: writer, in: database)
                func text(_ known: Known) -> [String] {
                    known.keys.sorted().map { "\($0) \(known[$0]?.value ?? 0)" }
                }
                #expect(rows == text(known) || rows == text(next), "\(error)")
                if rows == text(next) { known = next }
            }
        }
        return known
    }

    /// What is there, whoever ends the session that reads it.
    private static func rows(of writer: Int, in database: TestDatabase) async throws -> [String] {
        let sql = "SELECT serial || ' ' || value FROM reading WHERE serial / 1000 = \(writer) ORDER BY serial"
        for _ in 0..<20 {
            do { return try await database.texts(sql) } catch let error as PostgresError where error.isConnectionLoss {}
        }
        return try await database.texts(sql)
    }

    /// One edit, in a context and in what its writer knows: in months that stay.
    private static func change(
        _ known: inout Known, _ context: ModelContext, _ number: Int, _ random: inout SeededGenerator
    ) async throws {
        let value = Int.random(in: 0...1_000, using: &random)
        let chosen = known.keys.sorted().randomElement(using: &random)
        func reading(_ serial: Int) async throws -> Reading? {
            try await context.fetch(FetchDescriptor<Reading>(predicate: #Predicate { $0.serial == serial })).first
        }
        switch (Int.random(in: 0..<6, using: &random), chosen) {
        case (0...1, _), (_, nil):
            let month = Int.random(in: -1...3, using: &random)
            context.insert(Reading(Divided.date(month), number, value: value))
            known[number] = (month, value)
        case (2, let serial?):
            try await reading(serial)?.value = value
            known[serial]?.value = value
        case (3, let serial?):
            guard let there = try await reading(serial) else { return }
            context.delete(there)
            known[serial] = nil
        case (4, let serial?):
            try context.update(
                model: Reading.self, where: #Predicate { $0.serial == serial }, .set(\.value, to: value))
            known[serial]?.value = value
        case (_, let serial?):
            // Again, by the key.
            guard let there = try await reading(serial) else { return }
            context.insert(Reading(there.takenAt, serial, value: value, id: there.id))
            known[serial]?.value = value
        }
    }
}
