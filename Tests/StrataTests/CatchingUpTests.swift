import Foundation
import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// Bringing contexts, caches and other tables up to date.
@Suite struct CatchingUpTests {
    private func trip(_ name: String, day number: Int = 0) -> Trip {
        Trip(name: name, destination: "Rome", startDate: day(number), endDate: day(number + 1))
    }

    @Test func `a context takes what others committed, and keeps what is unsaved`() async throws {
        try await withTripStore("merge") { store in
            let context = ModelContext(store.container)
            let (clean, dirty, gone) = (trip("clean"), trip("dirty", day: 1), trip("gone", day: 2))
            clean.bucketList = [BucketListItem(title: "Swim")]
            for trip in [clean, dirty, gone] { context.insert(trip) }
            try await context.save()
            #expect(clean.bucketList.count == 1)
            var token = try await store.container.currentHistoryToken()
            dirty.destination = "Oslo"

            try await store.database.execute(
                "UPDATE trip SET destination = 'Paris'", "DELETE FROM trip WHERE name = 'gone'",
                "UPDATE bucket_list_item SET title = 'Walk'",
                "INSERT INTO bucket_list_item (pk, title, details, has_reservation, is_in_plan, trip) "
                    + "SELECT 1, 'Sit', '', false, false, pk FROM trip WHERE name = 'clean'")
            store.recorder.reset()
            let next = try await context.mergeHistory(after: token)
            // One for the history, one for the trips, one for the items.
            #expect(store.recorder.roundTrips <= 4)
            #expect(next > token)
            #expect(clean.destination == "Paris")
            #expect(dirty.destination == "Oslo")
            #expect(gone.modelContext == nil)
            #expect(clean.bucketList.map(\.title).sorted() == ["Sit", "Walk"])
            token = next
            store.recorder.reset()
            _ = try await context.mergeHistory(after: token)
            #expect(store.recorder.roundTrips == 1)
            await #expect { try await context.save() } throws: { SwiftDataError.conflict ~= $0 }
        }
    }

    @Test func `a cache gets every change once, page by page`() async throws {
        try await withTripStore("cache") { store in
            let context = ModelContext(store.container)
            let token = try await store.container.currentHistoryToken()
            for number in 0..<25 {
                context.insert(BucketListItem(title: "\(number)"))
                try await context.save()
            }
            var seen: [Int64] = []
            var pages = 0
            let outcome = try await context.catchUp(from: token, limit: 10) { page in
                pages += 1
                seen += page.transactions.flatMap(\.changes).map(\.changeIdentifier)
            }
            #expect(seen.count == 25 && Set(seen).count == 25 && pages == 3)
            guard case .upToDate(let next) = outcome else {
                _ = Issue.record("expired")
                return
            }
            let again = try await context.catchUp(from: next) { _ in Issue.record("a change came twice") }
            guard case .upToDate = again else {
                _ = Issue.record("expired")
                return
            }
        }
    }

    @Test func `an expired token comes back as one to keep after reading everything`() async throws {
        try await withTripStore("expired") { store in
            let context = ModelContext(store.container)
            let old = try await store.container.currentHistoryToken()
            context.insert(BucketListItem(title: "Swim"))
            try await context.save()
            try await prune(1, in: store.container, olderThan: .distantFuture)
            let outcome = try await context.catchUp(from: old) { _ in Issue.record("nothing is left") }
            guard case .expired(let token) = outcome else {
                _ = Issue.record("not expired")
                return
            }
            context.insert(BucketListItem(title: "Walk"))
            try await context.save()
            var count = 0
            _ = try await context.catchUp(from: token) { count += $0.transactions.count }
            #expect(count == 1)
        }
    }

    // MARK: Consumers with a place in the database

