import Foundation
import SampleTripsModels
import Strata
import StrataTestSupport
import Testing

/// Live results.
@Suite struct ObservingResultsTests {
    private func trip(_ name: String, _ destination: String = "Rome", day number: Int = 0) -> Trip {
        Trip(name: name, destination: destination, startDate: day(number), endDate: day(number + 1))
    }

    /// The names in each result, as they come.
    private func names(
        _ container: ModelContainer, _ descriptor: FetchDescriptor<Trip>
    ) -> (results: AsyncThrowingStream<[String], any Error>, task: Task<Void, Never>) {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: [String].self)
        let task = Task {
            do {
                for try await trips in container.results(of: descriptor) { continuation.yield(trips.map(\.name)) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        return (stream, task)
    }

    @Test(.timeLimit(.minutes(2)))
    func `a result comes again when a commit changes it, and only then`() async throws {
        try await withTripStore("results") { store in
            let context = ModelContext(store.container)
            let (rome, oslo) = (trip("a"), trip("b", "Oslo", day: 1))
            context.insert(rome)
            context.insert(oslo)
            try await context.save()
            let descriptor = FetchDescriptor<Trip>(
                predicate: #Predicate { $0.destination == "Rome" }, sortBy: [SortDescriptor(\.name)])
            let (results, task) = names(store.container, descriptor)
            var iterator = results.makeAsyncIterator()
            #expect(try await iterator.next() == ["a"])

            // Another property of an object that is not in the result; another entity; nothing at all.
            oslo.endDate = day(9)
            try await context.save()
            context.insert(BucketListItem(title: "Swim"))
            try await context.save()
            try await store.database.execute("UPDATE trip SET name = name")
            // A property of an object in it.
            rome.endDate = day(5)
            try await context.save()
            #expect(try await iterator.next() == ["a"])
            // An object comes in, is sorted, renamed, goes.
            oslo.destination = "Rome"
            try await context.save()
            #expect(try await iterator.next() == ["a", "b"])
            oslo.name = "0"
            try await context.save()
            #expect(try await iterator.next() == ["0", "a"])
            context.delete(rome)
            try await context.save()
            #expect(try await iterator.next() == ["0"])
            // An insert that does not match is looked at, and not shown.
            context.insert(trip("c", "Oslo", day: 2))
            try await context.save()
            context.insert(
                PersonalTrip(name: "d", destination: "Rome", startDate: day(3), endDate: day(4), reason: .family))
            try await context.save()
            #expect(try await iterator.next() == ["0", "d"])
            task.cancel()
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `what is deleted before a page moves the page`() async throws {
        try await withTripStore("results") { store in
            let context = ModelContext(store.container)
            let trips = ["a", "b", "c", "d"].enumerated().map { trip($1, day: $0) }
            for trip in trips { context.insert(trip) }
            try await context.save()
            var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
            descriptor.fetchOffset = 1
            descriptor.fetchLimit = 2
            let (results, task) = names(store.container, descriptor)
            var iterator = results.makeAsyncIterator()
            #expect(try await iterator.next() == ["b", "c"])
            context.delete(trips[0])
            try await context.save()
            #expect(try await iterator.next() == ["c", "d"])
            task.cancel()
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `another process's commits change it`() async throws {
        try await withTripStore("results") { store in
            let (results, task) = names(store.container, FetchDescriptor(sortBy: [SortDescriptor(\.name)]))
            var iterator = results.makeAsyncIterator()
            #expect(try await iterator.next() == [])
            let process = try OtherProcess("write", store.database.url, "5")
            var last: [String]? = []
            while let names = last, names.count < 5 { last = try await iterator.next() }
            #expect(last == ["0", "1", "2", "3", "4"])
            #expect(await process.end() == 0)
            task.cancel()
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `related objects count where the predicate or a prefetch leads to them`() async throws {
        try await withTripStore("results") { store in
            let context = ModelContext(store.container)
            let (one, two) = (trip("one"), trip("two", day: 1))
            one.bucketList = [BucketListItem(title: "Swim")]
            context.insert(one)
            context.insert(two)
            try await context.save()
            let swimmers = FetchDescriptor<Trip>(
                predicate: #Predicate { $0.bucketList.contains { $0.title == "Swim" } },
                sortBy: [SortDescriptor(\.name)])
            let (results, task) = names(store.container, swimmers)
            var iterator = results.makeAsyncIterator()
            #expect(try await iterator.next() == ["one"])
            two.bucketList = [BucketListItem(title: "Swim")]
            try await context.save()
            #expect(try await iterator.next() == ["one", "two"])
            let swim = try #require(one.bucketList.first)
            swim.details = "in the sea"
            try await context.save()
            swim.title = "Walk"
            try await context.save()
            #expect(try await iterator.next() == ["two"])
            task.cancel()

            var shown = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
            shown.relationshipKeyPathsForPrefetching = [\.bucketList]
            let (titles, continuation) = AsyncStream.makeStream(of: [String].self)
            let container = store.container
            let prefetching = Task {
                for try await trips in container.results(of: shown) {
                    continuation.yield(trips.flatMap(\.bucketList).map { $0.title + $0.details }.sorted())
                }
            }
            var iterating = titles.makeAsyncIterator()
            #expect(await iterating.next() == ["Swim", "Walkin the sea"])
            swim.details = ""
            try await context.save()
            #expect(await iterating.next() == ["Swim", "Walk"])
            context.delete(swim)
            try await context.save()
            #expect(await iterating.next() == ["Swim"])
            prefetching.cancel()
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `deleted history is no reason to stop`() async throws {
        try await withTripStore("results") { store in
            let (results, task) = names(store.container, FetchDescriptor(sortBy: [SortDescriptor(\.name)]))
            var iterator = results.makeAsyncIterator()
            #expect(try await iterator.next() == [])
            let context = ModelContext(store.container)
            for number in 0..<20 {
                context.insert(trip("\(number)", day: number))
                try await context.save()
                try await store.container.pruneHistory(olderThan: .distantFuture)
            }
            var last: [String]? = []
            while let names = last, names.count < 20 { last = try await iterator.next() }
            #expect(last?.count == 20)
            task.cancel()
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `objects of a result belong to the isolation that asked, and load what was not fetched`() async throws {
        try await withTripStore("results") { store in
            let context = ModelContext(store.container)
            let one = trip("one")
            one.bucketList = [BucketListItem(title: "Swim")]
            context.insert(one)
            try await context.save()
            var iterator = store.container.results(of: FetchDescriptor<Trip>()).makeAsyncIterator()
            let first = try #require(try await iterator.next())
            #expect(first.first?.bucketList.map(\.title) == ["Swim"])
            #expect(first.first?.modelContext != nil)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `killed connections only make it wait`() async throws {
        try await withTripStore("results") { store in
            let (results, task) = names(store.container, FetchDescriptor(sortBy: [SortDescriptor(\.name)]))
            var iterator = results.makeAsyncIterator()
            #expect(try await iterator.next() == [])
            for number in 0..<5 {
                try await store.database.execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """,
                    """
                    INSERT INTO trip (pk, class, name, destination, start_date, end_date)
                    VALUES (\(number + 1), 'Trip', '\(number)', '', now() + \(number) * interval '1 day', now())
                    """)
                #expect(try await iterator.next()?.count == number + 1)
            }
            task.cancel()
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `closing the container ends it`() async throws {
        try await withTripStore("results") { store in
            let container = try await ModelContainer(
                for: Schema(Trip.self, BusinessTrip.self, PersonalTrip.self),
                configurations: [ModelConfiguration(url: try #require(store.database.foundationURL))])
            let (results, _) = names(container, FetchDescriptor())
            var iterator = results.makeAsyncIterator()
            #expect(try await iterator.next() == [])
            await container.close()
            #expect(try await iterator.next() == nil)
        }
    }
}
