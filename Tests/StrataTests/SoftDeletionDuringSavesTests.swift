import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Objects that are softly deleted while a save waits for the server.
@MainActor @Suite struct SoftDeletionDuringSavesTests {
    private typealias Journey = Bin.Journey
    private typealias Folder = Bin.Folder

    private static let table = "SELECT title || ' ' || (deleted_at IS NULL)::text FROM folder ORDER BY 1"

    @Test(.timeLimit(.minutes(1))) func `they are deleted by the next, with its date`() async throws {
        try await withModelStore(of: Schema(Bin.all)) { store in
            let context = ModelContext(store.container)
            let (one, two) = (Folder("one"), Folder("two"))
            context.insert(one)
            try await context.save()
            one.title = "first"
            context.insert(two)
            context.delete(one)
            let held = try await HeldTable.hold("folder", in: store.database)
            let saving = Task { try await context.save() }
            try await held.isWaitedFor()
            context.delete(two)
            let provisional = two.deletedAt
            try await held.letGo()
            try await saving.value
            #expect(try await store.database.texts(Self.table) == ["first false", "two true"])
            #expect(two.isDeleted && context.hasChanges)
            try await context.save()
            #expect(try await store.database.texts(Self.table) == ["first false", "two false"])
            #expect(try #require(two.deletedAt) > #require(provisional))
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a new one whose save fails was never there`() async throws {
        try await withModelStore(of: Schema(Bin.all)) { store in
            let context = ModelContext(store.container)
            context.uniquePolicy = .fail
            let journey = Journey("x")
            context.insert(journey)
            let (other, watcher) = (try await store.database.connect(), try await store.database.connect())
            try await other.run(
                "BEGIN", "INSERT INTO journey (code, title, price, class) VALUES ('x', '', 0, 'Journey')")
            let saving = Task { try await context.save() }
            var isWaitedFor = false
            while !isWaitedFor {
                try await watcher.run(
                    PostgresBatch(
                        PostgresStatement(
                            PreparedSQL("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)", isCached: false))
                    ) { isWaitedFor = try $0.decode(0, as: Bool.self) })
            }
            context.delete(journey)
            try await other.run("COMMIT")
            await #expect(throws: SwiftDataError.self) { try await saving.value }
            #expect(journey.modelContext == nil && !context.hasChanges)
            try await context.save()
            #expect(
                try await store.database.texts("SELECT code || (deleted_at IS NULL)::text FROM journey") == ["xtrue"])
        }
    }
}