    @Test func `a consumer handles each transaction once, and its own not at all`() async throws {
        try await withTripStore("consumer") { store in
            let context = ModelContext(store.container)
            context.insert(trip("1"))
            try await context.save()
            let consumer = store.container.historyConsumer("copy")
            let handled = Shared(0)
            let handler: HistoryConsumer.Handler = { transactions, context in
                handled.withLock { $0 += transactions.count }
                for _ in transactions { context.insert(BucketListItem(title: "seen")) }
            }
            #expect(try await consumer.catchUp(handler: handler) == 1)
            #expect(try await consumer.catchUp(handler: handler) == 0)
            context.insert(trip("2", day: 2))
            try await context.save()
            #expect(try await consumer.catchUp(handler: handler) == 1)
            #expect(handled.value == 2)
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<BucketListItem>()) == 2)
        }
    }

    @Test func `what a handler wrote is gone when it throws, and the changes come again`() async throws {
        struct Broken: Error {}
        try await withTripStore("consumer") { store in
            let context = ModelContext(store.container)
            context.insert(trip("1"))
            try await context.save()
            let consumer = store.container.historyConsumer("copy")
            await #expect(throws: Broken.self) {
                _ = try await consumer.catchUp { _, context in
                    context.insert(BucketListItem(title: "seen"))
                    try await context.save()
                    throw Broken()
                }
            }
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<BucketListItem>()) == 0)
            #expect(try await consumer.catchUp { _, _ in } == 1)
        }
    }

    @Test func `a new consumer with a reload begins with it, and so does one whose place has expired`() async throws {
        try await withTripStore("consumer") { store in
            let context = ModelContext(store.container)
            context.insert(trip("1"))
            try await context.save()
            let reloads = Shared(0)
            let consumer = store.container.historyConsumer("index", of: Trip.self)
            let reload: HistoryConsumer.Reload = { context in
                reloads.withLock { $0 += 1 }
                for _ in try await context.fetch(FetchDescriptor<Trip>()) {
                    context.insert(BucketListItem(title: "seen"))
                }
            }
            #expect(try await consumer.catchUp(handler: { _, _ in }, reload: reload) == 0)
            #expect(reloads.value == 1)
            context.insert(trip("2", day: 2))
            try await context.save()
            try await prune(3, in: store.container, olderThan: .distantFuture)
            await #expect { _ = try await consumer.catchUp { _, _ in } } throws: {
                SwiftDataError.historyTokenExpired ~= $0
            }
            #expect(try await consumer.catchUp(handler: { _, _ in }, reload: reload) == 0)
            #expect(reloads.value == 2)
        }
    }

    @Test func `two processes with one consumer never handle the same transaction`() async throws {
        try await withTripStore("consumer") { store in
            let context = ModelContext(store.container)
            for number in 0..<30 {
                context.insert(trip("\(number)", day: number))
                try await context.save()
            }
            let other = try await ModelContainer(
                for: Schema(Trip.self, BusinessTrip.self, PersonalTrip.self),
                configurations: [ModelConfiguration(url: try #require(store.database.foundationURL))])
            let working = Shared(0)
            let numbers = Shared<[Int64]>([])
            let handler: HistoryConsumer.Handler = { transactions, context in
                #expect(
                    working.withLock {
                        $0 += 1
                        return $0
                    } == 1)
                numbers.withLock { $0 += transactions.map(\.transactionIdentifier) }
                context.insert(BucketListItem(title: "seen"))
                try await context.save()
                working.withLock { $0 -= 1 }
            }
            let (container, second) = (store.container, other)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for container in [container, second, container, second] {
                    group.addTask {
                        _ = try await container.historyConsumer("one", of: Trip.self, limit: 2).catchUp(
                            handler: handler)
                    }
                }
                try await group.waitForAll()
            }
            let seen = numbers.value
            #expect(seen.count == 30 && Set(seen).count == 30 && seen == seen.sorted())
            await other.close()
        }
    }

    @Test(.timeLimit(.minutes(3)))
    func `a consumer that is killed again and again has written exactly one item for each change`() async throws {
        try await withTripStore("killed") { store in
            let kills = 6
            let writer = Task { [store] in
                let context = ModelContext(store.container)
                for number in 0..<120 {
                    context.insert(trip("\(number)", day: number))
                    try await context.save()
                    try await Task.sleep(for: .milliseconds(15))
                }
            }
            var random = SystemRandomNumberGenerator()
            for _ in 0..<kills {
                let process = try OtherProcess("consume", store.database.url, "items")
                try await Task.sleep(for: .milliseconds(Int.random(in: 300...900, using: &random)))
                await process.kill()
            }
            try await writer.value
            let last = try OtherProcess("consume", store.database.url, "items")
            let context = ModelContext(store.container)
            let deadline = ContinuousClock.now + .seconds(60)
            while try await context.fetchCount(FetchDescriptor<BucketListItem>()) < 120, .now < deadline {
                try await Task.sleep(for: .milliseconds(50))
            }
            try await Task.sleep(for: .milliseconds(300))
            await last.kill()
            let titles = try await context.fetch(FetchDescriptor<BucketListItem>()).map(\.title)
            var expected: [String] = []
            _ = try await context.catchUp(from: .beginning) { page in
                expected += page.transactions.flatMap(\.changes)
                    .filter { $0.changedPersistentIdentifier.entityName == "Trip" }.map { "\($0.changeIdentifier)" }
            }
            #expect(expected.count == 120)
            #expect(titles.sorted() == expected.sorted())
        }
    }
}
