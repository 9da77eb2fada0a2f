import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Model private class Entry {
    #Unique<Entry>([\.list, \.position], timing: .deferred)
    @Attribute(.unique) var code: String
    var list: String
    var position: Int
    var note: String = ""

    init(_ code: String, _ list: String, _ position: Int) {
        (self.code, self.list, self.position) = (code, list, position)
    }
}

@Model private final class Log {
    var text: String = ""
    init() {}
}

@Model private final class Seat {
    #Unique<Seat>([\.row, \.number], nulls: .notDistinct, timing: .deferred)
    var row: String?
    var number: Int

    init(_ row: String?, _ number: Int) { (self.row, self.number) = (row, number) }
}

@Model private final class SpecialEntry: Entry {
    var more: String = ""
}

private enum Misused {
    @Model final class Both {
        #Unique<Both>([\.number], timing: .deferred) { $0.isUsed }
        var number = 0
        var isUsed = true
        init() {}
    }
}

/// Unique values that are compared when the transaction is committed.
@Suite struct DeferredUniqueTests {
    private func withEntries(_ body: (ModelStore, ModelContext, [Entry]) async throws -> Void) async throws {
        try await withModelStore(Entry.self, SpecialEntry.self) { store in
            let context = ModelContext(store.container)
            let entries = (0..<3).map { Entry("e\($0)", "l", $0) }
            for entry in entries { context.insert(entry) }
            try await context.save()
            store.recorder.reset()
            try await body(store, context, entries)
        }
    }

    private func rows(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts("SELECT code || ' ' || position FROM entry ORDER BY 1")
    }

    private static let message =
        "Another object has the same Entry.list, Entry.position. Change the value, or fetch that object and change it."

    @Test func `an exchange is one update, and values in between are nobody's business`() async throws {
        try await withEntries { store, context, entries in
            swap(&entries[0].position, &entries[1].position)
            try await context.save()
            #expect(store.recorder.statements.count { $0.contains("UPDATE") } == 1)
            #expect(store.recorder.roundTrips == 1)
            #expect(try await rows(store) == ["e0 1", "e1 0", "e2 2"])
            // All move up, and a new one comes first: by one save, and by a predicate.
            for entry in entries { entry.position += 1 }
            context.insert(SpecialEntry("e3", "l", 0))
            try await context.save()
            try context.update(model: Entry.self, .add(1, to: \.position))
            try await context.save()
            #expect(try await rows(store) == ["e0 3", "e1 2", "e2 4", "e3 1"])
            // A deleted object's place is free, and nothing has to come first for it.
            context.delete(entries[2])
            context.insert(Entry("e4", "l", 4))
            try await context.save()
            #expect(try await rows(store) == ["e0 3", "e1 2", "e3 1", "e4 4"])
        }
    }

