import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

@testable import StrataContext

@Model private final class Apple {
    var name: String
    init(name: String) { self.name = name }
}
@Model private final class Pear {
    var name: String
    init(name: String) { self.name = name }
}

/// Two databases, one context.
@Suite struct RobustnessStoresTests {
    private func withTwoStores(
        _ body: (ModelContainer, _ apples: TestDatabase, _ pears: TestDatabase) async throws -> Void
    )
        async throws
    {
        try await withTestDatabase("apples", template: .tables(of: Schema(Apple.self))) { apples in
            try await withTestDatabase("pears", template: .tables(of: Schema(Pear.self))) { pears in
                let container = try await ModelContainer(
                    for: Schema(Apple.self, Pear.self),
                    configurations: [
                        ModelConfiguration(
                            "apples", schema: Schema(Apple.self), url: try #require(apples.foundationURL)),
                        ModelConfiguration("pears", schema: Schema(Pear.self), url: try #require(pears.foundationURL)),
                    ], logger: Logger(label: "test"))
                do { try await body(container, apples, pears) } catch {
                    await container.close()
                    throw error
                }
                await container.close()
            }
        }
    }

    /// Makes every COMMIT fail that follows an insert.
    private func refuseCommit(_ table: String, in database: TestDatabase) async throws {
        try await database.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '23514'; END $$",
            "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON \(table) DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()"
        )
    }

    private func counts(_ container: ModelContainer) async throws -> [Int] {
        let context = ModelContext(container)
        return [
            try await context.fetchCount(FetchDescriptor<Apple>()),
            try await context.fetchCount(FetchDescriptor<Pear>()),
        ]
    }

    @Test func `a save that the second store refuses leaves the first unchanged`() async throws {
        try await withTwoStores { container, _, pears in
            try await pears.execute("ALTER TABLE pear ADD CONSTRAINT short CHECK (length(name) < 5)")
            let context = ModelContext(container)
            context.insert(Apple(name: "a"))
            context.insert(Pear(name: "much too long"))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .invalidValue)
            #expect(context.insertedModelsArray.count == 2)
            #expect(try await counts(container) == [0, 0])
            context.rollback()
            context.insert(Apple(name: "a"))
            context.insert(Pear(name: "p"))
            try await context.save()
            #expect(try await counts(container) == [1, 1])
        }
    }

    @Test func `a store that fails at COMMIT after another has committed is an unknown outcome`() async throws {
        try await withTwoStores { container, _, pears in
            try await refuseCommit("pear", in: pears)
            let context = ModelContext(container)
            context.insert(Apple(name: "a"))
            context.insert(Pear(name: "p"))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .outcomeUnknown)
            #expect(error?.sqlState == "23514")
            #expect(error?.message.contains("pears") == true)
            #expect(try await counts(container) == [1, 0])
            // Saving again although it was stored makes no second row: the objects have their keys.
            let again = await #expect(throws: SwiftDataError.self) {
                try await context.transaction { try await context.save() }
            }
            #expect(again?.code == .uniqueConstraint)
            #expect(try await counts(container) == [1, 0])
        }
    }

    @Test func `a store that fails at COMMIT before any other has leaves nothing`() async throws {
        try await withTwoStores { container, apples, _ in
            try await refuseCommit("apple", in: apples)
            let context = ModelContext(container)
            context.insert(Apple(name: "a"))
            context.insert(Pear(name: "p"))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .invalidValue, "\(String(describing: error))")
            #expect(error?.sqlState == "23514")
            #expect(try await counts(container) == [0, 0])
            let inTransaction = await #expect(throws: SwiftDataError.self) { try await context.transaction {} }
            #expect(inTransaction?.sqlState == "23514")
            #expect(try await counts(container) == [0, 0])
            // What was unsaved before the transaction is unsaved still.
            #expect(context.insertedModelsArray.count == 2)
            try await apples.execute("DROP TRIGGER refuse ON apple")
            try await context.save()
            #expect(try await counts(container) == [1, 1])
        }
    }

    // MARK: Within a transaction

    /// A block that hears of the refusal may go on: nothing of the save that failed is in either store by then.
    @Test(arguments: [false, true])
    func `a save within a transaction that the second store refuses leaves the first as it was`(
        isBlocking: Bool
    ) async throws {
        try await withTwoStores { container, _, pears in
            try await pears.execute("ALTER TABLE pear ADD CONSTRAINT short CHECK (length(name) < 5)")
            let context = ModelContext(container)
            try await context.transaction {
                context.insert(Apple(name: "before"))
                try await context.save()
                context.insert(Apple(name: "a"))
                let pear = Pear(name: "much too long")
                context.insert(pear)
                func blocking() throws { try context.save() }
                await expectError(.invalidValue) {
                    if isBlocking { try blocking() } else { try await context.save() }
                }
                var stored = FetchDescriptor<Apple>()
                stored.includePendingChanges = false
                let there = try await context.fetchCount(stored)
                #expect(there == 1)
                pear.name = "p"
            }
            #expect(try await counts(container) == [2, 1])
        }
    }

    /// Makes an insert take a while, and fail if it is to.
    private func slowInserts(into table: String, in database: TestDatabase, refused: Bool) async throws {
        let end = refused ? "RAISE EXCEPTION 'no' USING ERRCODE = '23514';" : "RETURN new;"
        try await database.execute(
            "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.3); \(end) END $$",
            "CREATE TRIGGER slow BEFORE INSERT ON \(table) FOR EACH ROW EXECUTE FUNCTION slow()")
    }

    /// What another task of the transaction writes meanwhile stands behind the save, not within what is taken back.
    @Test func `a refused save to two stores takes back nothing of another task`() async throws {
        try await withTwoStores { container, _, pears in
            try await slowInserts(into: "pear", in: pears, refused: true)
            let context = ModelContext(container)
            context.insert(Apple(name: "old"))
            try await context.save()
            try await Grocer(modelContainer: container).refusedSaveBesideAChange()
            let names = try await ModelContext(container).fetch(FetchDescriptor<Apple>()).map(\.name)
            #expect(names == ["new"])
        }
    }

    @Test func `a save to two stores of a task that is cancelled comes to its end`() async throws {
        try await withTwoStores { container, _, pears in
            try await slowInserts(into: "pear", in: pears, refused: false)
            try await Grocer(modelContainer: container).cancelledSave()
            #expect(try await counts(container) == [1, 1])
        }
    }
}

@ModelActor private actor Grocer {
    func refusedSaveBesideAChange() async throws {
        try await modelContext.transaction { () async throws -> Void in
            modelContext.insert(Apple(name: "a"))
            modelContext.insert(Pear(name: "p"))
            async let changed: Void = change()
            await expectError(.invalidValue) { try await modelContext.save() }
            try await changed
            modelContext.rollback()
        }
    }

    private func change() async throws {
        while !modelContext.unit.isSaving { await Task.yield() }
        try await modelContext.execute("UPDATE \(Apple.self) SET name = \("new")", includePendingChanges: false)
    }

    func cancelledSave() async throws {
        try await modelContext.transaction { () async throws -> Void in
            modelContext.insert(Apple(name: "a"))
            modelContext.insert(Pear(name: "p"))
            let task = Task { try await self.save() }
            while !modelContext.unit.isSaving { await Task.yield() }
            task.cancel()
            try await task.value
        }
    }

    private func save() async throws { try await modelContext.save() }
}
