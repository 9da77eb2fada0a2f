import CoreMetrics
import MetricsTestKit
import OperatedService
import Strata
import StrataMetrics
import Testing

@Suite struct StoreMetricsTests {
    private func withMetrics(_ test: (ModelContainer, StoreMetrics, TestMetrics) async throws -> Void) async throws {
        let backend = TestMetrics()
        let metrics = StoreMetrics(factory: backend)
        let container = try await ModelContainer(
            for: Schema([Trip.self, DestinationCount.self]),
            configurations: [ModelConfiguration(isStoredInMemoryOnly: true)], observers: [metrics])
        do { try await test(container, metrics, backend) } catch {
            await container.close()
            throw error
        }
        await container.close()
    }

    private func statement(_ operation: String, _ summary: String, of entity: String, error: String = "")
        -> [(String, String)]
    {
        [
            ("db.system.name", "postgresql"), ("db.operation.name", operation), ("db.collection.name", entity),
            ("db.query.summary", summary), ("error.type", error),
        ]
    }

    private func call(_ kind: String, _ name: String, error: String = "") -> [(String, String)] {
        [
            ("db.system.name", "postgresql"), ("strata.call.kind", kind), ("strata.call.name", name),
            ("error.type", error),
        ]
    }

    @Test func statementsAreCountedByOperationAndClass() async throws {
        try await withMetrics { container, _, backend in
            let context = ModelContext(container)
            for destination in ["Lyon", "Metz", "Nice"] { context.insert(Trip(destination: destination)) }
            try await context.save()
            _ = try await ModelContext(container).fetch(FetchDescriptor<Trip>())
            _ = try await ModelContext(container).fetch(FetchDescriptor<Trip>())
            let fetches = try backend.expectTimer(
                "db.client.operation.duration", statement("SELECT", "fetch Trip", of: "Trip"))
            #expect(fetches.values.count == 2)
            #expect(fetches.values.allSatisfy { $0 > 0 })
            let rows = try backend.expectRecorder(
                "strata.statement.rows", statement("SELECT", "fetch Trip", of: "Trip"))
            #expect(rows.values == [3, 3])
            let inserted = backend.recorders(label: "strata.statement.rows").filter { recorder in
                recorder.dimensions.contains { $0 == ("db.operation.name", "INSERT") }
            }
            #expect(inserted.map(\.values) == [[3]])
            #expect(inserted.first?.dimensions.contains { $0 == ("db.collection.name", "Trip") } == true)
        }
    }