    @Test func `what is taken is refused at the end, in the words of the model`() async throws {
        try await withEntries { store, context, entries in
            // One update, which without this would be a transaction by itself.
            entries[0].position = 1
            let lone = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(lone?.code == .uniqueConstraint)
            #expect(lone?.message == Self.message)
            #expect(lone?.sqlState == "23505")
            #expect(entries[0].hasChanges)
            entries[0].position = 0
            try await context.save()
            // A new object takes over no row by such values, whatever the policy: a new code is a new object.
            for policy in [UniquePolicy.upsert, .ignore, .fail] {
                context.uniquePolicy = policy
                context.insert(Entry("new", "l", 2))
                let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
                #expect(error?.message == Self.message)
                context.rollback()
            }
            context.uniquePolicy = .upsert
            // By the other one it does.
            context.insert(Entry("e2", "l", 7))
            try await context.save()
            #expect(try await rows(store) == ["e0 0", "e1 1", "e2 7"])
            let refused = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: Entry.self, \.code, \.list, \.position, rows: [("r1", "l", 8), ("r2", "l", 7)])
            }
            #expect(refused?.message == Self.message)
            let update = await #expect(throws: SwiftDataError.self) {
                try context.update(model: Entry.self, .set(\.position, to: 5))
                try await context.save()
            }
            #expect(update?.code == .uniqueConstraint)
            context.rollback()
            #expect(try await rows(store) == ["e0 0", "e1 1", "e2 7"])
        }
    }

    private func blocking(_ context: ModelContext, _ entry: Entry) throws {
        entry.position = 1
        try context.save()
    }

    @Test func `a blocking save is told the same`() async throws {
        try await withEntries { _, context, entries in
            let error = #expect(throws: SwiftDataError.self) { try blocking(context, entries[0]) }
            #expect(error?.message == Self.message)
        }
    }

    @Test func `a transaction may take several saves, and is refused when it is over`() async throws {
        try await withEntries { store, context, entries in
            try await context.transaction {
                entries[0].position = 1
                try await context.save()
                entries[1].position = 0
                try await context.save()
            }
            #expect(try await rows(store) == ["e0 1", "e1 0", "e2 2"])
            // The last save commits, or the end of the block.
            for savesLast in [true, false] {
                let error = await #expect(throws: SwiftDataError.self) {
                    try await context.transaction {
                        entries[0].position = 2
                        if savesLast { entries[0].note = "x" }
                        try await context.save()
                        if savesLast { entries[1].note = "y" }
                    }
                }
                #expect(error?.code == .uniqueConstraint)
                #expect(error?.message == Self.message)
                #expect(try await rows(store) == ["e0 1", "e1 0", "e2 2"])
                context.rollback()
            }
            entries[0].position = 9
            try await context.save()
            #expect(try await rows(store) == ["e0 9", "e1 0", "e2 2"])
        }
    }

    @Test func `a save that deletes first leaves the rest of the transaction deferred`() async throws {
        try await withEntries { store, context, entries in
            try await context.transaction {
                context.delete(entries[2])
                context.insert(Entry("e4", "l", 4))
                try await context.save()
                entries[0].position = 1
                try await context.save()
                entries[1].position = 0
                try await context.save()
            }
            #expect(try await rows(store) == ["e0 1", "e1 0", "e4 4"])
        }
    }

    @Test func `of two stores none has committed when the other's values are taken`() async throws {
        try await withTestDatabase("logs", template: .tables(of: Schema(Log.self))) { logs in
            try await withTestDatabase("entries", template: .tables(of: Schema(Entry.self, SpecialEntry.self))) {
                database in
                let container = try await ModelContainer(
                    for: Schema(Log.self, Entry.self, SpecialEntry.self),
                    configurations: [
                        ModelConfiguration("a", schema: Schema(Log.self), url: try #require(logs.foundationURL)),
                        ModelConfiguration(
                            "b", schema: Schema(Entry.self, SpecialEntry.self),
                            url: try #require(database.foundationURL)),
                    ])
                let context = ModelContext(container)
                context.insert(Entry("e0", "l", 0))
                try await context.save()
                context.insert(Log())
                context.insert(Entry("e1", "l", 0))
                let saved = await #expect(throws: SwiftDataError.self) { try await context.save() }
                #expect(saved?.message == Self.message)
                context.rollback()
                let transaction = await #expect(throws: SwiftDataError.self) {
                    try await context.transaction {
                        context.insert(Log())
                        context.insert(Entry("e1", "l", 0))
                        try await context.save()
                    }
                }
                #expect(transaction?.message == Self.message)
                #expect(try await logs.texts("SELECT count(*)::text FROM log") == ["0"])
                #expect(try await database.texts("SELECT count(*)::text FROM entry") == ["1"])
                await container.close()
            }
        }
    }

    /// Inserts a value in a transaction that has it before `gate` opens, and commits behind that.
    private static func insert(_ code: String, in container: ModelContainer, opening gate: Gate?) async -> (any Error)?
    {
        let context = ModelContext(container)
        do {
            try await context.transaction {
                context.insert(Entry(code, "l", 7))
                try await context.save()
                gate?.open()
                if gate != nil { try await Task.sleep(for: .milliseconds(50)) }
            }
            return nil
        } catch {
            return error
        }
    }

    @Test func `of two writers that meet at COMMIT one is refused`() async throws {
        try await withEntries { store, _, _ in
            // Both have the value before either commits: each COMMIT waits for the other, and the server ends one.
            let gate = Gate()
            let container = store.container
            async let first = Self.insert("first", in: container, opening: gate)
            await gate.wait()
            async let second = Self.insert("second", in: container, opening: nil)
            let errors = await [first, second].compactMap(\.self)
            #expect(errors.count == 1, "\(errors)")
            let error = try #require(errors.first as? SwiftDataError)
            #expect(error.code == .uniqueConstraint || error.sqlState == "40P01", "\(error)")
            #expect(try await rows(store).filter { $0.hasSuffix(" 7") }.count == 1)
        }
    }

    @Test func `nil that equals nil is compared at the end too`() async throws {
        try await withModelStore(Seat.self) { store in
            let context = ModelContext(store.container)
            let (one, two) = (Seat(nil, 1), Seat("a", 1))
            context.insert(one)
            context.insert(two)
            try await context.save()
            (one.row, two.row) = ("a", nil)
            try await context.save()
            let rows = "SELECT concat_ws(' ', row, number) FROM seat ORDER BY pk"
            #expect(try await store.database.texts(rows) == ["a 1", "1"])
            one.row = nil
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .uniqueConstraint)
            // In a transaction they may meet, and part again.
            try await context.transaction {
                try await context.save()
                two.number = 2
                try await context.save()
            }
            #expect(try await store.database.texts(rows) == ["1", "2"])
        }
    }

    @Test func `a constraint that is checked row by row is not that one`() async throws {
        try await withEntries { store, _, _ in
            try await store.database.execute(
                "ALTER TABLE entry DROP CONSTRAINT entry_list_position_key, ADD UNIQUE (list, position)")
            let error = await #expect(throws: (any Error).self) {
                try await store.reopened(Schema(Entry.self, SpecialEntry.self))
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(
                text.contains(
                    "the unique constraint of entry (list, position) is not INITIALLY DEFERRED, so rows cannot have the same values until COMMIT"
                ), "\(text)")
        }
        let error = await #expect(throws: (any Error).self) {
            try await ModelContainer(
                for: Schema(Misused.Both.self), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(
            text.contains("#Unique of number is deferred and has a condition, which makes a unique index"), "\(text)")
    }
}
