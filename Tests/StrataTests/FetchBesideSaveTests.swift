import Foundation
import Strata
import Testing

/// A fetch that was begun before the same context was saved, and whose rows come after that.
@MainActor @Suite(.timeLimit(.minutes(1))) struct FetchBesideSaveTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    /// Begins `read`, lets the server answer it, edits and saves, and only then looks at the answer.
    ///
    /// - Parameter table: which `read` reads first.
    private func saving<Result: Sendable>(
        _ store: GraphStore, _ context: ModelContext, table: String = "parent",
        while read: @escaping @MainActor () async throws -> Result, _ edit: () throws -> Void
    ) async throws -> Result {
        let held = try await HeldTable.hold(table, mode: "ACCESS EXCLUSIVE", in: store)
        let reading = Task { try await read() }
        try await held.isWaitedFor()
        try Self.blocking {
            try held.letGo()
            // The rows are in the socket by then; this thread, which is to read them, is blocked.
            Thread.sleep(forTimeInterval: 0.1)
            try edit()
            try context.save()
        }
        return try await reading.value
    }

    private static func blocking(_ body: () throws -> Void) throws { try body() }

    @Test func `what was saved is not overwritten by what was read before`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("old"), Parent("other"))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            let names = try await saving(store, context) {
                try await context.all(Parent.self).map(\.name)
            } _: {
                parents[0].name = "new"
            }
            #expect(names == ["new", "other"])
            #expect(parents[0].name == "new" && !context.hasChanges)
            parents[0].note = "more"
            try await context.save()
            #expect(try await store.reader().all(Parent.self).first?.name == "new")
        }
    }

    @Test func `an object that matches no longer keeps what was saved`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("old"), Parent("other"))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            let names = try await saving(store, context) {
                try await context.fetch(FetchDescriptor<Parent>(predicate: #Predicate { $0.name == "old" }))
                    .map(\.name)
            } _: {
                parents[0].name = "new"
            }
            #expect(names == [])
            #expect(parents[0].name == "new" && !context.hasChanges)
        }
    }

    @Test func `what was inserted and deleted meanwhile is there, and gone`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("one"), Parent("two"))
            let context = store.context()
            let first = try await context.all(Parent.self)[0]
            func edit() {
                context.insert(Parent("three"))
                context.delete(first)
            }
            let names = try await saving(
                store, context, while: { try await context.all(Parent.self).map(\.name) }, edit)
            #expect(names == ["two", "three"])
            #expect(first.isDeleted)
        }
    }

    @Test func `a count and identifiers are those after the save`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("one"))
            let context = store.context()
            let count = try await saving(
                store, context, while: { try await context.fetchCount(FetchDescriptor<Parent>()) },
                { context.insert(Parent("two")) })
            #expect(count == 2)
            let identifiers = try await saving(
                store, context, while: { try await context.fetchIdentifiers(FetchDescriptor<Parent>()) },
                { context.insert(Parent("three")) })
            #expect(identifiers.count == 3)
        }
    }

    @Test func `a relationship that is being loaded has what was saved`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("one", children: [Child("a")]), Parent("two", children: [Child("b")]))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            let children = try await context.all(Child.self)
            try await saving(store, context, table: "child", while: { try await context.load(parents, \.children) }) {
                children[0].parent = parents[1]
            }
            #expect(parents[0].children.isEmpty)
            #expect(parents[1].children.map(\.name) == ["a", "b"])
            #expect(children[0].parent === parents[1])
        }
    }

    @Test func `an object looked up by its identifier is not found once its deletion was saved`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("one"))
            let id = try await store.reader().only(Parent.self).persistentModelID
            let context = store.context()
            let found = try await saving(
                store, context, while: { try await context.existingModel(for: id, as: Parent.self) == nil },
                { try context.delete(model: Parent.self) })
            #expect(found)
        }
    }

    @Test(arguments: [false, true])
    func `an enumeration does not bring back what its block has replaced`(inTransaction: Bool) async throws {
        try await withGraphStore { store in
            try await store.save(Parent("a"), Parent("b"), Parent("c"))
            let context = store.context()
            let last = try await context.all(Parent.self)[2]
            func enumerate() async throws {
                var descriptor = FetchDescriptor<Parent>(sortBy: [SortDescriptor(\.name)])
                descriptor.includePendingChanges = false
                try await context.enumerate(descriptor, batchSize: 1, allowEscapingMutations: true) {
                    (parent: Parent) async throws in
                    guard parent.name == "a" else { return }
                    last.name = "new"
                    try await context.save()
                }
            }
            if inTransaction { try await context.transaction { try await enumerate() } } else { try await enumerate() }
            #expect(last.name == "new")
            #expect(try await store.reader().all(Parent.self).map(\.name) == ["a", "b", "new"])
        }
    }
}
