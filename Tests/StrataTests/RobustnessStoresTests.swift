import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

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
}
