import Foundation
import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport
import Synchronization
import Testing

/// The history as a sequence.
@Suite struct ObservingHistoryTests {
    private func insertTrip(_ name: String, in container: ModelContainer, author: String? = nil) async throws {
        let context = ModelContext(container)
        context.author = author
        context.insert(Trip(name: name, destination: "Rome", startDate: day(0), endDate: day(1)))
        try await context.save()
    }

    private func second(_ store: ModelStore) async throws -> ModelContainer {
        try await ModelContainer(
            for: Schema(Trip.self, BusinessTrip.self, PersonalTrip.self),
            configurations: [ModelConfiguration(url: try #require(store.database.foundationURL))])
    }

    @Test func `another process's commits arrive while it goes on`() async throws {
        try await withTripStore("observing") { store in
            let token = try await store.container.currentHistoryToken()
            let process = try OtherProcess("write", store.database.url, "20")
            let authors = try await within(seconds: 60) {
                try await store.container.history(after: token, of: Trip.self).first(20).map(\.author)
            }
            #expect(authors == Array(repeating: "other process", count: 20))
            #expect(await process.end() == 0)
        }
    }

    /// A follower that has read all of it waits for the next commit: one that comes while it reads or hands out must not be left until then.
    @Test func `what is committed between a look and the wait is not left until the next commit`() async throws {
        try await withTripStore("observing") { store in
            let other = try await second(store)
            let container = store.container
            let token = try await container.currentHistoryToken()
            let seen = Counter()
            let follower = Task {
                for try await _ in container.history(after: token, of: Trip.self) { seen.increment() }
            }
            for round in 1...60 {
                try await insertTrip("\(round) a", in: round.isMultiple(of: 2) ? container : other)
                // At another moment of the follower's way each time.
                try await Task.sleep(for: .microseconds(200 * (round % 30)))
                try await insertTrip("\(round) b", in: round.isMultiple(of: 3) ? container : other)
                let deadline = ContinuousClock.now + .seconds(20)
                while seen.value < 2 * round, .now < deadline { try await Task.sleep(for: .milliseconds(2)) }
                guard seen.value == 2 * round else {
                    Issue.record("\(seen.value) of \(2 * round) were seen")
                    break
                }
            }
            follower.cancel()
            _ = await follower.result
            await other.close()
        }
    }

    @Test func `without a token it begins with what is committed next, with the beginning at the oldest`() async throws
    {
        try await withTripStore("observing") { store in
            try await insertTrip("old", in: store.container)
            let oldest = try await within(seconds: 60) {
                try await store.container.history(after: .beginning).first(1)
            }
            #expect(oldest.first?.changes.count == 1)
            let next = Task { try await store.container.history().first(1) }
            // It begins when it is first asked for, which nobody can see: so there is always one more.
            let token = try await store.container.currentHistoryToken()
            let writer = Task {
                while !Task.isCancelled { try await insertTrip("new \(UUID())", in: store.container) }
            }
            let first = try await next.value(within: 60)
            writer.cancel()
            _ = await writer.result
            #expect(first.count == 1 && first[0].token > token)
        }
    }

    @Test func `class, author and origin choose among the transactions`() async throws {
        try await withTripStore("observing") { store in
            let other = try await second(store)
            let token = try await store.container.currentHistoryToken()
            try await insertTrip("1", in: store.container, author: "Ann")
            try await insertTrip("2", in: other, author: "Ben")
            let context = ModelContext(store.container)
            context.insert(BusinessTrip(name: "3", destination: "", startDate: day(0), endDate: day(1), perdiem: 1))
            context.insert(BucketListItem(title: "Swim"))
            try await context.save()
            try await insertTrip("4", in: store.container, author: "Ann")
            func authors(_ sequence: HistorySequence, _ count: Int) async throws -> [String?] {
                try await within(seconds: 60) { try await sequence.first(count).map(\.author) }
            }
            let container = store.container
            #expect(try await authors(container.history(after: token), 4) == ["Ann", "Ben", nil, "Ann"])
            #expect(try await authors(container.history(after: token, authors: ["Ann"]), 2) == ["Ann", "Ann"])
            #expect(try await authors(container.history(after: token, origin: .own), 3) == ["Ann", nil, "Ann"])
            #expect(try await authors(container.history(after: token, origin: .remote), 1) == ["Ben"])
            #expect(try await authors(container.history(after: token, of: BucketListItem.self), 1) == [nil])
            #expect(try await authors(container.history(after: token, of: BusinessTrip.self), 1) == [nil])
            #expect(try await authors(container.history(after: token, of: Trip.self), 4).count == 4)
            await other.close()
        }
    }

    @Test func `killed connections lose nothing and repeat nothing`() async throws {
        try await withTripStore("observing") { store in
            let token = try await store.container.currentHistoryToken()
            let other = try await second(store)
            let reading = Task {
                try await store.container.history(after: token).first(60).map(\.transactionIdentifier)
            }
            for number in 0..<60 {
                if number % 20 == 10 {
                    try await store.database.execute(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                        """)
                }
                while true {
                    do {
                        try await insertTrip("\(number)", in: other)
                        break
                    } catch SwiftDataError.storeFailure {
                        // Sent on a connection that was killed: it did not run.
                    }
                }
            }
            let seen = try await reading.value(within: 60)
            let all = try await ModelContext(store.container).fetchHistory(after: token, limit: 1000)
            #expect(seen == all.transactions.map(\.transactionIdentifier))
            await other.close()
        }
    }

    @Test func `many observers share connection and fetches, and each gets everything`() async throws {
        try await withTripStore("observing") { store in
            let other = try await second(store)
            let token = try await store.container.currentHistoryToken()
            let readers = (0..<40).map { _ in
                Task { try await store.container.history(after: token).first(30).map(\.transactionIdentifier) }
            }
            for number in 0..<30 { try await insertTrip("\(number)", in: other) }
            let all = try await ModelContext(store.container).fetchHistory(after: token, limit: 1000)
            for reader in readers {
                let seen = try await reader.value(within: 60)
                #expect(seen == all.transactions.map(\.transactionIdentifier))
            }
            await other.close()
        }
    }

    @Test func `who is far behind is given pages, in order and without a gap`() async throws {
        try await withTripStore("observing") { store in
            let token = try await store.container.currentHistoryToken()
            let context = ModelContext(store.container)
            for number in 0..<700 {
                context.insert(BucketListItem(title: "\(number)"))
                try await context.save()
            }
            let numbers = try await within(seconds: 60) {
                try await store.container.history(after: token).first(700).map { $0.changes[0].changeIdentifier }
            }
            #expect(numbers.count == 700 && numbers == numbers.sorted() && Set(numbers).count == 700)
        }
    }

    @Test func `an expired token is an error that says so`() async throws {
        try await withTripStore("observing") { store in
            let token = try await store.container.currentHistoryToken()
            try await insertTrip("1", in: store.container)
            try await prune(1, in: store.container, olderThan: .distantFuture)
            await #expect { try await store.container.history(after: token).first(1) } throws: {
                SwiftDataError.historyTokenExpired ~= $0
            }
        }
    }

    @Test func `cancelling the task ends the sequence at once, and nothing is left behind`() async throws {
        try await withTripStore("observing") { store in
            let token = try await store.container.currentHistoryToken()
            let reading = Task { try await store.container.history(after: token).first(1) }
            try await Task.sleep(for: .milliseconds(200))
            reading.cancel()
            await #expect(throws: CancellationError.self) {
                try await reading.value(within: 5)
            }
        }
    }

    @Test func `closing the container ends all its sequences`() async throws {
        try await withTripStore("observing") { store in
            let other = try await second(store)
            let token = try await other.currentHistoryToken()
            let counts = (0..<10).map { _ in
                Task {
                    var count = 0
                    for try await _ in other.history(after: token) { count += 1 }
                    return count
                }
            }
            try await Task.sleep(for: .milliseconds(200))
            await other.close()
            for count in counts { #expect(try await count.value(within: 20) == 0) }
            #expect(try await within(seconds: 5) { try await other.history(after: token).first(1) }.isEmpty)
        }
    }

    @Test func `a foreign program's commit arrives, also when it does not notify`() async throws {
        try await withTripStore("observing") { store in
            var configuration = ModelConfiguration(url: try #require(store.database.foundationURL))
            configuration.historyPollInterval = .milliseconds(100)
            let container = try await ModelContainer(
                for: Schema(Trip.self, BusinessTrip.self, PersonalTrip.self), configurations: [configuration])
            let token = try await container.currentHistoryToken()
            let reading = Task { try await container.history(after: token).first(2) }
            try await store.database.execute(
                "INSERT INTO bucket_list_item (pk, title, details, has_reservation, is_in_plan) VALUES (1, 'a', '', false, false)"
            )
            try await store.database.execute("SET strata.notify = 'off'", "UPDATE bucket_list_item SET title = 'b'")
            let transactions = try await reading.value(within: 60)
            #expect(transactions.allSatisfy { $0.author == nil && $0.processIdentifier.isEmpty })
            await container.close()
        }
    }
}

extension AsyncSequence {
    /// The first so many elements; fewer when the sequence ends.
    func first(_ count: Int) async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self {
            elements.append(element)
            if elements.count == count { break }
        }
        return elements
    }
}

struct TooLong: Error {}

extension Task where Failure == any Error {
    /// What the task returns, or an error when it takes longer: then the task is cancelled.
    func value(within seconds: Int) async throws -> Success {
        // Waiting for a task that nobody cancels would last as long as the task, whatever becomes of the one that waits.
        try await within(seconds: seconds) { [self] in
            try await withTaskCancellationHandler {
                try await self.value
            } onCancel: {
                self.cancel()
            }
        }
    }
}

/// Counts from whichever task.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func increment() { count.withLock { $0 += 1 } }
    var value: Int { count.withLock { $0 } }
}

/// What `body` returns, or an error when it takes longer: then its task is cancelled, and it has to end.
func within<Result: Sendable>(seconds: Int, _ body: @escaping @Sendable () async throws -> Result) async throws
    -> Result
{
    return try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: .seconds(seconds))
            throw TooLong()
        }
        guard let result = try await group.next() else { throw TooLong() }
        group.cancelAll()
        return result
    }
}
