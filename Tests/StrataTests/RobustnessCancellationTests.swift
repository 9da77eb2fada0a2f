import Foundation
import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport
import Testing

private func newTrip(_ name: String, items: Int = 0) -> Trip {
    let trip = Trip(name: name, destination: "D", startDate: day(0), endDate: day(1))
    trip.bucketList = (0..<items).map { BucketListItem(title: "\($0)") }
    return trip
}

/// Cancels the task once a statement of the test's own is seen running on the server, or was never sent.
private func cancelWhenBusy(_ task: Task<Void, any Error>, in database: TestDatabase) async throws {
    let connection = try await database.connect()
    defer { connection.close() }
    for _ in 0..<200 {
        var busy = false
        var batch = PostgresBatch()
        batch.add(
            PostgresStatement(
                PreparedSQL(
                    "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
                        + "AND state = 'active' AND wait_event IN ('PgSleep', 'transactionid', 'tuple', 'advisory'))",
                    isCached: false)), onRow: { busy = try $0.decode(0, as: Bool.self) })
        try await connection.run(batch)
        if busy { break }
        try await Task.sleep(for: .milliseconds(10))
    }
    task.cancel()
}

@Suite struct RobustnessCancellationTests {
    /// Each row that is written or deleted takes the server a long time.
    private func slow(_ table: String, _ event: String, in database: TestDatabase) async throws {
        try await database.execute(
            "CREATE OR REPLACE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$",
            "CREATE TRIGGER linger BEFORE \(event) ON \(table) FOR EACH ROW EXECUTE FUNCTION linger()")
    }

    private func expectCancellation(
        _ container: ModelContainer, _ database: TestDatabase, _ location: SourceLocation = #_sourceLocation,
        _ body: @escaping @Sendable (ModelContext) async throws -> Void
    ) async throws {
        let task = Task {
            let context = ModelContext(container)
            do {
                try await body(context)
            } catch {
                // The task stays cancelled; what comes after runs in one of its own, on the same context.
                try await usableUncancelled(context)
                throw error
            }
        }
        try await cancelWhenBusy(task, in: database)
        await #expect(throws: CancellationError.self, sourceLocation: location) { try await task.value }
    }

    /// A context cannot leave its task, and this one is cancelled: the blocking calls do not ask.
    private func usableUncancelled(_ context: ModelContext) async throws {
        try blockingUse(context)
    }

