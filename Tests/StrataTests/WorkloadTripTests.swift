import Foundation
import Strata
import StrataClient
import Testing

@Model private class Journey {
    #Index<Journey>([\.start])
    var name: String
    var start: Date
    @Relationship(deleteRule: .cascade, inverse: \Errand.journey) var errands: [Errand] = []
    @Relationship(deleteRule: .cascade, inverse: \Lodging.journey) var lodging: Lodging?
    init(name: String, start: Date) {
        self.name = name
        self.start = start
    }
}
@Model private final class WorkJourney: Journey { var allowance = 0.0 }
@Model private final class FreeJourney: Journey { var reason = "" }
@Model private final class Errand {
    var title: String
    var journey: Journey?
    init(title: String) { self.title = title }
}
@Model private final class Lodging {
    var place: String
    var journey: Journey?
    init(place: String) { self.place = place }
}

/// How often the workloads of the benchmarks wait for the server. Times are measured there, and depend on the machine; these
/// numbers do not.
@Suite struct WorkloadTripTests {
    private func withStore(_ body: (ModelStore) async throws -> Void) async throws {
        try await withModelStore(Journey.self, WorkJourney.self, FreeJourney.self) { store in
            let context = ModelContext(store.container)
            insert(300, into: context)
            try await context.save()
            store.recorder.reset()
            try await body(store)
        }
    }

    private func insert(_ count: Int, into context: ModelContext) {
        for number in 0..<count {
            let name = "J\(number)"
            let journey =
                switch number % 3 {
                case 1: WorkJourney(name: name, start: day(number))
                case 2: FreeJourney(name: name, start: day(number))
                default: Journey(name: name, start: day(number))
                }
            journey.errands = [Errand(title: "a\(number)"), Errand(title: "b\(number)")]
            if number % 2 == 0 { journey.lodging = Lodging(place: "L\(number)") }
            context.insert(journey)
        }
    }

    /// The round trips of the work itself: keys for new objects are reserved in the background.
    private func roundTrips(_ store: ModelStore) -> Int {
        store.recorder.flushes.filter { !$0.allSatisfy { $0.isEmpty || $0.contains("nextval") } }.count
    }

    @Test func `inserting a graph is one round trip`() async throws {
        try await withStore { store in
            let context = ModelContext(store.container)
            insert(100, into: context)
            try await context.save()
            #expect(roundTrips(store) == 1)
        }
    }

    @Test func `a deep fetch is one round trip, and so is one of a subclass`() async throws {
        try await withStore { store in
            let all = try await ModelContext(store.container).fetch(FetchDescriptor<Journey>())
            #expect(all.count == 300)
            #expect(roundTrips(store) == 1)
            let free = try await ModelContext(store.container).fetch(FetchDescriptor<FreeJourney>())
            #expect(free.count == 100)
            #expect(roundTrips(store) == 2)
        }
    }

    @Test func `a look-up by key is one round trip, by a statement whose plan the server keeps`() async throws {
        try await withStore { store in
            let identifiers = try await ModelContext(store.container).fetchIdentifiers(FetchDescriptor<Journey>())
            store.recorder.reset()
            for identifier in identifiers.prefix(5) {
                _ = try await ModelContext(store.container).model(for: identifier)
            }
            #expect(roundTrips(store) == 5)
            let statements = store.recorder.statements
            #expect(Set(statements).count <= 3, "a statement a class: \(statements)")
            #expect(statements.allSatisfy { $0.hasSuffix(#"WHERE t0."pk" = $1::bigint"#) })
        }
    }

    @Test func `a search is one round trip, and its text is the same for every value`() async throws {
        try await withStore { store in
            for number in 0..<4 {
                let (text, start) = ("j\(number)", day(number))
                var descriptor = FetchDescriptor<Journey>(
                    predicate: #Predicate { $0.name.localizedStandardContains(text) && $0.start >= start },
                    sortBy: [SortDescriptor(\.start)])
                descriptor.fetchLimit = 50
                let found = try await ModelContext(store.container).fetch(descriptor)
                #expect(!found.isEmpty)
            }
            #expect(roundTrips(store) == 4)
        }
    }

