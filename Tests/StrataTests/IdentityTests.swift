import Foundation
import Strata
import StrataTestSupport
import Testing

@Suite struct IdentityTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child
    private typealias Account = Graph.Account

    @Test func `equal objects have equal hashes, whenever they were hashed first`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let (early, late) = (Parent("early"), Parent("late"))
            let set: Set<Parent> = [early]
            context.insert(early)
            context.insert(late)
            try await context.save()
            let others = try await store.reader().all(Parent.self)
            for (one, other) in zip([early, late], others) where one == other {
                #expect(one.hashValue == other.hashValue)
            }
            #expect(late == others[1])
            #expect(set.contains(early))
            #expect(early == early)
        }
    }

    @Test func `refreshing a vanished row is an error`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("a"), Parent("b"), Parent("c"))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            try await store.database.execute(
                "DELETE FROM parent WHERE name <> 'b'", "UPDATE parent SET note = 'others'")
            parents[2].note = "mine"
            do {
                try await context.refresh(parents)
                Issue.record("no error")
            } catch let error as SwiftDataError {
                #expect(error.code == .modelNotFound)
                #expect(error.identifiers == [parents[0].persistentModelID, parents[2].persistentModelID])
            }
            #expect(parents[1].note == "others")
            #expect(parents[0].isDeleted && parents[0].modelContext == nil)
            // Unsaved work is not thrown away.
            #expect(parents[2].hasChanges && parents[2].note == "mine")
            let new = Parent("new")
            context.insert(new)
            try await context.refresh([new, parents[1]])
            #expect(new.hasChanges)
        }
    }

    @Test func `what points at a new object that lost to another points at the winner`() async throws {
        try await withStore(for: Shelf.schema) { container in
            let context = ModelContext(container)
            let loser = Shelf.Case("x", books: [Shelf.Book("1")])
            let winner = Shelf.Case("x", books: [Shelf.Book("2")])
            context.insert(loser)
            context.insert(winner)
            let late = Shelf.Book("3")
            context.insert(late)
            late.shelf = loser
            late.favourite = loser
            try await context.save()
            #expect(loser.modelContext == nil)
            #expect(late.shelf === winner)
            #expect(late.favourite === winner)
            #expect(Set(winner.books.map(\.title)) == ["1", "2", "3"])
            let read = ModelContext(container)
            #expect(Set(try await read.only(Shelf.Case.self).books.map(\.title)) == ["1", "2", "3"])
        }
    }

    @Test func `an upserted object's arrays show the rows' objects too`() async throws {
        try await withStore(for: Shelf.schema) { container in
            let writer = ModelContext(container)
            writer.insert(Shelf.Case("x", books: [Shelf.Book("1")]))
            try await writer.save()
            let context = ModelContext(container)
            let old = try await context.only(Shelf.Case.self)
            let book = try #require(old.books.first)
            book.favourite = old
            try await context.save()
            let new = Shelf.Case("x", books: [Shelf.Book("2")])
            context.insert(new)
            try await context.save()
            #expect(Set(new.books.map(\.title)) == ["1", "2"])
            #expect(old.modelContext == nil)
            #expect(book.shelf === new)
            #expect(book.favourite === new)
            #expect(new.persistentModelID == old.persistentModelID)
        }
    }

    @Test func `an old instance cannot enter beside the one that took its row`() async throws {
        try await withGraphStore { store in
            try await store.save(Account("a@x", name: "old"))
            let context = store.context()
            let old = try await context.only(Account.self)
            let new = Account("a@x", name: "new")
            context.insert(new)
            try await context.save()
            #expect(old.modelContext == nil && old.name == "old")
            context.insert(old)
            #expect(old.modelContext == nil)
            await expectError(.foreignObject) { try await context.save() }
            #expect(try await context.only(Account.self) === new)
        }
    }
}

private enum Shelf {
    static let schema = Schema(Case.self, Book.self)

    @Model final class Case {
        @Attribute(.unique) var code: String
        @Relationship(inverse: \Book.shelf) var books: [Book] = []
        init(_ code: String, books: [Book] = []) {
            self.code = code
            self.books = books
        }
    }

    @Model final class Book {
        var title: String
        var shelf: Case?
        @Relationship(inverse: nil) var favourite: Case?
        init(_ title: String) { self.title = title }
    }
}

private func withStore(for schema: Schema, _ body: (ModelContainer) async throws -> Void) async throws {
    try await withModelStore(of: schema) { try await body($0.container) }
}
