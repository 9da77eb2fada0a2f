import Foundation
import Strata
import StrataTestSupport
import Testing

@testable import StrataContext

/// What becomes of objects that were inserted and not saved.
@Suite struct UnsavedObjectsTests {
    @Test func `objects that got no key when they were inserted are saved when there are keys again`() async throws {
        try await withGraphStore { store in
            let (keys, mapping) = (store.container.stores[0].keys, store.container.stores[0].mapping)
            try await store.database.execute("ALTER SEQUENCE strata.key_block RENAME TO key_block_away")
            while keys.next(for: mapping.entities[0]) != 0 {}
            let context = store.context()
            let parent = Graph.Parent("A", children: [Graph.Child("a"), Graph.Child("b")])
            context.insert(parent)
            await expectError(.storeFailure) { try await context.save() }
            #expect(context.insertedModelsArray.count == 3)
            try await store.database.execute("ALTER SEQUENCE strata.key_block_away RENAME TO key_block")
            try await context.save()
            let found: Graph.Parent? = context.registeredModel(for: parent.persistentModelID)
            #expect(!context.hasChanges && found === parent)
            #expect(try await store.reader().only(Graph.Parent.self).children.map(\.name) == ["a", "b"])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a chain of unsaved objects of any length can be deleted`() async throws {
        try await withModelStore(Link.self) { store in
            let context = ModelContext(store.container)
            var head = Link(nil)
            for _ in 1..<100_000 { head = Link(head) }
            context.insert(head)
            #expect(context.insertedModelsArray.count == 100_000)
            context.delete(head)
            #expect(context.insertedModelsArray.isEmpty && !context.hasChanges)
            #expect(head.isDeleted && head.modelContext == nil)
        }
    }

    @Test func `unsaved objects that are deleted leave the relationships of those that stay`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Parent("stored", children: [Graph.Child("kept")]), Graph.Person("stored"))
            let context = store.context()
            let parent = try await context.only(Graph.Parent.self)
            let person = try await context.only(Graph.Person.self)
            let children = (0..<3).map { Graph.Child("new \($0)", parent: parent) }
            for child in children { context.insert(child) }
            let friend = Graph.Person("friend")
            friend.contacts = [person]
            person.friend = friend
            person.contacts = [friend]
            #expect(parent.children.count == 4)
            for child in children { context.delete(child) }
            context.delete(friend)
            #expect(parent.children.map(\.name) == ["kept"])
            #expect(person.friend == nil && person.contacts.isEmpty)

            // A rule takes the unsaved ones along; what is saved goes with the save.
            let department = Graph.Department("unsaved")
            department.duties = [Graph.Duty("one"), Graph.Duty("two")]
            department.members = [Graph.Member("member")]
            let member = department.members[0]
            context.insert(department)
            context.delete(department)
            #expect(department.duties.isEmpty && member.department == nil)
            #expect(context.insertedModelsArray.map { type(of: $0) == Graph.Member.self } == [true])
            try await context.save()
            #expect(try await store.count(Graph.Duty.self) == 0)
            #expect(try await store.count(Graph.Member.self) == 1)
            #expect(try await store.count(Graph.Child.self) == 1)
        }
    }

    @Test func `inserting what another context is about to delete is reported`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Parent("A"))
            let (context, other) = (store.context(), store.context())
            let parent = try await other.only(Graph.Parent.self)
            other.delete(parent)
            context.insert(parent)
            #expect(parent.isDeleted && parent.modelContext === other)
            await expectError(.foreignObject) { try await context.save() }
        }
    }
}

@Model private final class Link {
    @Relationship(deleteRule: .cascade, inverse: nil) var next: Link?

    init(_ next: Link?) { self.next = next }
}
