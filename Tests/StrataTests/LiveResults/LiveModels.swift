import Foundation
import Strata
import StrataTestSupport
import Synchronization

/// What the tests of live results observe: a hierarchy, its owners, and six kinds of questions about them.
enum Live {
    @Model final class Owner {
        var name: String
        @Relationship(deleteRule: .nullify, inverse: \Thing.owner) var things: [Thing] = []
        init(name: String) { self.name = name }
    }

    @Model class Thing {
        var bucket: Int
        var rank: Int
        var name: String
        var owner: Owner?
        init(bucket: Int, rank: Int, name: String) {
            self.bucket = bucket
            self.rank = rank
            self.name = name
        }
    }

    @Model final class Special: Thing {
        var extra: Int
        init(bucket: Int, rank: Int, name: String, extra: Int) {
            self.extra = extra
            super.init(bucket: bucket, rank: rank, name: name)
        }
    }

    static let types: [any PersistentModel.Type] = [Thing.self, Special.self, Owner.self]

    /// Everything that a result shows of a thing.
    static func line(_ thing: Thing) -> String {
        let extra = (thing as? Special).map { " \($0.extra)" } ?? ""
        return
            "\(thing.persistentModelID.key) \(thing.bucket) \(thing.rank) \(thing.name) \(thing.owner?.name ?? "-")\(extra)"
    }

    /// Question number `number`; six of them ask for one bucket.
    static func descriptor(_ number: Int) -> FetchDescriptor<Thing> {
        let bucket = number / 6
        var descriptor: FetchDescriptor<Thing>
        switch number % 6 {
        case 0:
            descriptor = FetchDescriptor(
                predicate: #Predicate { $0.bucket == bucket }, sortBy: [SortDescriptor(\.rank), SortDescriptor(\.name)])
        case 1:
            descriptor = FetchDescriptor(
                predicate: #Predicate { $0.bucket == bucket },
                sortBy: [SortDescriptor(\.rank, order: .reverse), SortDescriptor(\.name)])
            descriptor.fetchLimit = 5
        case 2:
            let name = "owner\(bucket)"
            descriptor = FetchDescriptor(
                predicate: #Predicate { $0.owner?.name == name }, sortBy: [SortDescriptor(\.name)])
        case 3:
            descriptor = FetchDescriptor(
                predicate: #Predicate { $0 is Special && $0.bucket == bucket }, sortBy: [SortDescriptor(\.name)])
        case 4:
            descriptor = FetchDescriptor(
                predicate: #Predicate { $0.bucket == bucket && $0.rank > 50 }, sortBy: [SortDescriptor(\.name)])
            descriptor.fetchOffset = 2
            descriptor.fetchLimit = 4
        default:
            descriptor = FetchDescriptor(
                predicate: #Predicate { $0.bucket == bucket && $0.name.contains("a") }, sortBy: [SortDescriptor(\.name)]
            )
        }
        descriptor.relationshipKeyPathsForPrefetching = [\.owner]
        return descriptor
    }

    /// What question number `number` is answered now.
    static func truth(_ number: Int, in container: ModelContainer) async throws -> [String] {
        try await ModelContext(container).fetch(descriptor(number)).map(line)
    }

    /// Observers of the first so many questions, and what they were given.
    final class Audience: Sendable {
        private struct State {
            var last: [Int: [String]] = [:]
            var results = 0
            var repeated: [String] = []
            var failures: [String] = []
        }

        private let state = Mutex(State())
        private let tasks = Mutex<[Task<Void, Never>]>([])
        let count: Int

        init(_ count: Int, _ container: ModelContainer) {
            self.count = count
            for number in 0..<count {
                let task = Task { [weak self] in
                    do {
                        for try await things in container.results(of: Live.descriptor(number)) {
                            self?.take(things.map(Live.line), number)
                        }
                    } catch is CancellationError {
                    } catch {
                        self?.state.withLock { $0.failures.append("\(number): \(error)") }
                    }
                }
                tasks.withLock { $0.append(task) }
            }
        }

        deinit { leave() }

        private func take(_ lines: [String], _ number: Int) {
            state.withLock { state in
                if state.last[number] == lines { state.repeated.append("\(number): \(lines)") }
                state.last[number] = lines
                state.results += 1
            }
        }

        func leave() {
            for task in tasks.withLock({ $0 }) { task.cancel() }
        }

        var isComplete: Bool { state.withLock { $0.last.count == count } }
        var results: Int { state.withLock { $0.results } }
        /// Results that were delivered twice, one after the other.
        var repeated: [String] { state.withLock { $0.repeated } }
        var failures: [String] { state.withLock { $0.failures } }

        /// The questions whose last answer is not the present one.
        func stale(_ container: ModelContainer) async throws -> [String] {
            var stale: [String] = []
            for number in 0..<count {
                let truth = try await Live.truth(number, in: container)
                let last = state.withLock { $0.last[number] } ?? []
                if last != truth {
                    stale.append("\(number): \(Set(last).symmetricDifference(truth).sorted().prefix(4))")
                }
            }
            return stale
        }

        /// The same, once there are none or the time is over.
        func stale(_ container: ModelContainer, within time: Duration) async throws -> [String] {
            let deadline = ContinuousClock.now + time
            while true {
                let stale = try await stale(container)
                if stale.isEmpty || .now > deadline { return stale }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }
}
