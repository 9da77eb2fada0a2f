import Foundation
import Strata
import StrataTestSupport
import Synchronization
import Testing

/// Observers with edits of their own beside writers, while the server ends backends: afterwards each shows what a fetch returns.
@Suite(.serialized, .enabled(if: isSoak, "make soak")) struct ObserverSoakTests {
    @Test(.timeLimit(.minutes(5)), arguments: 1...3)
    func `no observer stays behind when backends are ended`(run: Int) async throws {
        try await withThings { store in
            let desks = try await Self.desks(store.container)
            let isOver = Shared(false)
            let saves = try await withThrowingTaskGroup(of: Int.self) { group in
                for writer in 0..<4 {
                    group.addTask { await Self.write("\(writer)", store.container, isOver) }
                }
                for desk in desks { group.addTask { await Self.edit(desk, isOver) } }
                for _ in 0..<60 {
                    try await Task.sleep(for: .milliseconds(250))
                    try await store.database.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                            + "AND pid <> pg_backend_pid() ORDER BY random() LIMIT 2")
                }
                isOver.withLock { $0 = true }
                return try await group.reduce(0, +)
            }
            print("\(saves) saves, \(desks.count) observers")
            #expect(saves > 200)
            for desk in desks {
                try await desk.edit { $0.rollback() }
                var stale: [String] = ["not looked"]
                let deadline = ContinuousClock.now + .seconds(30)
                while !stale.isEmpty, ContinuousClock.now < deadline {
                    try await Task.sleep(for: .milliseconds(200))
                    let shown = await desk.lines
                    let truth = try await ModelContext(store.container).fetch(desk.descriptor).map(Live.line)
                    stale = shown == truth ? [] : Array(Set(shown).symmetricDifference(truth))
                }
                #expect(stale == [])
                #expect(await desk.failure == nil)
            }
        }
    }

    private static func desks(_ container: ModelContainer) async throws -> [ObservingDesk<Int>] {
        var desks: [ObservingDesk<Int>] = []
        for number in 0..<12 {
            let desk = ObservingDesk<Int>(container)
            try await desk.begin { context, _ in
                try await ResultsObserver(
                    fetchDescriptor: Live.descriptor(number % 12), sectionBy: \.bucket, modelContext: context)
            }
            desks.append(desk)
        }
        return desks
    }

    /// Saves what it edits; counts the saves that nothing stood in the way of.
    private static func write(_ name: String, _ container: ModelContainer, _ isOver: Shared<Bool>) async -> Int {
        var saves = 0
        while !isOver.value {
            let value = Int.random(in: 0..<1_000_000)
            do {
                try await container.withContext { context in
                    let things = try await context.fetch(FetchDescriptor<Live.Thing>())
                    if things.count < 20 || value % 5 == 0 {
                        context.insert(Live.Thing(bucket: value % 2, rank: value % 100, name: "\(name) \(value)a"))
                    }
                    guard let thing = things.randomElement() else { return }
                    if value % 7 == 0, things.count > 15 {
                        context.delete(thing)
                    } else if value % 3 == 0 {
                        thing.bucket = 1 - thing.bucket
                    } else {
                        thing.rank = value % 100
                    }
                }
                saves += 1
            } catch {
                // Somebody was faster, or the backend was ended.
            }
            try? await Task.sleep(for: .milliseconds(Int.random(in: 1...10)))
        }
        return saves
    }

    /// Edits of the desk's own, which are never saved.
    private static func edit(_ desk: ObservingDesk<Int>, _ isOver: Shared<Bool>) async -> Int {
        while !isOver.value {
            let value = Int.random(in: 0..<1000)
            try? await desk.edit { context in
                if value % 4 == 0 { return context.rollback() }
                context.insert(Live.Thing(bucket: value % 2, rank: value % 100, name: "unsaved \(value)a"))
            }
            try? await Task.sleep(for: .milliseconds(Int.random(in: 5...40)))
        }
        return 0
    }
}
