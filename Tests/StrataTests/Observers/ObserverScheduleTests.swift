import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// Whatever is edited, saved, taken back and committed when, an observer ends with what a fetch returns.
@Suite struct ObserverScheduleTests {
    @Test(.timeLimit(.minutes(3)), arguments: [1, 2, 3, 4] as [UInt64])
    func `any schedule of commits and edits ends with what a fetch returns`(seed: UInt64) async throws {
        try await withThings { store in
            try await ObserverSchedule(store.container, store.database, seed).run(steps: 80)
        }
    }
}

/// Observers of several questions in an actor each, edits of their contexts, and commits of others.
struct ObserverSchedule {
    private let container: ModelContainer
    private let database: TestDatabase
    private let seed: UInt64

    init(_ container: ModelContainer, _ database: TestDatabase, _ seed: UInt64) {
        (self.container, self.database, self.seed) = (container, database, seed)
    }

    func run(steps: Int) async throws {
        var desks: [ObservingDesk<Int>] = []
        for number in 0..<6 {
            let desk = ObservingDesk<Int>(container)
            try await desk.begin { context, _ in
                context.conflictPolicy = .overwrite
                return try await ResultsObserver(
                    fetchDescriptor: Live.descriptor(number), sectionBy: \.bucket, modelContext: context)
            }
            desks.append(desk)
        }
        try await withThrowingTaskGroup(of: Void.self) { [desks] group in
            for (number, desk) in desks.enumerated() {
                group.addTask { try await change(desk, steps, SeededGenerator(seed &* 10 &+ UInt64(number))) }
            }
            group.addTask { try await write(steps, SeededGenerator(seed &* 10 &+ 9)) }
            try await group.waitForAll()
        }
        // With what is unsaved in each context, then without.
        for desk in desks { try await agrees(desk, "with unsaved changes") { try await desk.truth() } }
        for desk in desks { try await desk.edit { $0.rollback() } }
        for desk in desks {
            try await agrees(desk, "with what is stored") {
                let descriptor = await desk.descriptor
                return Shown(try await ModelContext(container).fetch(descriptor))
            }
        }
        // Nothing is shown again that looks the same.
        let before = await changes(of: desks)
        try await database.execute("UPDATE thing SET name = name", "UPDATE owner SET name = name")
        for desk in desks { try await desk.work { _, desk in try await desk.observer?.refetch() } }
        #expect(await changes(of: desks) == before)
        for desk in desks { #expect(await desk.failure == nil) }
    }

    private func changes(of desks: [ObservingDesk<Int>]) async -> [Int] {
        var changes: [Int] = []
        for desk in desks { changes.append(await desk.changes) }
        return changes
    }

    /// Expects that a desk shows what is true, within a time in which everything has arrived.
    private func agrees(_ desk: ObservingDesk<Int>, _ what: String, _ truth: () async throws -> Shown) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let shown = await desk.shown
            let truth = try await truth()
            if shown == truth || ContinuousClock.now > deadline {
                #expect(shown == truth, "seed \(seed), \(what)")
                return
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    // MARK: Edits

    private func change(_ desk: ObservingDesk<Int>, _ steps: Int, _ random: SeededGenerator) async throws {
        var random = random
        for number in 0..<steps {
            let choice = Int.random(in: 0..<12, using: &random)
            let value = Int.random(in: 0..<1000, using: &random) + number * 1000
            do {
                switch choice {
                case 8: try await desk.work { context, _ in try await context.save() }
                case 9: try await transaction(desk, value)
                case 10: try await desk.work { _, desk in try await desk.observer?.refetch() }
                case 11: try await desk.work { _, desk in desk.observer?.sortBy = [SortDescriptor(\.name)] }
                default: try await desk.edit { try Self.edit($0, choice, value) }
                }
            } catch let error as SwiftDataError {
                // Somebody deleted what was changed here, or the actor has done two things at once.
                guard [.modelNotFound, .conflict, .unsupportedFeature].contains(error.code) || error.isRetryable else {
                    throw error
                }
                try await desk.edit { $0.rollback() }
            }
            if choice % 2 == 0 { try await Task.sleep(for: .milliseconds(Int.random(in: 0...20, using: &random))) }
        }
    }

    private func transaction(_ desk: ObservingDesk<Int>, _ value: Int) async throws {
        do {
            try await desk.work { context, _ in
                try await context.transaction {
                    try Self.edit(context, 0, value)
                    if value % 2 == 0 { throw Stop() }
                }
            }
        } catch is Stop {}
    }

    private static func edit(_ context: ModelContext, _ choice: Int, _ value: Int) throws {
        var descriptor = FetchDescriptor<Live.Thing>(sortBy: [SortDescriptor(\.rank), SortDescriptor(\.name)])
        descriptor.fetchLimit = 20
        let things = try context.fetch(descriptor)
        guard choice > 1, !things.isEmpty else {
            context.insert(Live.Thing(bucket: value % 2, rank: value % 100, name: "\(value)a"))
            return
        }
        let thing = things[value % things.count]
        switch choice {
        case 2: thing.rank = value % 100
        case 3:
            thing.name = "x\(value)"
            thing.rank = value % 50
        case 4: thing.bucket = 1 - thing.bucket
        case 5: thing.owner = try context.fetch(FetchDescriptor<Live.Owner>()).first
        case 6: if things.count > 5 { context.delete(thing) } else { thing.name = "y\(value)a" }
        default: context.rollback()
        }
    }

    // MARK: Others

    private func write(_ steps: Int, _ random: SeededGenerator) async throws {
        var random = random
        let writer = try await database.connect()
        defer { writer.close() }
        for number in 1...steps {
            try await writer.run("BEGIN")
            // Who says that he is a container tells of his commits himself; this one does not.
            if Bool.random(using: &random) { try await writer.run("SET LOCAL strata.process = 'silent'") }
            try await writer.run(statement(number, &random), "COMMIT")
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...30, using: &random)))
        }
    }

    private func statement(_ number: Int, _ random: inout SeededGenerator) -> String {
        let some = "(SELECT pk FROM thing ORDER BY md5(pk::text || '\(number)') LIMIT 1)"
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            return """
                INSERT INTO thing (pk, class, bucket, rank, name)
                VALUES (\(number + 100_000), 'Thing', \(number % 2), \(number), 'new\(number)a')
                """
        case 1: return "DELETE FROM thing WHERE pk = \(some) AND (SELECT count(*) FROM thing) > 6"
        case 2: return "UPDATE thing SET bucket = 1 - bucket, name = 'a\(number)' WHERE pk = \(some)"
        case 3: return "UPDATE owner SET name = CASE name WHEN 'owner0' THEN 'owner' ELSE 'owner0' END"
        case 4: return "UPDATE thing SET owner = (SELECT min(pk) FROM owner) WHERE pk = \(some)"
        case 5: return "UPDATE thing SET rank = \(number % 100) WHERE pk = \(some)"
        default: return "UPDATE thing SET name = 'x\(number)' WHERE pk = \(some)"
        }
    }
}

