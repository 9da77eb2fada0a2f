import Foundation
import Strata
import StrataTestSupport
import Testing

/// Writers and readers that go on while servers do what a test says. Each write and each read is compared with what was promised, and at the end
/// the database with what was acknowledged.
final class ReplicaLoad: Sendable {
    struct Figures {
        var saved = 0
        var reads = 0
        var atStandby = 0
        var atPrimary = 0
    }

    private struct State {
        var figures = Figures()
        var next = 0
        /// What was acknowledged, and when.
        var committed: [(number: Int, at: ContinuousClock.Instant)] = []
        /// Whoever wrote these was told that nobody knows.
        var unknown: Set<Int> = []
        var failure: String?
        var isOver = false
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let container: ModelContainer
    private let lag: Duration
    /// Whether calls may fail while no server takes writes.
    private let isTolerant: Bool
    private let state = Shared(State())

    init(_ container: ModelContainer, lag: Duration, isTolerant: Bool = false) {
        self.container = container
        self.lag = lag
        self.isTolerant = isTolerant
    }

    var figures: Figures { state.withLock { $0.figures } }

    /// Runs `body` beside writers and readers, and compares the database at rest.
    func run(writers: Int, readers: Int, _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<writers { group.addTask { await self.goOn { try await self.write() } } }
            for _ in 0..<readers { group.addTask { await self.goOn { try await self.read() } } }
            do { try await body() } catch {
                state.withLock { $0.isOver = true }
                throw error
            }
            state.withLock { $0.isOver = true }
            try await group.waitForAll()
        }
        try await compareAtRest()
    }

    /// Waits until writers and readers have come so far, by their figures now and then.
    func wait(until isReached: (Figures, Figures) -> Bool) async throws {
        let before = figures
        try await waitUntil {
            if let failure = state.withLock({ $0.failure }) { throw Failure(description: failure) }
            return isReached(figures, before)
        }
    }

    private func goOn(_ step: () async throws -> Void) async {
        while !state.withLock({ $0.isOver || $0.failure != nil }) {
            do {
                try await step()
                try await Task.sleep(for: .milliseconds(10))
            } catch {
                guard isTolerant else { return state.withLock { $0.failure = "\(error)" } }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    // MARK: Writing

    private func write() async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let context = ModelContext(container)
        context.insert(Consignment(number))
        do { try await context.save() } catch let error as SwiftDataError {
            if error.code == .outcomeUnknown || error.underlying?.isConnectionLoss == true {
                state.withLock { _ = $0.unknown.insert(number) }
            }
            throw error
        }
        state.withLock { state in
            state.committed.append((number, .now))
            state.figures.saved += 1
        }
        // As in another request, which got the token with the last answer.
        let token = try #require(context.historyToken)
        let next = ModelContext(container, reading: .replica(after: token))
        let found = try await next.fetchCount(
            FetchDescriptor<Consignment>(predicate: #Predicate { $0.number == number }))
        #expect(found == 1, "who has saved reads what he wrote")
    }

    // MARK: Reading

    private func read() async throws {
        let context = ModelContext(container, reading: .replica)
        let before = ContinuousClock.now
        let promised = state.withLock { state in
            Set(state.committed.reversed().drop { $0.at > before - lag }.prefix(50).map(\.number))
        }
        let first = promised.min() ?? 0
        let descriptor = FetchDescriptor<Consignment>(predicate: #Predicate { $0.number >= first })
        var seen = promised
        for _ in 0..<3 {
            let numbers: [Int] = try await context.fetch(descriptor, selecting: \.number)
            let found = Set(numbers)
            #expect(seen.subtracting(found).isEmpty, "nothing older than promised, and no less than was seen")
            seen = found
        }
        let isAtStandby = try await context.isAtStandby
        state.withLock { state in
            state.figures.reads += 1
            if isAtStandby { state.figures.atStandby += 1 } else { state.figures.atPrimary += 1 }
        }
    }

    private func compareAtRest() async throws {
        let numbers: [Int] = try await ModelContext(container).fetch(
            FetchDescriptor<Consignment>(), selecting: \.number)
        let (acknowledged, unknown) = state.withLock { (Set($0.committed.map(\.number)), $0.unknown) }
        let stored = Set(numbers)
        #expect(stored.count == numbers.count)
        #expect(acknowledged.subtracting(stored).isEmpty, "what was acknowledged is there")
        #expect(stored.subtracting(acknowledged).isSubset(of: unknown), "and nothing else, but what nobody knew of")
    }
}
