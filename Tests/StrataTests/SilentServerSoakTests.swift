import Foundation
import Strata
import StrataTestSupport
import Synchronization
import Testing

@Model private final class Leaf {
    var text: String
    init(text: String) { self.text = text }
}

/// Eight tasks save and read beside a proxy that falls silent again and again: no call is held, and nothing that is stored is
/// reported as not saved.
@Suite(.serialized, .enabled(if: isSoak, "make soak")) struct SilentServerSoakTests {
    private final class Book: Sendable {
        private let state = Mutex<(failed: [String: SwiftDataError], longest: Duration, calls: Int)>(([:], .zero, 0))
        private let closed = Atomic(false)

        var errors: [String: SwiftDataError] { state.withLock { $0.failed } }
        var longest: Duration { state.withLock { $0.longest } }
        var calls: Int { state.withLock { $0.calls } }
        var isClosed: Bool { closed.load(ordering: .relaxed) }
        func close() { closed.store(true, ordering: .relaxed) }

        func note(_ text: String, _ error: SwiftDataError?, _ duration: Duration) {
            state.withLock { state in
                state.failed[text] = error
                state.longest = max(state.longest, duration)
                state.calls += 1
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: 1...3)
    func `no call is held, and what is stored is not reported as failed`(run: Int) async throws {
        try await withModelStore(Leaf.self) { store in
            let proxy = try SilentProxy(before: store.database.configuration)
            defer { proxy.stop() }
            var configuration = ModelConfiguration(url: try #require(proxy.url(for: store.database)))
            configuration.pool.answerTimeout = .milliseconds(300)
            configuration.pool.cancellationTimeout = .milliseconds(200)
            // Who connects just now is held as long as libpq holds him.
            configuration.url.append(queryItems: [URLQueryItem(name: "connect_timeout", value: "2")])
            let container = try await ModelContainer(for: Schema([Leaf.self]), configurations: [configuration])
            let book = Book()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 { group.addTask { try await Self.work("\(task)", in: container, book) } }
                for _ in 0..<20 {
                    try await Task.sleep(for: .milliseconds(500))
                    proxy.isSilent = true
                    try await Task.sleep(for: .milliseconds(Int.random(in: 100...1000)))
                    proxy.isSilent = false
                }
                book.close()
                try await group.waitForAll()
            }
            let stored = Set(try await ModelContext(store.container).fetch(FetchDescriptor<Leaf>()).map(\.text))
            let errors = book.errors
            let ghosts = errors.filter { stored.contains($0.key) && $0.value.code != .outcomeUnknown }
            print(
                "\(book.calls) calls, \(errors.count) failed, the longest took \(book.longest), \(ghosts.count) stored and failed"
            )
            #expect(ghosts.isEmpty)
            #expect(stored.count > 100 && !errors.isEmpty)
            await container.close()
        }
    }

    private static func work(_ task: String, in container: ModelContainer, _ book: Book) async throws {
        var number = 0
        while !book.isClosed, !Task.isCancelled {
            number += 1
            let text = "\(task) \(number)"
            let begin = ContinuousClock.now
            let context = ModelContext(container)
            var failure: SwiftDataError?
            do {
                _ = try await context.fetchCount(FetchDescriptor<Leaf>())
                context.insert(Leaf(text: text))
                try await context.save()
            } catch let error as SwiftDataError {
                failure = error
            }
            book.note(text, failure, begin.duration(to: .now))
        }
    }
}
