import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// The save of one changed object, which has a way of its own through the planning. Without history: with one there is more to
/// send.
@MainActor @Suite struct LoneUpdateTests {
    private func withStore(_ body: (GraphStore) async throws -> Void) async throws {
        try await withTestDatabase("lone update") { database in
            var configuration = ModelConfiguration(url: try #require(database.foundationURL))
            configuration.recordsHistory = false
            let recorder = StatementRecorder()
            let container = try await ModelContainer(
                opening: Graph.schema, configurations: [configuration], logger: Logger(label: "test"),
                observer: recorder)
            try await body(GraphStore(container: container, recorder: recorder, database: database))
            await container.close()
        }
    }

    /// Saves, and returns what was sent for it.
    private func statements(of context: ModelContext, in store: GraphStore) async throws -> [String] {
        store.recorder.reset()
        try await context.save()
        return store.recorder.statements
    }

    @Test(.timeLimit(.minutes(1))) func `what is edited while it is written is written by the next`() async throws {
        try await withStore { store in
            try await store.save(Graph.Parent("a"))
            let context = store.context()
            let parent = try await context.only(Graph.Parent.self)
            parent.name = "x"
            let held = try await HeldTable.hold("parent", in: store)
            store.recorder.reset()
            let saving = Task { try await context.save() }
            try await held.isWaitedFor()
            #expect(store.recorder.statements.count == 1 && store.recorder.statements[0].hasPrefix("UPDATE"))
            parent.name = "y"
            parent.note = "n"
            try await held.letGo()
            try await saving.value
            let between = try await store.reader().only(Graph.Parent.self)
            #expect(between.name == "x" && between.note == nil)
            #expect(parent.name == "y" && parent.note == "n" && parent.hasChanges)
            let second = try await statements(of: context, in: store)
            #expect(second.count == 1, "\(second)")
            let after = try await store.reader().only(Graph.Parent.self)
            #expect(after.name == "y" && after.note == "n")
            #expect(!context.hasChanges)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `what is edited back while it is written is written by the next`() async throws
    {
        try await withStore { store in
            try await store.save(Graph.Parent("a"))
            let context = store.context()
            let parent = try await context.only(Graph.Parent.self)
            parent.name = "x"
            let held = try await HeldTable.hold("parent", in: store)
            let saving = Task { try await context.save() }
            try await held.isWaitedFor()
            parent.name = "a"
            try await held.letGo()
            try await saving.value
            try await context.save()
            #expect(try await store.reader().only(Graph.Parent.self).name == "a")
        }
    }

    @Test func `an object of a subclass of which only columns of the base changed is one update`() async throws {
        try await withStore { store in
            let car = Graph.Car("old")
            car.seats = 7
            try await store.save(car)
            let context = store.context()
            let read = try await context.only(Graph.Car.self)
            read.name = "new"
            let sent = try await statements(of: context, in: store)
            #expect(sent.count == 1 && sent[0].contains("\"vehicle\"") && !sent[0].contains("\"car\""), "\(sent)")
            let again = try await store.reader().only(Graph.Vehicle.self)
            #expect(again.name == "new" && (again as? Graph.Car)?.seats == 7)
            read.seats = 2
            let own = try await statements(of: context, in: store)
            #expect(own.count == 1 && own[0].contains("\"car\"") && !own[0].contains("\"vehicle\""), "\(own)")
            #expect(try await store.reader().only(Graph.Car.self).seats == 2)
        }
    }

    @Test func `an attribute that has no column is no update, and does not hinder one`() async throws {
        try await withStore { store in
            try await store.save(Graph.Photo("p"))
            let context = store.context()
            let photo = try await context.only(Graph.Photo.self)
            photo.isSelected = true
            #expect(context.hasChanges)
            let none = try await statements(of: context, in: store)
            #expect(none == [])
            #expect(!context.hasChanges && photo.isSelected)
            photo.isSelected = false
            photo.title = "q"
            let sent = try await statements(of: context, in: store)
            #expect(sent.count == 1 && sent[0].hasPrefix("UPDATE"), "\(sent)")
            #expect(try await store.reader().only(Graph.Photo.self).title == "q")
        }
    }

    @Test func `a conflict of one object is found, and its changes are kept`() async throws {
        try await withStore { store in
            try await store.save(Graph.Car("old"))
            let (context, other) = (store.context(), store.context())
            let (mine, theirs) = (try await context.only(Graph.Car.self), try await other.only(Graph.Car.self))
            theirs.name = "theirs"
            try await other.save()
            mine.name = "mine"
            await expectError(.conflict) { try await context.save() }
            #expect(mine.name == "mine" && context.hasChanges)
        }
    }
}
