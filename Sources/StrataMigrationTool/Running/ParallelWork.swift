import Foundation
import Synchronization

/// Does the same with each of many, several at the same time, each on a thread of its own: what a runner does blocks.
struct ParallelWork {
    let limit: Int

    /// What came of each, in their order. Returns when all are done.
    func perform<Item: Sendable, Outcome: Sendable>(
        _ items: [Item], _ body: @escaping @Sendable (Item) -> Outcome
    ) throws -> [Outcome] {
        let shared = Shared<Outcome>(count: items.count)
        let group = DispatchGroup()
        for number in 0..<min(limit, items.count) {
            group.enter()
            let thread = Thread {
                while let index = shared.next() { shared.set(body(items[index]), at: index) }
                group.leave()
            }
            thread.name = "strata.tenants.\(number)"
            thread.start()
        }
        group.wait()
        return shared.outcomes
    }

    private final class Shared<Outcome: Sendable>: Sendable {
        private let state: Mutex<(next: Int, outcomes: [Outcome?])>

        init(count: Int) {
            state = Mutex((0, Array(repeating: nil, count: count)))
        }

        var outcomes: [Outcome] { state.withLock { $0.outcomes.compactMap(\.self) } }

        func next() -> Int? {
            state.withLock { state in
                guard state.next < state.outcomes.count else { return nil }
                defer { state.next += 1 }
                return state.next
            }
        }

        func set(_ outcome: Outcome, at index: Int) { state.withLock { $0.outcomes[index] = outcome } }
    }
}