    @Test func bytesOfValuesAreCountedInBothDirections() async throws {
        try await withMetrics { container, _, backend in
            let context = ModelContext(container)
            context.insert(Trip(destination: "Lyon"))
            try await context.save()
            func bytes(_ operation: String, _ summary: String, _ direction: String, of entity: String) throws -> Int64 {
                try backend.expectCounter(
                    "strata.statement.value_bytes",
                    statement(operation, summary, of: entity) + [("strata.direction", direction)]
                ).totalValue
            }
            _ = try await ModelContext(container).fetch(FetchDescriptor<Trip>())
            let received = try bytes("SELECT", "fetch Trip", "received", of: "Trip")
            // The text and two whole numbers at least, and nothing of the protocol's.
            #expect((20...64).contains(received), "\(received)")
            #expect(try bytes("SELECT", "fetch Trip", "sent", of: "Trip") == 0)

            context.insert(Trip(destination: String(repeating: "o", count: 1000)))
            try await context.save()
            let sent = backend.counters(label: "strata.statement.value_bytes").filter { counter in
                [("db.operation.name", "INSERT"), ("db.collection.name", "Trip"), ("strata.direction", "sent")]
                    .allSatisfy { wanted in counter.dimensions.contains { $0 == wanted } }
            }.map(\.totalValue).reduce(0, +)
            #expect((1000...1300).contains(sent), "\(sent)")
            _ = try await ModelContext(container).fetch(FetchDescriptor<Trip>())
            let both = try bytes("SELECT", "fetch Trip", "received", of: "Trip")
            #expect(both == received * 3 + 996, "\(both)")

            let long = String(repeating: "o", count: 1000)
            _ = try await ModelContext(container).fetch(
                FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == long }))
            // The parameter goes out, the row comes back: 12 bytes of numbers and the like beside each text.
            #expect(try bytes("SELECT", "fetch Trip", "sent", of: "Trip") == 1000)
        }
    }

    @Test func bytesOfACopyAreItsRows() async throws {
        try await withMetrics { container, _, backend in
            _ = try await ModelContext(container).insert(
                into: Trip.self, \.destination, \.travellers, rows: (0..<2000).map { ("Lyon \($0)", 1) })
            let sent = backend.counters(label: "strata.statement.value_bytes").filter { counter in
                [("db.operation.name", "COPY"), ("strata.direction", "sent")]
                    .allSatisfy { wanted in counter.dimensions.contains { $0 == wanted } }
            }.map(\.totalValue).reduce(0, +)
            #expect(sent > 2000 * 8, "\(sent)")
        }
    }

    @Test func callsAreTimedWithTheirWaitForAConnection() async throws {
        try await withMetrics { container, _, backend in
            let context = ModelContext(container)
            context.insert(Trip(destination: "Lyon"))
            try await context.save()
            _ = try await ModelContext(container).fetch(FetchDescriptor<Trip>())
            #expect(try backend.expectTimer("strata.call.duration", call("save", "save")).values.count == 1)
            #expect(try backend.expectTimer("strata.call.duration", call("read", "fetch Trip")).values.count == 1)
            let wait = try backend.expectTimer(
                "db.client.connection.wait_time", [("db.system.name", "postgresql"), ("strata.call.kind", "read")])
            #expect(wait.values.count == 1)
        }
    }

    /// The same through SwiftData's blocking forms.
    @Test func blockingCallsAreTimedToo() async throws {
        try await withMetrics { container, _, backend in
            func work() throws {
                let context = ModelContext(container)
                context.insert(Trip(destination: "Lyon"))
                try context.save()
                _ = try context.fetch(FetchDescriptor<Trip>())
            }
            try work()
            #expect(try backend.expectTimer("strata.call.duration", call("save", "save")).values.count == 1)
            #expect(try backend.expectTimer("strata.call.duration", call("read", "fetch Trip")).values.count == 1)
        }
    }

    @Test func lazyLoadsAreCountedByProperty() async throws {
        try await withMetrics { container, _, backend in
            let context = ModelContext(container)
            context.insert(Trip(destination: "Lyon"))
            try await context.save()
            var descriptor = FetchDescriptor<Trip>()
            descriptor.propertiesToFetch = [\.destination]
            let reader = ModelContext(container)
            #expect(try await reader.fetch(descriptor).first?.travellers == 1)
            let loads = try backend.expectCounter(
                "strata.lazy_loads", [("db.system.name", "postgresql"), ("strata.call.name", "load Trip.travellers")])
            #expect(loads.totalValue == 1)
        }
    }

    @Test func conflictsAndRetriesAreCounted() async throws {
        try await withMetrics { container, _, backend in
            let context = ModelContext(container)
            let trip = Trip(destination: "Lyon")
            context.insert(trip)
            try await context.save()
            var attempts = 0
            try await container.withContext(attempts: 3) { again in
                attempts += 1
                let found = try #require(try await again.fetch(FetchDescriptor<Trip>()).first)
                if attempts == 1 {
                    trip.travellers = 2
                    try await context.save()
                }
                found.travellers += 1
            }
            #expect(attempts == 2)
            #expect(backend.counterTotal(label: "strata.conflicts") == 1)
            #expect(
                try backend.expectCounter(
                    "strata.retries", [("db.system.name", "postgresql"), ("error.type", "conflict")]
                ).totalValue == 1)
        }
    }

    @Test func aFailureIsNamedByItsSQLState() async throws {
        try await withMetrics { container, _, backend in
            let context = ModelContext(container)
            await #expect(throws: SwiftDataError.self) { try await context.execute("SELECT 1 / 0") }
            let failed = backend.timers(label: "db.client.operation.duration").filter { timer in
                timer.dimensions.contains { $0 == ("error.type", "22012") }
            }
            #expect(failed.count == 1)
        }
    }

    /// Whoever gets no connection is not among the waits that ended well.
    @Test func aWaitInVainIsATimeoutAndNoWait() async throws {
        let backend = TestMetrics()
        let metrics = StoreMetrics(factory: backend)
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.pool = ModelConfiguration.Pool(maximumConnections: 1)
        configuration.pool.acquireTimeout = .milliseconds(50)
        let container = try await ModelContainer(
            for: Schema([Trip.self, DestinationCount.self]), configurations: [configuration], observers: [metrics])
        let context = ModelContext(container)
        try await context.transaction {
            context.insert(Trip(destination: "Lyon"))
            try await context.save()
            await #expect(throws: SwiftDataError.storeFailure) {
                _ = try await ModelContext(container).fetch(FetchDescriptor<Trip>())
            }
            await metrics.record(container)
        }
        let read = [("db.system.name", "postgresql"), ("strata.call.kind", "read")]
        #expect(try backend.expectCounter("db.client.connection.timeouts", read).totalValue == 1)
        #expect(try backend.expectTimer("db.client.connection.wait_time", read).values.isEmpty)
        #expect(
            try backend.expectTimer("strata.call.duration", call("read", "fetch Trip", error: "storeFailure")).values
                .count
                == 1)
        let pool = [("db.system.name", "postgresql"), ("db.client.connection.pool.name", "default")]
        let used = pool + [("db.client.connection.state", "used")]
        #expect(try backend.expectMeter("db.client.connection.count", used).values == [1])
        #expect(try backend.expectMeter("db.client.connection.pending_requests", pool).values == [0])
        // Given back, also where a transaction's end is still under way.
        while container.poolUse[0].inUse > 0 { await Task.yield() }
        await metrics.record(container)
        #expect(try backend.expectMeter("db.client.connection.count", used).values.last == 0)
        await container.close()
    }

    /// A save of two stores has a connection to each, and does not wait for the second from its beginning.
    @Test func aCallOfSeveralConnectionsWaitsOnce() async throws {
        let backend = TestMetrics()
        let container = try await ModelContainer(
            for: Schema([Trip.self, DestinationCount.self]),
            configurations: [
                ModelConfiguration("trips", schema: Schema([Trip.self]), isStoredInMemoryOnly: true),
                ModelConfiguration("counts", schema: Schema([DestinationCount.self]), isStoredInMemoryOnly: true),
            ], observers: [StoreMetrics(factory: backend)])
        let context = ModelContext(container)
        context.insert(Trip(destination: "Lyon"))
        context.insert(DestinationCount(destination: "Lyon", trips: 1))
        try await context.save()
        let waits = try backend.expectTimer(
            "db.client.connection.wait_time", [("db.system.name", "postgresql"), ("strata.call.kind", "save")])
        #expect(waits.values.count == 1)
        await container.close()
    }

    @Test func metersShowConnectionsAndTheLagOfConsumers() async throws {
        try await withMetrics { container, metrics, backend in
            let consumer = container.historyConsumer("counts", of: Trip.self)
            let context = ModelContext(container)
            context.insert(Trip(destination: "Lyon"))
            try await context.save()
            _ = try await consumer.catchUp { _, _ in }
            await metrics.record(container, consumers: [consumer])
            let lag = [("db.system.name", "postgresql"), ("strata.consumer", "counts")]
            #expect(try backend.expectMeter("strata.history.lag", lag).values == [0])
            let pool = [("db.system.name", "postgresql"), ("db.client.connection.pool.name", "default")]
            #expect(try backend.expectMeter("db.client.connection.max", pool).values == [8])
            #expect(try backend.expectMeter("db.client.connection.pending_requests", pool).values == [0])
            let idle = try backend.expectMeter(
                "db.client.connection.count", pool + [("db.client.connection.state", "idle")])
            #expect(idle.values.last ?? 0 > 0)
        }
    }
}