    @Test func `an eager fetch is one round trip, and one for all paths of a level`() async throws {
        try await withStore { store in
            var descriptor = FetchDescriptor<Journey>()
            descriptor.relationshipKeyPathsForPrefetching = [\.errands, \.lodging]
            let context = ModelContext(store.container)
            let journeys = try await context.fetch(descriptor)
            #expect(journeys.reduce(0) { $0 + $1.errands.count } == 600)
            #expect(journeys.count { $0.lodging != nil } == 150)
            #expect(roundTrips(store) == 2)
            #expect(context.lazyLoadCount == 0)
        }
    }

    @Test func `loading many, changing each and saving is two round trips`() async throws {
        try await withStore { store in
            let context = ModelContext(store.container)
            for journey in try await context.fetch(FetchDescriptor<Journey>()) { journey.name += "!" }
            try await context.save()
            #expect(roundTrips(store) == 2)
        }
    }

    @Test func `deleting what is loaded is one round trip`() async throws {
        try await withStore { store in
            let context = ModelContext(store.container)
            let journeys = try await context.fetch(FetchDescriptor<Journey>())
            store.recorder.reset()
            for journey in journeys { context.delete(journey) }
            try await context.save()
            #expect(roundTrips(store) == 1)
            let reader = ModelContext(store.container)
            #expect(try await reader.fetchCount(FetchDescriptor<Errand>()) == 0)
            #expect(try await reader.fetchCount(FetchDescriptor<Lodging>()) == 0)
        }
    }

    @Test func `objects in memory learn that they were deleted along with their owner`() async throws {
        try await withStore { store in
            let context = ModelContext(store.container)
            let errands = try await context.fetch(FetchDescriptor<Errand>())
            let journeys = try await context.fetch(FetchDescriptor<Journey>())
            for journey in journeys { context.delete(journey) }
            try await context.save()
            #expect(errands.count == 600)
            #expect(errands.count { $0.isDeleted } == 600)
        }
    }

    @Test func `reading, changing and saving one object is two round trips`() async throws {
        try await withStore { store in
            let identifiers = try await ModelContext(store.container).fetchIdentifiers(FetchDescriptor<Journey>())
            store.recorder.reset()
            let context = ModelContext(store.container)
            let journey = try #require(try await context.model(for: identifiers[7]) as? Journey)
            journey.name = "changed"
            try await context.save()
            #expect(roundTrips(store) == 2)
        }
    }

    @Test func `reading, changing and saving in a transaction is two round trips`() async throws {
        try await withStore { store in
            let identifiers = try await ModelContext(store.container).fetchIdentifiers(FetchDescriptor<Journey>())
            store.recorder.reset()
            let context = ModelContext(store.container)
            try await context.transaction(isolation: .repeatableRead) {
                let journey = try #require(try await context.model(for: identifiers[7]) as? Journey)
                journey.name = "changed"
            }
            #expect(roundTrips(store) == 2)
            #expect(store.recorder.flushes.first?.first == "BEGIN ISOLATION LEVEL REPEATABLE READ")
            #expect(store.recorder.flushes.last?.last == "COMMIT")
        }
    }

    @Test func `the same on a thread of one's own`() async throws {
        try await withStore { store in
            let identifiers = try await ModelContext(store.container).fetchIdentifiers(FetchDescriptor<Journey>())
            store.recorder.reset()
            try ModelContext(store.container).changeName(of: identifiers[7])
            #expect(roundTrips(store) == 2)
        }
    }

    @Test func `a transaction in which nothing is read or changed is none`() async throws {
        try await withStore { store in
            let context = ModelContext(store.container)
            try await context.transaction { try await context.transaction {} }
            #expect(roundTrips(store) == 0)
            #expect(throws: CancellationError.self) { try context.failInTransaction() }
            #expect(roundTrips(store) == 0)
        }
    }

    @Test func `a transaction that only reads is one more to end it`() async throws {
        try await withStore { store in
            let context = ModelContext(store.container)
            let count = try await context.transaction { try await context.fetchCount(FetchDescriptor<Journey>()) }
            #expect(count == 300)
            #expect(roundTrips(store) == 2)
        }
    }
}

// Blocking forms, which asynchronous code cannot name.
extension ModelContext {
    fileprivate func changeName(of identifier: PersistentIdentifier) throws {
        try transaction {
            let journey = try #require(try model(for: identifier) as? Journey)
            journey.name = "changed"
        }
    }

    fileprivate func failInTransaction() throws {
        try transaction { throw CancellationError() }
    }
}
