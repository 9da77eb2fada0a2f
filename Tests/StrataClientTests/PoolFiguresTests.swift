import StrataTestSupport
import Testing

@testable import StrataClient

/// What a pool says of itself is true again after everything that can go wrong.
@Suite struct PoolFiguresTests {
    private func withPool(
        _ options: PostgresPoolOptions, onConnect: (@Sendable (PostgresConnection) throws -> Void)? = nil,
        _ body: (PostgresPool) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            let pool = PostgresPool(configuration: database.configuration, options: options, onConnect: onConnect)
            do { try await body(pool) } catch {
                await pool.close()
                throw error
            }
            await pool.close()
            #expect(pool.figures == PoolFigures(open: 0, inUse: 0, waiting: 0))
        }
    }

    private func sleeping() -> PostgresBatch {
        PostgresBatch(PostgresStatement(PreparedSQL("SELECT pg_sleep(3600)", isCached: false)))
    }

    @Test func whoWaitsInVainOrIsCancelledWaitsNoMore() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 1, acquireTimeout: .milliseconds(50))) { pool in
            let held = try await pool.acquire(for: "work")
            #expect(pool.figures == PoolFigures(open: 1, inUse: 1, waiting: 0))
            let error = await postgresError { pool.release(try await pool.acquire(for: "in vain")) }
            #expect(error?.code == .poolAcquireTimeout)
            #expect(pool.figures == PoolFigures(open: 1, inUse: 1, waiting: 0))
            pool.release(held)
            #expect(pool.figures == PoolFigures(open: 1, inUse: 0, waiting: 0))
        }
        try await withPool(PostgresPoolOptions(maximumConnections: 1, acquireTimeout: .seconds(60))) { pool in
            let held = try await pool.acquire(for: "work")
            let waiting = (0..<5).map { number in
                Task { pool.release(try await pool.acquire(for: "waiting \(number)")) }
            }
            try await waitUntil { pool.figures.waiting == 5 }
            for task in waiting { task.cancel() }
            for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
            #expect(pool.figures == PoolFigures(open: 1, inUse: 1, waiting: 0))
            pool.release(held)
            #expect(pool.figures == PoolFigures(open: 1, inUse: 0, waiting: 0))
        }
    }

    @Test func aConnectionThatCannotBeOpenedCountsForNothing() async throws {
        struct Refusal: Error {}
        let refuse: @Sendable (PostgresConnection) throws -> Void = { _ in throw Refusal() }
        try await withPool(PostgresPoolOptions(maximumConnections: 2), onConnect: refuse) { pool in
            for _ in 0..<3 {
                await #expect(throws: Refusal.self) { pool.release(try await pool.acquire(for: "work")) }
                #expect(pool.figures == PoolFigures(open: 0, inUse: 0, waiting: 0))
            }
        }
    }

    @Test func aCancelledStatementGivesItsConnectionBack() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 2)) { pool in
            let work = Task { try await pool.withConnection(for: "sleep") { try await $0.run(sleeping()) } }
            try await waitUntil { pool.figures.inUse == 1 }
            work.cancel()
            await #expect(throws: CancellationError.self) { try await work.value }
            try await waitUntil { pool.figures.inUse == 0 }
            #expect(pool.figures.waiting == 0)
            let next = try await pool.acquire(for: "next")
            #expect(pool.figures.inUse == 1)
            pool.release(next)
        }
    }

    @Test func aLostConnectionIsNotOpenAnyMore() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 2)) { pool in
            let lost = try await pool.acquire(for: "lost")
            let other = try await pool.acquire(for: "other")
            #expect(pool.figures == PoolFigures(open: 2, inUse: 2, waiting: 0))
            lost.abort()
            await #expect(throws: PostgresError.self) { try await lost.run(sleeping()) }
            pool.release(lost)
            pool.release(lost)
            #expect(pool.figures == PoolFigures(open: 1, inUse: 1, waiting: 0))
            pool.release(other)
            #expect(pool.figures == PoolFigures(open: 1, inUse: 0, waiting: 0))
        }
    }
}
