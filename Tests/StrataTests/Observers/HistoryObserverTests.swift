import Foundation
import Observation
import SampleTripsModels
import Strata
import StrataTestSupport
import Testing

/// `HistoryObserver` and `ModelContainer.remoteChange`.
@Suite struct HistoryObserverTests {
    /// On the actor on which the counter moves.
    @MainActor private func next(_ observer: HistoryObserver, after count: Int) async -> Int {
        for await now in Observations({ observer.eventCounter }) where now > count { return now }
        return count
    }

    @Test(.timeLimit(.minutes(2)))
    @MainActor func `it counts what concerns its classes and authors, whoever commits`() async throws {
        try await withThings { store in
            let all = try await HistoryObserver(modelContainer: store.container)
            let owners = try await HistoryObserver(
                observedModels: [Live.Owner.self], authors: ["ann"], modelContainer: store.container)
            #expect(all.eventCounter == 0 && owners.eventCounter == 0)
            #expect(owners.authors == ["ann"] && owners.observedModels.count == 1)
            for (author, type) in [("ann", "thing"), ("bob", "owner"), ("ann", "owner")] {
                let context = ModelContext(store.container)
                context.author = author
                if type == "owner" {
                    context.insert(Live.Owner(name: "new"))
                } else {
                    context.insert(Live.Thing(bucket: 0, rank: 0, name: "new"))
                }
                let before = all.eventCounter
                try await context.save()
                _ = await next(all, after: before)
            }
            #expect(await next(owners, after: 0) == 1)
            try await store.database.execute("UPDATE thing SET rank = 5 WHERE name = 'a'")
            _ = await next(all, after: all.eventCounter == 3 ? 3 : all.eventCounter - 1)
            #expect(owners.eventCounter == 1 && all.fetchError == nil)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    @MainActor func `with a token what came after it is news`() async throws {
        try await withThings { store in
            let token = try await store.container.currentHistoryToken()
            try await store.database.execute("UPDATE thing SET rank = 5 WHERE name = 'a'")
            let store1 = try #require(token.tokenValue?.keys.first)
            let observer = try await HistoryObserver(
                historyTokens: [store1: token], modelContainer: store.container)
            #expect(await next(observer, after: 0) == 1)
            await expectError(.unknownSchema) {
                _ = try await HistoryObserver(historyTokens: ["other": token], modelContainer: store.container)
            }
            await expectError(.unsupportedFeature) {
                _ = try await HistoryObserver(
                    historyTokens: [store1: DefaultHistoryToken.beginning], modelContainer: store.container)
            }
        }
    }

    @Test func `making one outside of any actor is an error`() async throws {
        try await withThings { store in
            await expectError(.unsupportedFeature) { _ = try await HistoryObserver(modelContainer: store.container) }
            await expectError(.unsupportedFeature) {
                _ = try await HistoryObserver(
                    historyTokens: [:], observedModels: [Live.Thing.self], modelContainer: store.container)
            }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `on an actor its counter moves there, and it ends with its last reference`() async throws {
        try await withThings { store in
            try await Self.onTheMainActor(store)
        }
    }

    @MainActor private static func onTheMainActor(_ store: ModelStore) async throws {
        var observer: HistoryObserver? = try await HistoryObserver(modelContainer: store.container)
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        withObservationTracking {
            _ = observer?.eventCounter
        } onChange: {
            MainActor.preconditionIsolated()
            continuation.yield()
        }
        try await store.database.execute("UPDATE thing SET rank = 5 WHERE name = 'a'")
        var iterator = stream.makeAsyncIterator()
        await iterator.next()
        weak let held = observer
        observer = nil
        // It may be counting just now.
        try await waitUntil { held == nil }
    }

    @Test(.timeLimit(.minutes(2)))
    func `remoteChange is posted for what other processes commit`() async throws {
        try await withTripStore("notifications") { store in
            // In a process of its own: every container follows its history once somebody has asked for the name.
            let process = try OtherProcess("notifications", store.database.url, "2")
            let commits = Task {
                for number in 0... {
                    try Task.checkCancellation()
                    try await store.container.withContext { context in
                        context.insert(Trip(name: "\(number)", destination: "Oslo", startDate: day(0), endDate: day(1)))
                    }
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            #expect(await process.end() == 0)
            commits.cancel()
            _ = await commits.result
        }
    }
}
