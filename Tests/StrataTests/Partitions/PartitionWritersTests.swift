import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataRepository
import StrataTestSupport
import Testing

/// Seeded writers across partitions that are made and dropped under them, with server processes that end: afterwards the table has what each of them
/// knows of the partitions that are kept.
@Suite struct PartitionWritersTests {
    private typealias Reading = Divided.Reading

    /// What one writer believes of one of its readings.
    private struct Entry: Equatable {
        var month: Int
        var value: Int
    }

    /// The readings of a writer by their numbers.
    private typealias Known = [Int: Entry]

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
            let writers = InterruptedWriters(steps: 40, from: Known(), change: Self.change, read: Self.read)
            async let dropped = Self.dropOldPartitions(of: container)
            let known = try await writers.run(in: store, seed: seed).reduce(into: Known()) {
                $0.merge($1) { first, _ in first }
            }
            #expect(try await dropped > 0)
            let age = Duration.seconds(Date.now.timeIntervalSince(Divided.date(-1, plus: 1)))
            let last = try await container.maintainPartitions(ahead: 5, keeping: age)
            #expect(last.postponed.isEmpty)
            #expect(try await store.partitions() == (-1...5).map(Divided.partition))
            let rows = try await database.texts("SELECT serial || ' ' || value FROM reading ORDER BY serial")
            #expect(rows == known.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.value)" })
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

    /// Keeps less from month to month; the number of partitions that were dropped.
    private static func dropOldPartitions(of container: ModelContainer) async throws -> Int {
        var dropped = 0
        for months in [-5, -4, -3, -2, -1] {
            let age = Duration.seconds(Date.now.timeIntervalSince(Divided.date(months, plus: 1)))
            for _ in 0..<2 {
                do {
                    dropped += try await container.maintainPartitions(ahead: 5, keeping: age).dropped.count
                } catch let error as SwiftDataError {
                    // Its server process was ended, in the middle of anything.
                    #expect(error.code == .storeFailure, "\(error)")
                }
                try await Task.sleep(for: .milliseconds(60))
            }
        }
        return dropped
    }

    private static func read(_ database: TestDatabase, _ writer: Int) async throws -> Known {
        var known: Known = [:]
        let texts = try await database.texts(
            """
            SELECT serial || ' ' || value || ' ' || extract(epoch FROM taken_at)::bigint FROM reading
            WHERE serial / 1000 = \(writer)
            """)
        for text in texts {
            let numbers = text.split(separator: " ").compactMap { Int($0) }
            let takenAt = Date(timeIntervalSince1970: Double(numbers[2]))
            let month = (-1...3).first { abs(Divided.date($0).timeIntervalSince(takenAt)) <= 1 }
            known[numbers[0]] = Entry(month: try #require(month), value: numbers[1])
        }
        return known
    }

    /// One edit, in a context and in what its writer knows: in months that stay.
    private static func change(
        _ known: inout Known, _ context: ModelContext, _ edit: InterruptedWriters<Known>.Edit,
        _ random: inout SeededGenerator
    ) async throws {
        let number = edit.writer * 1_000 + edit.step
        let value = Int.random(in: 0...1_000, using: &random)
        let chosen = known.keys.sorted().randomElement(using: &random)
        func reading(_ serial: Int) async throws -> Reading? {
            try await context.fetch(FetchDescriptor<Reading>(predicate: #Predicate { $0.serial == serial })).first
        }
        switch (Int.random(in: 0..<6, using: &random), chosen) {
        case (0...1, _), (_, nil):
            let month = Int.random(in: -1...3, using: &random)
            context.insert(Reading(Divided.date(month), number, value: value))
            known[number] = Entry(month: month, value: value)
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
            // Again, by the key, where nobody has read it: one object stands for a row in a context.
            guard let there = try await reading(serial) else { return }
            let other = ModelContext(context.container)
            other.insert(Reading(there.takenAt, serial, value: value, id: there.id))
            try await other.save()
            known[serial]?.value = value
        }
    }
}
