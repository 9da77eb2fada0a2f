import StrataTestSupport
import Synchronization
import Testing

@testable import StrataClient

/// Connections that change hands without the pool's lock.
@Suite struct ParkedConnectionsTests {
    private func withPool(
        _ options: PostgresPoolOptions = PostgresPoolOptions(), _ body: (PostgresPool) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            let pool = PostgresPool(configuration: database.configuration, options: options)
            do {
                try await body(pool)
                await pool.close()
                #expect(pool.connectionCount == 0)
            } catch {
                await pool.close()
                throw error
            }
        }
    }

    /// Whether its lease is still in the books although nobody has it.
    private func isParked(_ connection: PostgresConnection, in pool: PostgresPool) -> Bool {
        pool.state.withLock { state in
            let leases = state.machine.leases.values.filter { $0.connection == connection.id }
            return leases.count == 1 && state.machine.idleCount == 0
        }
    }

    /// Gives a connection back so that it stays parked: the first time it goes through the books, and a timer begins.
    private func park(in pool: PostgresPool) async throws -> PostgresConnection {
        pool.release(try await pool.acquire(for: "to begin with"))
        let connection = try await pool.acquire(for: "once more")
        pool.release(connection)
        #expect(isParked(connection, in: pool))
        return connection
    }

    @Test func whoAsksNextGetsAParkedConnection() async throws {
        try await withPool { pool in
            let connection = try await park(in: pool)
            for _ in 0..<3 {
                let next = try await pool.acquire(for: "next")
                #expect(next === connection)
                pool.release(next)
                #expect(isParked(connection, in: pool))
            }
        }
    }

    @Test func whoWaitsIsServedBeforeAnythingIsParked() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 1, acquireTimeout: .seconds(60))) { pool in
            _ = try await park(in: pool)
            let held = try await pool.acquire(for: "held")
            let order = Shared([Int]())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...3 {
                    group.addTask {
                        let connection = try await pool.acquire(for: "waiter \(number)")
                        order.change { $0.append(number) }
                        pool.release(connection)
                    }
                    try await waitUntil { pool.state.withLock { $0.machine.waiterCount } == number }
                }
                pool.release(held)
                try await group.waitForAll()
            }
            #expect(order.change { $0 } == [1, 2, 3])
        }
    }

    @Test func aTimeoutNamesWhoHasAConnectionThatWasParked() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 1, acquireTimeout: .milliseconds(50))) { pool in
            _ = try await park(in: pool)
            let held = try await pool.acquire(for: "nightly report")
            let error = await postgresError { pool.release(try await pool.acquire(for: "fetch Trip")) }
            #expect(error?.message.contains(#"connection \#(held.id) by "nightly report" for 0."#) == true)
            pool.release(held)
        }
    }

    @Test func parkedConnectionsGrowOldAndAreClosed() async throws {
        try await withPool(PostgresPoolOptions(idleTimeout: .milliseconds(300))) { pool in
            _ = try await park(in: pool)
            try await waitUntil { pool.connectionCount == 0 }
        }
    }

    @Test func whatIsLeftOpenIsNotParked() async throws {
        try await withPool { pool in
            let connection = try await park(in: pool)
            let again = try await pool.acquire(for: "leaves a transaction")
            #expect(again === connection)
            try await again.execute("BEGIN")
            pool.release(again)
            // It is rolled back, and goes through the books.
            try await waitUntil { pool.state.withLock { $0.machine.idleCount } == 1 }
            let next = try await pool.acquire(for: "next")
            #expect(next === connection)
            #expect(next.transactionStatus == .idle)
            pool.release(next)
        }
    }

    @Test func givenBackTwiceItHasOneUser() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 2)) { pool in
            let connection = try await park(in: pool)
            pool.release(connection)
            let one = try await pool.acquire(for: "one")
            let other = try await pool.acquire(for: "other")
            #expect(one !== other)
            pool.release(one)
            pool.release(other)
        }
    }

    @Test func thoseWithoutAPlaceGoThroughTheBooks() async throws {
        let count = ParkedConnections.places + 3
        try await withPool(PostgresPoolOptions(maximumConnections: count)) { pool in
            for _ in 0..<2 {
                var held: [PostgresConnection] = []
                for _ in 0..<count { held.append(try await pool.acquire(for: "many")) }
                #expect(Set(held.map(\.id)).count == count)
                for connection in held { pool.release(connection) }
                #expect(pool.connectionCount == count)
            }
        }
    }

    /// Tasks, blocked threads and those who give up at once: nobody has a connection that somebody else has.
    @Test func aConnectionHasOneUserAtATime() async throws {
        let options = PostgresPoolOptions(maximumConnections: 3, synchronousLane: 1, acquireTimeout: .milliseconds(200))
        try await withPool(options) { pool in
            let users = Shared([Int: Int]())
            let overlaps = Shared(0)
            @Sendable func begin(_ connection: PostgresConnection) {
                let count = users.change { users in
                    users[connection.id, default: 0] += 1
                    return users[connection.id]
                }
                if count != 1 { overlaps.change { $0 += 1 } }
            }
            @Sendable func end(_ connection: PostgresConnection) {
                users.change { $0[connection.id, default: 0] -= 1 }
            }
            @Sendable func blocking() throws {
                try pool.withConnection(for: "thread") {
                    begin($0)
                    end($0)
                }
            }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        for round in 0..<500 {
                            let task = Task {
                                if (number + round) % 5 == 0 { return try blocking() }
                                try await pool.withConnection(for: "task") { connection in
                                    begin(connection)
                                    if round % 3 == 0 { await Task.yield() }
                                    end(connection)
                                }
                            }
                            if (number + round) % 11 == 0 { task.cancel() }
                            _ = await task.result
                        }
                    }
                }
            }
            #expect(overlaps.change { $0 } == 0)
            #expect(pool.connectionCount <= 4)
            // None is lost.
            var held: [PostgresConnection] = []
            for _ in 0..<3 { held.append(try await pool.acquire(for: "at the end")) }
            #expect(Set(held.map(\.id)).count == 3)
            for connection in held { pool.release(connection) }
        }
    }
}

/// What several tasks change.
private final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { (value: inout Value) -> Result in body(&value) }
    }
}
