import Foundation
import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// 64 tasks on a pool of 4, each with a context of its own; Swift's own threads are as few as the machine has cores.
@Suite struct ConcurrencyTests {
    private static let tasks = 64

    private func withPoolOfFour(_ label: String, _ body: @Sendable (ModelContainer) async throws -> Void) async throws {
        try await withModelStore(Trip.self, BusinessTrip.self, PersonalTrip.self, label: label, connections: 4) {
            store in
            let context = ModelContext(store.container)
            for number in 0..<20 {
                let trip = Trip(
                    name: "seed \(number)", destination: "D", startDate: day(number), endDate: day(number + 1))
                trip.bucketList = [BucketListItem(title: "a"), BucketListItem(title: "b")]
                trip.livingAccommodation = LivingAccommodation(placeName: "P", address: "A")
                context.insert(trip)
            }
            try await context.save()
            let container = store.container
            try await body(container)
            let after = try await ModelContext(container).fetchCount(FetchDescriptor<Trip>())
            #expect(after >= 20)
        }
    }

    /// Runs the tasks on Swift's own threads, and then once more on those that wait for the database: what they insert is there by
    /// then, and upserted.
    private func inParallel(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        for executor in [nil, ModelContainer.taskExecutor] {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<Self.tasks {
                    group.addTask(executorPreference: executor) { try await body(number) }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `fetches and saves of 64 tasks all finish`() async throws {
        try await withPoolOfFour("save") { container in
            try await inParallel { number in
                let context = ModelContext(container)
                let trip = BusinessTrip(
                    name: "T\(number)", destination: "X", startDate: day(0), endDate: day(1), perdiem: 1)
                context.insert(trip)
                try await context.save()
                trip.destination = "Y"
                try await context.save()
                let name = trip.name
                let found = try await context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == name }))
                #expect(found.map(\.destination) == ["Y"])
            }
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<BusinessTrip>()) == Self.tasks)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `lazy loading in 64 tasks does not wait for itself`() async throws {
        try await withPoolOfFour("lazy") { container in
            try await inParallel { _ in
                let context = ModelContext(container)
                for _ in 0..<3 {
                    let trips = try await context.fetch(FetchDescriptor<Trip>())
                    #expect(trips.allSatisfy { $0.bucketList.count == 2 && $0.livingAccommodation != nil })
                }
                try context.throwUnreportedErrors()
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `lazy loading in 64 transactions does not wait for itself`() async throws {
        try await withPoolOfFour("transactions") { container in
            try await inParallel { number in
                let context = ModelContext(container)
                try await context.transaction {
                    let trip = Trip(name: "T\(number)", destination: "X", startDate: day(0), endDate: day(1))
                    context.insert(trip)
                    try await context.save()
                    let trips = try await context.fetch(FetchDescriptor<Trip>())
                    await Task.yield()
                    #expect(trips.allSatisfy { $0.name.hasPrefix("T") || $0.bucketList.count == 2 })
                }
                try context.throwUnreportedErrors()
            }
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 20 + Self.tasks)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `lazy loading in 64 enumerations does not wait for itself`() async throws {
        try await withPoolOfFour("enumerations") { container in
            try await inParallel { _ in
                let context = ModelContext(container)
                var seen = 0
                try await context.enumerate(FetchDescriptor<Trip>(), batchSize: 7) { (trip: Trip) in
                    await Task.yield()
                    #expect(trip.bucketList.count == 2)
                    seen += 1
                }
                #expect(seen == 20)
                try context.throwUnreportedErrors()
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `fetching within 64 enumerations does not wait for itself`() async throws {
        try await withPoolOfFour("nested") { container in
            try await inParallel { _ in
                let context = ModelContext(container)
                var seen = 0
                try await context.enumerate(FetchDescriptor<Trip>(), batchSize: 7) { (trip: Trip) in
                    let name = trip.name
                    seen += try await context.fetchCount(
                        FetchDescriptor<Trip>(predicate: #Predicate { $0.name == name }))
                }
                #expect(seen == 20)
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `an enumeration in a transaction sees, loads and saves what is its own`()
        async throws
    {
        try await withPoolOfFour("inside") { container in
            let context = ModelContext(container)
            try await context.transaction {
                let trip = Trip(name: "inside", destination: "X", startDate: day(0), endDate: day(1))
                trip.bucketList = [BucketListItem(title: "only here")]
                context.insert(trip)
                try await context.save()
                var titles: [String] = []
                try await context.enumerate(
                    FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]), batchSize: 3, allowEscapingMutations: true
                ) { (outer: Trip) in
                    // Loaded, fetched, enumerated and saved on the connection of the transaction.
                    let name = outer.name
                    #expect(
                        try await context.fetchCount(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == name }))
                            == 1)
                    try await context.enumerate(
                        FetchDescriptor<Trip>(predicate: #Predicate { $0.name == name }), allowEscapingMutations: true
                    ) { (inner: Trip) in
                        #expect(inner === outer)
                    }
                    titles += outer.bucketList.map(\.title)
                    outer.destination = "seen"
                    try await context.transaction { try await context.save() }
                }
                #expect(titles.count == 41)
                #expect(titles.contains("only here"))
                #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 20)
            }
            let seen = try await ModelContext(container).fetchCount(
                FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "seen" }))
            #expect(seen == 21)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `blocking calls in 64 tasks do not wait for asynchronous ones`() async throws {
        try await withPoolOfFour("blocking") { container in
            try await inParallel { number in
                if number.isMultiple(of: 2) {
                    try blockingWork(container, number)
                } else {
                    let context = ModelContext(container)
                    try await context.transaction {
                        _ = try await context.fetchCount(FetchDescriptor<Trip>())
                        try blockingWork(container, number)
                    }
                }
            }
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 20 + Self.tasks)
        }
    }

    private func blockingWork(_ container: ModelContainer, _ number: Int) throws {
        let context = ModelContext(container)
        try context.transaction {
            let trips = try context.fetch(FetchDescriptor<Trip>())
            #expect(trips.allSatisfy { $0.name.hasPrefix("T") || $0.bucketList.count == 2 })
            context.insert(Trip(name: "T\(number)", destination: "X", startDate: day(0), endDate: day(1)))
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a call that waits for the server leaves other tasks alone`() async throws {
        try await withPoolOfFour("block") { container in
            let context = ModelContext(container)
            let trip = try #require(
                try await context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])).first)
            let id = trip.persistentModelID
            let gate = AsyncStream<Void>.makeStream()
            // One transaction holds a row, three saves wait for it, and everybody else goes on.
            try await withThrowingTaskGroup(of: Void.self) { group in
                trip.destination = "held"
                try await context.transaction {
                    try await context.save()
                    for number in 0..<2 {
                        group.addTask {
                            let other = ModelContext(container)
                            other.conflictPolicy = .overwrite
                            let same = try #require(try await other.existingModel(for: id, as: Trip.self))
                            same.destination = "waited \(number)"
                            gate.continuation.yield()
                            try await other.save()
                        }
                    }
                    var waiting = gate.stream.makeAsyncIterator()
                    for _ in 0..<2 { _ = await waiting.next() }
                    try await inParallel { _ in
                        let count = try await ModelContext(container).fetchCount(FetchDescriptor<BucketListItem>())
                        #expect(count == 40)
                    }
                }
                try await group.waitForAll()
            }
            try await context.refresh([trip])
            #expect(trip.destination.hasPrefix("waited"))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a blocking call on a thread that waits for the database holds up only itself`() async throws {
        try await withPoolOfFour("held") { container in
            try await withTaskExecutorPreference(ModelContainer.taskExecutor) {
                let context = ModelContext(container)
                let trip = try #require(
                    try await context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])).first)
                let id = trip.persistentModelID
                try await withThrowingTaskGroup(of: Void.self) { group in
                    try await context.transaction {
                        trip.destination = "held"
                        try await context.save()
                        // Waits for the row, and its thread with it.
                        group.addTask { try changeBlocking(container, id) }
                        for _ in 0..<50 {
                            await Task.yield()
                            #expect(try await context.fetchCount(FetchDescriptor<Trip>()) == 20)
                        }
                    }
                    try await group.waitForAll()
                }
                try await context.refresh([trip])
                #expect(trip.destination == "waited")
            }
        }
    }

    private func changeBlocking(_ container: ModelContainer, _ id: PersistentIdentifier) throws {
        let context = ModelContext(container)
        context.conflictPolicy = .overwrite
        let trip = try #require(try context.existingModel(for: id, as: Trip.self))
        trip.destination = "waited"
        try context.save()
    }

    @Test(.timeLimit(.minutes(1))) func `the same unique object inserted by 64 tasks is one row`() async throws {
        try await withPoolOfFour("upsert") { container in
            try await inParallel { number in
                let context = ModelContext(container)
                let trip = Trip(name: "same", destination: "\(number)", startDate: day(100), endDate: day(101))
                context.insert(trip)
                try await context.save()
            }
            let trips = try await ModelContext(container).fetch(
                FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "same" }))
            #expect(trips.count == 1)
        }
    }
}