/// What an observer shows, or what it would show of a fetch.
private struct Shown: Equatable {
    var lines: [String]
    var sections: [Section]

    struct Section: Equatable {
        var title: Int
        var lines: [String]
    }

    /// Things that are sorted by their buckets, but for those with unsaved changes: they keep the bucket that they have, whatever their
    /// row says, and are in its section.
    init(_ things: [Live.Thing]) {
        lines = things.map(Live.line)
        sections = []
        for thing in things where !sections.contains(where: { $0.title == thing.bucket }) {
            sections.append(
                Section(title: thing.bucket, lines: things.filter { $0.bucket == thing.bucket }.map(Live.line)))
        }
    }

    init(_ observer: ResultsObserver<Live.Thing, Int>?) {
        lines = observer?.results.map(Live.line) ?? []
        sections = observer?.sections?.map { Section(title: $0.title, lines: $0.map(Live.line)) } ?? []
    }
}

extension ObservingDesk {
    var descriptor: FetchDescriptor<Live.Thing> { observer?.fetchDescriptor ?? FetchDescriptor() }
}

extension ObservingDesk<Int> {
    fileprivate var shown: Shown { Shown(observer) }

    /// What a fetch by the actor's context returns, unsaved changes included.
    fileprivate func truth() async throws -> Shown { Shown(try await context.fetch(descriptor)) }
}
