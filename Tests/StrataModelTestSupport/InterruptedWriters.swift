package import Strata
import StrataClient
package import StrataTestSupport
import Testing

/// Writers that save at once, each rows of its own, while the server ends their sessions: a save that fails has written all of it or nothing, and what
/// each writer knows of its rows is what is stored.
///
/// ```swift
/// let writers = InterruptedWriters(steps: 40, from: [:], change: Self.change, read: Self.read)
/// let known = try await writers.run(in: store, seed: seed)
/// ```
package struct InterruptedWriters<Known: Equatable & Sendable>: Sendable {
    /// Which edit of which writer it is, writers from 1 and steps from 0.
    package struct Edit: Sendable {
        package let writer: Int
        package let step: Int
    }

    /// One edit, in a context and in what its writer knows. It is saved afterwards.
    package typealias Change =
        @Sendable (inout Known, ModelContext, Edit, inout SeededGenerator) async throws -> Void
    /// What the tables have of a writer's rows.
    package typealias Read = @Sendable (TestDatabase, _ writer: Int) async throws -> Known

    private static var writers: ClosedRange<Int> { 1...3 }

    private let steps: Int
    private let start: Known
    private let change: Change
    private let read: Read

    package init(steps: Int, from start: Known, change: @escaping Change, read: @escaping Read) {
        self.steps = steps
        self.start = start
        self.change = change
        self.read = read
    }

    /// Lets three writers write and ends all sessions now and then: what each of them knows in the end, which is what the tables have.
    package func run(in store: ModelStore, seed: UInt64) async throws -> [Known] {
        let (container, database) = (store.container, store.database)
        var (known, ended): ([Int: Known], Int) = ([:], 0)
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for writer in Self.writers {
                group.addTask { .known(writer, try await write(container, database, writer, seed)) }
            }
            group.addTask {
                var random = SeededGenerator(seed &* 77)
                var ended = 0
                for _ in 0..<4 {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 20...120, using: &random)))
                    ended += try await database.texts(Self.kill).count
                }
                return .ended(ended)
            }
            for try await outcome in group {
                switch outcome {
                case .known(let writer, let rows): known[writer] = rows
                case .ended(let sessions): ended = sessions
                }
            }
        }
        #expect(ended > 0)
        for writer in Self.writers {
            #expect(try await stored(in: database, writer) == known[writer])
        }
        return Self.writers.compactMap { known[$0] }
    }

    /// What one of the tasks has to say.
    private enum Outcome: Sendable {
        /// What a writer knows of its rows.
        case known(Int, Known)
        /// So many sessions were ended.
        case ended(Int)
    }

    private static var kill: String {
        """
        SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
        """
    }

    private func write(_ container: ModelContainer, _ database: TestDatabase, _ writer: Int, _ seed: UInt64)
        async throws -> Known
    {
        var random = SeededGenerator(seed &* 1_000 &+ UInt64(writer))
        var known = start
        var context = ModelContext(container)
        for step in 0..<steps {
            var next = known
            do {
                try await change(&next, context, Edit(writer: writer, step: step), &random)
                try await context.save()
                known = next
            } catch let error as SwiftDataError {
                // The rows of other writers are nobody's conflict, and what several write is repeated.
                let refusals: [SwiftDataError.Code] = [
                    .uniqueConstraint, .conflict, .deleteDenied, .modelValidationFailure, .modelNotFound,
                    .foreignObject, .missingPartition,
                ]
                #expect(!refusals.contains(error.code), "\(error)")
                // A session was ended: either all of the save is there, or nothing.
                context = ModelContext(container)
                let stored = try await stored(in: database, writer)
                #expect(stored == known || stored == next, "\(error) \(stored) \(known) \(next)")
                known = stored
            }
        }
        return known
    }

    /// What the tables have. The session that reads may be one of those that are ended.
    private func stored(in database: TestDatabase, _ writer: Int) async throws -> Known {
        for _ in 0..<20 {
            do { return try await read(database, writer) } catch let error as PostgresError where error.isConnectionLoss
            {}
        }
        return try await read(database, writer)
    }
}
