import Foundation
import Logging
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Updates by predicate among other writers, ends of sessions, savepoints and stores.
@Suite struct UpdateTransactionTests {
    private func withVehicles(
        line: Int = #line, _ body: (ModelStore, ModelContext) async throws -> Void
    ) async throws {
        try await withModelStore(Vehicle.self, Car.self, Racer.self, Garage.self, line: line) { store in
            let context = ModelContext(store.container)
            for number in 0..<3 { context.insert(Car("c\(number)", doors: number)) }
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func wheels(_ store: ModelStore) async throws -> [Int] {
        try await ModelContext(store.container).fetch(
            FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.name)]), selecting: \.wheels)
    }

    /// Runs `body` while another session has changed every car and not committed it, and lets that go when somebody waits.
    private func whileHeld(_ store: ModelStore, _ body: (_ isWaitedFor: () async throws -> Void) async throws -> Void)
        async throws
    {
        let holder = ModelContext(store.container)
        try await holder.transaction {
            try await holder.execute("UPDATE \(table: Vehicle.self) SET note = 'held'")
            try await body { try await Self.waitUntilWaitedFor(store.database) }
        }
    }

    /// Returns when a session waits for a lock.
    private static func waitUntilWaitedFor(_ database: TestDatabase) async throws {
        while try await database.texts(
            "SELECT pid::text FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        ).isEmpty { await Task.yield() }
    }

    @Test func `a transaction that is rolled back takes the count back`() async throws {
        struct Stopped: Error {}
        try await withVehicles { store, context in
            var lost: UpdateByPredicate?
            let kept = try context.update(model: Car.self, .set(\.wheels, to: 5))
            do {
                try await context.transaction { () async throws -> Void in
                    let undone = try context.update(
                        model: Car.self, where: #Predicate { $0.doors > 0 }, reportsIdentifiers: true,
                        .set(\.wheels, to: 6))
                    try await context.save()
                    #expect(kept.count == 3 && undone.count == 2 && undone.identifiers?.count == 2)
                    lost = undone
                    throw Stopped()
                }
            } catch is Stopped {}
            #expect(lost?.count == nil)
            #expect(lost?.identifiers == nil)
            // It was called before the transaction: the next save carries it out.
            #expect(kept.count == nil)
            try await context.save()
            #expect(kept.count == 3)
            #expect(try await wheels(store) == [5, 5, 5])
        }
    }

    @Test func `a session that ends takes nothing along, and the same save succeeds afterwards`() async throws {
        try await withVehicles { store, context in
            let update = try context.update(model: Car.self, .add(1, to: \.doors), .set(\.wheels, to: 6))
            try await whileHeld(store) { _ in
                let database = store.database
                async let ending: Void = {
                    try await Self.waitUntilWaitedFor(database)
                    try await database.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
                            + "AND datname = current_database()")
                }()
                let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
                #expect(error?.code == .storeFailure)
                try await ending
            }
            #expect(update.count == nil)
            #expect(context.hasChanges)
            #expect(try await wheels(store) == [4, 4, 4])
            try await context.save()
            #expect(update.count == 3)
            #expect(try await wheels(store) == [6, 6, 6])
            let doors = try await context.fetch(
                FetchDescriptor<Car>(sortBy: [SortDescriptor(\.name)]), selecting: \.doors)
            #expect(doors == [1, 2, 3])
        }
    }

    @Test func `an object that is edited while the save waits keeps the edit, without a conflict`() async throws {
        try await withVehicles { store, _ in
            let painter = Painter(modelContainer: store.container)
            try await painter.begin()
            var saving: Task<Void, any Error>?
            try await whileHeld(store) { isWaitedFor in
                saving = Task { try await painter.save() }
                try await isWaitedFor()
                await painter.edit()
            }
            try await saving?.value
            #expect(try await wheels(store) == [6, 6, 6])
            #expect(await painter.wheels == [9, 6, 6])
            try await painter.save()
            #expect(try await wheels(store) == [9, 6, 6])
        }
    }

    @ModelActor actor Painter {
        private var cars: [Car] = []

        func begin() async throws {
            cars = try await modelContext.fetch(FetchDescriptor<Car>(sortBy: [SortDescriptor(\.name)]))
            try modelContext.update(model: Car.self, .set(\.wheels, to: 6))
        }
        func save() async throws { try await modelContext.save() }
        func edit() { cars[0].wheels = 9 }
        var wheels: [Int] { cars.map(\.wheels) }
    }

    @Test func `a savepoint that fails takes back its own update only`() async throws {
        try await withVehicles { store, context in
            struct Stopped: Error {}
            let cars = try await context.fetch(FetchDescriptor<Car>(sortBy: [SortDescriptor(\.name)]))
            try await context.transaction {
                try context.update(model: Car.self, .add(1, to: \.wheels))
                try await context.save()
                await #expect(throws: Stopped.self) {
                    try await context.transaction {
                        try context.update(model: Car.self, .add(10, to: \.wheels))
                        try await context.save()
                        #expect(cars[0].wheels == 15)
                        throw Stopped()
                    }
                }
                #expect(cars.map(\.wheels) == [5, 5, 5])
            }
            #expect(cars.map(\.wheels) == [5, 5, 5])
            #expect(try await wheels(store) == [5, 5, 5])
        }
    }

    @Test(arguments: [ConflictPolicy.throw, .overwrite, .keepStore])
    func `with every policy a later edit wins`(policy: ConflictPolicy) async throws {
        try await withVehicles { store, context in
            context.conflictPolicy = policy
            let cars = try await context.fetch(FetchDescriptor<Car>(sortBy: [SortDescriptor(\.name)]))
            try context.update(model: Vehicle.self, .set(\.wheels, to: 6))
            cars[1].wheels = 7
            cars[2].note = "mine"
            try await context.save()
            #expect(try await wheels(store) == [6, 7, 6])
            #expect(cars.map(\.wheels) == [6, 7, 6])
            #expect(cars[2].note == "mine")
        }
    }

    @Test func `each store has its own updates`() async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            var first = ModelConfiguration("first", schema: Schema([Locker.self]), url: url)
            first.postgresSchema = "one"
            var second = ModelConfiguration("second", schema: Schema([Queue.self, Ticket.self]), url: url)
            second.postgresSchema = "two"
            let container = try await ModelContainer(
                for: Schema([Locker.self, Queue.self, Ticket.self]), configurations: [first, second],
                logger: Logger(label: "test"))
            let context = ModelContext(container)
            context.insert(Locker(1, "a"))
            context.insert(Queue("q"))
            try await context.save()
            let lockers = try context.update(model: Locker.self, .set(\.label, to: "b"))
            let queues = try context.update(model: Queue.self, .set(\.name, to: "r"))
            try await context.save()
            #expect([lockers.count, queues.count] == [1, 1])
            #expect(try await context.fetch(FetchDescriptor<Locker>(), selecting: \.label) == ["b"])
            #expect(try await context.fetch(FetchDescriptor<Queue>(), selecting: \.name) == ["r"])
            await container.close()
        }
    }

    @Test func `an update costs the save one round trip more`() async throws {
        try await withVehicles { store, context in
            try context.update(model: Car.self, .set(\.doors, to: 6))
            context.insert(Garage("new"))
            store.recorder.reset()
            try await context.save()
            #expect(store.recorder.roundTrips == 3)
        }
    }
}