    private func blockingUse(_ context: ModelContext) throws {
        context.rollback()
        let item = LivingAccommodation(placeName: "usable", address: "")
        context.insert(item)
        try context.save()
        let found = try context.fetch(
            FetchDescriptor<LivingAccommodation>(predicate: #Predicate { $0.placeName == "usable" }))
        #expect(found.contains { $0 === item })
    }

    @Test(.timeLimit(.minutes(1))) func `a cancelled save writes nothing and keeps its changes`() async throws {
        try await withTripStore("cancel save") { store in
            try await slow("bucket_list_item", "INSERT", in: store.database)
            let container = store.container
            try await expectCancellation(container, store.database) { context in
                context.insert(newTrip("a", items: 1))
                do { try await context.save() } catch {
                    #expect(context.insertedModelsArray.count == 2)
                    throw error
                }
            }
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 0)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a cancelled transaction is rolled back, in the store and in memory`()
        async throws
    {
        try await withTripStore("cancel transaction") { store in
            try await slow("bucket_list_item", "INSERT", in: store.database)
            let container = store.container
            try await expectCancellation(container, store.database) { context in
                let trip = newTrip("a")
                context.insert(trip)
                try await context.save()
                do {
                    try await context.transaction {
                        trip.destination = "inside"
                        try await context.save()
                        trip.bucketList = [BucketListItem(title: "slow")]
                        try await context.save()
                    }
                } catch {
                    #expect(trip.destination == "D")
                    #expect(trip.bucketList.isEmpty)
                    #expect(!context.hasChanges)
                    throw error
                }
            }
            let trips = try await ModelContext(container).fetch(FetchDescriptor<Trip>())
            #expect(trips.map(\.destination) == ["D"])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a fetch, a count and an enumeration are cancelled in the middle`() async throws
    {
        try await withTripStore("cancel fetch") { store in
            let context = ModelContext(store.container)
            for number in 0..<10 { context.insert(newTrip("\(number)")) }
            try await context.save()
            // A view of the same name whose every row takes long.
            try await store.database.execute(
                "ALTER TABLE trip RENAME TO trip_rows",
                "CREATE VIEW trip AS SELECT t.* FROM trip_rows AS t, LATERAL (SELECT pg_sleep(30) WHERE t.pk > 0) AS s")
            let container = store.container
            try await expectCancellation(container, store.database) { _ = try await $0.fetch(FetchDescriptor<Trip>()) }
            try await expectCancellation(container, store.database) {
                _ = try await $0.fetchCount(FetchDescriptor<Trip>())
            }
            try await expectCancellation(container, store.database) {
                try await $0.enumerate(FetchDescriptor<Trip>(), batchSize: 2) { (_: Trip) in }
            }
            try await expectCancellation(container, store.database) { context in
                try await context.transaction { _ = try await context.fetch(FetchDescriptor<Trip>()) }
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a cancelled enumeration stops between its objects`() async throws {
        try await withTripStore("cancel between") { store in
            let context = ModelContext(store.container)
            for number in 0..<100 { context.insert(newTrip("\(number)")) }
            try await context.save()
            let container = store.container
            let task = Task {
                let context = ModelContext(container)
                var seen = 0
                do {
                    try await context.enumerate(FetchDescriptor<Trip>(), batchSize: 10) { (_: Trip) async throws in
                        seen += 1
                        if seen == 5 { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                } catch {
                    #expect(seen <= 10)
                    try await usableUncancelled(context)
                    throw error
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a task that was cancelled before sends nothing`() async throws {
        try await withTripStore("cancelled before") { store in
            let container = store.container
            let recorder = store.recorder
            recorder.reset()
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                let context = ModelContext(container)
                await #expect(throws: CancellationError.self) { _ = try await context.fetch(FetchDescriptor<Trip>()) }
                let trip = newTrip("a")
                context.insert(trip)
                await #expect(throws: CancellationError.self) { try await context.save() }
                #expect(context.insertedModelsArray.count == 1)
                await #expect(throws: CancellationError.self) { try await context.transaction {} }
                await #expect(throws: CancellationError.self) {
                    try await context.enumerate(FetchDescriptor<Trip>(), allowEscapingMutations: true) { (_: Trip) in }
                }
                #expect(recorder.statements.filter { !$0.contains("nextval") }.isEmpty)
                try await usableUncancelled(context)
            }
            try await task.value
        }
    }

    @Test(.timeLimit(.minutes(1))) func `saves that wait for a lock are cancelled and leave the lock's owner alone`()
        async throws
    {
        try await withTripStore("lock") { store in
            let context = ModelContext(store.container)
            let trip = newTrip("a")
            context.insert(trip)
            try await context.save()
            let id = trip.persistentModelID
            let container = store.container
            let database = store.database
            try await context.transaction {
                trip.destination = "mine"
                try await context.save()
                try await expectCancellation(container, database) { other in
                    let same = try #require(try await other.existingModel(for: id, as: Trip.self))
                    same.destination = "theirs"
                    try await other.save()
                }
            }
            #expect(try await ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.destination) == ["mine"])
        }
    }

    /// Both want the one connection there is: the request to stop the first must not meet the second.
    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `work with a context that is cancelled leaves work beside it alone`(isSaving: Bool) async throws {
        try await withModelStore(Graph.Parent.self, Graph.Child.self, connections: 1) { store in
            let container = store.container
            let held = try await HeldTable.hold("parent", in: store.database)
            let first = Task { try await container.withContext { $0.insert(Graph.Parent("first")) } }
            try await held.isWaitedFor()
            let second = Task { try await container.withContext { $0.insert(Graph.Parent("second")) } }
            try await waitUntil { container.poolUse.map(\.waiting) == [1] }
            let (cancelled, other) = isSaving ? (first, second) : (second, first)
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            // The other has the connection by now, or still.
            try await held.isWaitedFor()
            try await held.letGo()
            try await other.value
            // And it is there for the next.
            let names = try await ModelContext(container).fetch(FetchDescriptor<Graph.Parent>()).map(\.name)
            #expect(names == [isSaving ? "second" : "first"])
        }
    }
}
