import Foundation
import Observation
import Strata
import StrataTestSupport
import Testing

/// `ResultsObserver`: what it shows when, and what it asks of the server.
@Suite struct ResultsObserverTests {
    private typealias Thing = Live.Thing

    private func inBucket(_ bucket: Int) -> FetchDescriptor<Thing> {
        FetchDescriptor(predicate: #Predicate { $0.bucket == bucket }, sortBy: [SortDescriptor(\.name)])
    }

    private func desk(_ container: ModelContainer, _ descriptor: FetchDescriptor<Thing>) async throws -> ObservingDesk<
        Never
    > {
        let desk = ObservingDesk<Never>(container)
        try await desk.begin { context, _ in
            try await ResultsObserver(fetchDescriptor: descriptor, modelContext: context)
        }
        return desk
    }

    @Test(.timeLimit(.minutes(2)))
    func `it shows what others commit`() async throws {
        try await withThings { store in
            let desk = try await desk(store.container, inBucket(0))
            #expect(await desk.names == ["a", "b", "c"])
            try await store.database.execute("UPDATE thing SET bucket = 0 WHERE name = 'd'")
            try await desk.wait { $0.names == ["a", "b", "c", "d"] }
            try await store.database.execute("DELETE FROM thing WHERE name = 'b'")
            try await desk.wait { $0.names == ["a", "c", "d"] }
            // A value that decides nothing.
            try await store.database.execute("UPDATE thing SET rank = 77 WHERE name = 'c'")
            try await desk.wait { $0.lines.contains { $0.contains("77 c") } }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `it shows what is unsaved in its context, each edit of it`() async throws {
        try await withThings { store in
            let desk = try await desk(store.container, inBucket(0))
            try await desk.edit { $0.insert(Thing(bucket: 0, rank: 9, name: "e")) }
            try await desk.wait { $0.names == ["a", "b", "c", "e"] }
            // The second edit of an object that is changed already.
            try await desk.edit { try $0.thing("d").rank = 5 }
            try await desk.edit { try $0.thing("d").bucket = 0 }
            try await desk.wait { $0.names == ["a", "b", "c", "d", "e"] }
            try await desk.edit { try $0.thing("d").bucket = 1 }
            try await desk.wait { $0.names == ["a", "b", "c", "e"] }
            try await desk.edit { $0.delete(try $0.thing("b")) }
            try await desk.wait { $0.names == ["a", "c", "e"] }
            try await desk.edit { try $0.delete(model: Thing.self, where: #Predicate { $0.name == "c" }) }
            try await desk.wait { $0.names == ["a", "e"] }
            try await desk.edit { $0.rollback() }
            try await desk.wait { $0.names == ["a", "b", "c"] }
            #expect(try await desk.lines == desk.fetched())
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a transaction is waited for, and taken back with everything in it`() async throws {
        try await withThings { store in
            let desk = try await desk(store.container, inBucket(0))
            await expectStop {
                try await desk.work { context, _ in
                    try await context.transaction {
                        context.insert(Thing(bucket: 0, rank: 9, name: "e"))
                        try await context.save()
                        try await store.database.execute("UPDATE thing SET name = 'z' WHERE name = 'c'")
                        throw Stop()
                    }
                }
            }
            try await desk.wait { $0.names == ["a", "b", "z"] }
            try await desk.work { context, _ in
                try await context.transaction { context.insert(Thing(bucket: 0, rank: 9, name: "e")) }
            }
            try await desk.wait { $0.names == ["a", "b", "e", "z"] }
            #expect(await desk.failure == nil)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `nothing is shown twice, and what does not concern it asks the server nothing`() async throws {
        try await withThings { store in
            let desk = try await desk(store.container, inBucket(0))
            try await store.database.execute("UPDATE thing SET name = name", "UPDATE owner SET name = 'other'")
            try await store.database.execute("UPDATE thing SET name = 'f' WHERE name = 'a'")
            try await desk.wait { $0.names == ["b", "c", "f"] }
            #expect(await desk.changes == 1)
            // Read again, by whomever.
            try await desk.work { _, desk in try await desk.observer?.refetch() }
            try await desk.edit { try $0.save() }
            #expect(await desk.changes == 1)
            store.recorder.reset()
            try await desk.edit { $0.insert(Live.Owner(name: "new")) }
            try await desk.edit { $0.rollback() }
            // The rollback may have brought back anything; the edit of another class has not.
            try await desk.edit { $0.insert(Thing(bucket: 0, rank: 0, name: "g")) }
            try await desk.wait { $0.names == ["b", "c", "f", "g"] }
            #expect(await desk.changes == 2)
            #expect(store.recorder.statements.filter { $0.contains("\"thing\"") }.count <= 4)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a save of its own context changes nothing that is shown`() async throws {
        try await withThings { store in
            let desk = try await desk(store.container, inBucket(0))
            try await desk.edit { $0.insert(Thing(bucket: 0, rank: 9, name: "e")) }
            try await desk.wait { $0.names == ["a", "b", "c", "e"] }
            try await desk.work { context, _ in try await context.save() }
            // What comes behind it in the history is shown after it was looked at.
            try await store.database.execute("UPDATE thing SET rank = 50 WHERE name = 'e'")
            try await desk.wait { $0.lines.contains { $0.contains("50 e") } }
            #expect(await desk.changes == 2)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `sections are in order, and objects move between them`() async throws {
        try await withThings { store in
            let desk = ObservingDesk<Int>(store.container)
            try await desk.begin { context, _ in
                try await ResultsObserver(
                    sortBy: [SortDescriptor(\.name, order: .reverse)], sectionBy: \.bucket, modelContext: context)
            }
            #expect(await desk.sections == ["0: c b a", "1: d"])
            try await desk.edit { try $0.thing("b").bucket = 2 }
            try await desk.wait { $0.sections == ["0: c a", "1: d", "2: b"] }
            try await store.database.execute("UPDATE thing SET bucket = 0 WHERE name = 'd'")
            try await desk.wait { $0.sections == ["0: d c a", "2: b"] }
            try await desk.work { _, desk in
                let observer = try desk.present()
                let sections = try #require(observer.sections)
                let thing = try #require(observer.element(at: IndexPath(indexes: [0, 1])))
                #expect(thing.name == "c")
                #expect(observer.indexPath(for: thing) == IndexPath(indexes: [0, 1]))
                #expect(observer.element(at: IndexPath(indexes: [0, 3])) == nil)
                #expect(observer.element(at: IndexPath(indexes: [7, 0])) == nil)
                #expect(sections.sectionTitles == [0, 2])
                #expect(sections[sectionTitle: 2]?.map(\.name) == ["b"])
                #expect(sections[sectionTitle: 1] == nil)
                #expect(sections.index(ofSectionTitled: 2) == 1 && !sections.contains(sectionTitle: 9))
                #expect(observer.sectionBy == \Thing.bucket)
                // An order that begins with the sections' property is kept.
                observer.sortBy = [SortDescriptor(\.bucket, order: .reverse), SortDescriptor(\.name)]
            }
            #expect(await desk.sections == ["2: b", "0: a c d"])
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `sections by related objects, optional texts and descending order`() async throws {
        try await withThings { store in
            let desk = ObservingDesk<String>(store.container)
            try await desk.begin { context, _ in
                context.lazyLoading = .forbidden
                return try await ResultsObserver(
                    filterBy: #Predicate { $0.bucket == 0 }, sortBy: [SortDescriptor(\.name)],
                    sectionBy: \.owner?.name, modelContext: context)
            }
            #expect(await desk.sections == [": b c", "owner: a"])
            try await store.database.execute("UPDATE owner SET name = 'renamed'")
            try await desk.wait { $0.sections == [": b c", "renamed: a"] }
            try await desk.edit { context in
                let owner = try context.fetch(FetchDescriptor<Live.Owner>()).first
                try context.thing("b").owner = owner
            }
            try await desk.wait { $0.sections == [": c", "renamed: a b"] }
            try await desk.edit { try $0.throwUnreportedErrors() }
            let optional = ObservingDesk<String?>(store.container)
            try await optional.begin { context, _ in
                try await ResultsObserver(
                    filterBy: #Predicate { $0.bucket == 0 }, sectionBy: \.owner?.name, modelContext: context)
            }
            let titles = try await optional.work { _, desk in desk.observer?.sections?.sectionTitles }
            #expect(titles == [nil, "renamed"])
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `filter and order are set, and what cannot be fetched changes nothing`() async throws {
        try await withThings { store in
            let desk = try await desk(store.container, inBucket(0))
            try await desk.work { _, desk in
                let observer = try desk.present()
                observer.filterBy = #Predicate { $0.bucket == 1 }
                #expect(desk.names == ["d"])
                observer.filterBy = nil
                observer.sortBy = [SortDescriptor(\.name, order: .reverse)]
                #expect(desk.names == ["d", "c", "b", "a"])
                observer.filterBy = #Predicate { $0.name.count > 5 }
                #expect((observer.fetchError as? SwiftDataError)?.code == .unsupportedPredicate)
                #expect(observer.filterBy == nil && desk.names == ["d", "c", "b", "a"])
                var descriptor = observer.fetchDescriptor
                descriptor.fetchLimit = 2
                try await observer.refetch(descriptor)
                #expect(observer.fetchError == nil && desk.names == ["d", "c"])
            }
            try await store.database.execute("UPDATE thing SET name = 'y' WHERE name = 'a'")
            try await desk.wait { $0.names == ["y", "d"] }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `an error is shown until it works again`() async throws {
        try await withThings { store in
            let desk = try await desk(store.container, inBucket(0))
            try await store.database.execute("ALTER TABLE thing ALTER COLUMN rank TYPE text")
            try await desk.edit { $0.insert(Thing(bucket: 0, rank: 0, name: "e")) }
            try await desk.wait { $0.failure != nil }
            #expect(await desk.names == ["a", "b", "c"])
            try await store.database.execute("ALTER TABLE thing ALTER COLUMN rank TYPE bigint USING rank::bigint")
            try await desk.edit { $0.insert(Thing(bucket: 0, rank: 0, name: "f")) }
            try await desk.wait { $0.failure == nil && $0.names == ["a", "b", "c", "e", "f"] }
            // Ended sessions are waited out.
            try await store.killConnections()
            try await store.database.execute("UPDATE thing SET name = 'x' WHERE name = 'a'")
            try await desk.wait { $0.failure == nil && $0.names == ["b", "c", "e", "f", "x"] }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `history that was deleted before it was read makes everything be read again`() async throws {
        try await withThings { store in
            let desk = ObservingDesk<String>(store.container)
            try await desk.begin { context, _ in
                try await ResultsObserver(
                    filterBy: #Predicate { $0.bucket == 0 }, sectionBy: \.owner?.name, modelContext: context)
            }
            #expect(await desk.sections == [": b c", "owner: a"])
            let writer = try await store.database.connect()
            defer { writer.close() }
            // Nobody is told of the commits; the history is gone before anybody looks.
            try await writer.run("BEGIN", "SET LOCAL strata.process = 'silent'")
            try await writer.run("UPDATE owner SET name = 'renamed'", "UPDATE thing SET bucket = 1 WHERE name = 'c'")
            try await writer.run("COMMIT")
            try await ModelContext(store.container).deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            try await desk.wait { $0.sections == [": b", "renamed: a"] }
            try await store.database.execute("UPDATE thing SET bucket = 0 WHERE name = 'd'")
            try await desk.wait { $0.sections.first == ": b d" || $0.sections.last == ": b d" }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `it ends with its last reference, and when the container is closed`() async throws {
        try await withThings { store in
            let desk = try await desk(store.container, inBucket(0))
            let held = try await desk.work { _, desk in Weak(try desk.present()) }
            await desk.end()
            #expect(held.value == nil)
            store.recorder.reset()
            try await desk.edit { $0.insert(Thing(bucket: 0, rank: 0, name: "e")) }
            try await desk.edit { try $0.save() }
            let other = try await self.desk(store.container, inBucket(0))
            #expect(await other.names == ["a", "b", "c", "e"])
            await store.container.close()
            #expect(await other.names == ["a", "b", "c", "e"])
        }
    }

    @Test func `outside of any actor, and for classes without history, it is refused`() async throws {
        try await withModelStore(Silent.self, Live.Thing.self, Live.Special.self, Live.Owner.self) { store in
            let context = ModelContext(store.container)
            await expectError(.unsupportedFeature) {
                _ = try await ResultsObserver<Thing, Never>(modelContext: context)
            }
            func block() throws { _ = try ResultsObserver<Thing, Never>(modelContainer: store.container) }
            expectBlockingError(.unsupportedFeature) { try block() }
            try await MainActor.run {
                let context = store.container.mainContext
                expectBlockingError(.unsupportedFeature) {
                    _ = try ResultsObserver<Silent, Never>(modelContext: context)
                }
                let observer = try ResultsObserver<Thing, Int>(sectionBy: \.bucket, modelContext: context)
                #expect(observer.sections?.isEmpty == true && observer.results.isEmpty)
                #expect(observer.debugDescription == "ResultsObserver of Thing: 0 objects in 0 sections")
                expectBlockingError(.unsupportedSortDescriptor) {
                    _ = try ResultsObserver<Thing, Live.Owner?>(sectionBy: \.owner, modelContext: context)
                }
            }
        }
    }

    @Test func `beginning costs one round trip more than the fetch, and an edit one`() async throws {
        try await withThings { store in
            let desk = try await desk(store.container, inBucket(0))
            #expect(store.recorder.statements.count(where: { $0.contains("\"thing\"") }) == 1)
            store.recorder.reset()
            try await desk.edit { context in
                for number in 0..<10 { context.insert(Thing(bucket: 0, rank: 0, name: "e\(number)")) }
            }
            try await desk.wait { $0.names.count == 13 }
            #expect(store.recorder.statements.count(where: { $0.contains("\"thing\"") }) == 1)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `Observations follows it`() async throws {
        try await withThings { store in
            try await Self.follow(store)
        }
    }

    @MainActor private static func follow(_ store: ModelStore) async throws {
        let observer = try await ResultsObserver<Thing, Never>(
            filterBy: #Predicate { $0.bucket == 1 }, modelContext: store.container.mainContext)
        var seen: [[String]] = []
        for await names in Observations({ observer.results.map(\.name) }) {
            seen.append(names)
            if seen.count == 1 { try await store.database.execute("UPDATE thing SET bucket = 1 WHERE name = 'a'") }
            if names.count == 2 { break }
        }
        #expect(seen.last?.sorted() == ["a", "d"])
    }
}

@Model private final class Silent {
    static let recordsHistory = false
    var name: String
    init(name: String) { self.name = name }
}

/// Whether something is still there.
// Unchecked: read after the actor that had the object has let go of it.
private final class Weak<Value: AnyObject>: @unchecked Sendable {
    weak var value: Value?
    init(_ value: Value) { self.value = value }
}
