import Foundation
import Strata
import Testing

@Suite struct RelationshipContextTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    @Test func `objects of two contexts cannot be related, and the save says so`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"), Child("a"))
            let (one, other) = (store.context(), store.context())
            let parent = try await one.only(Parent.self)
            let child = try await other.only(Child.self)
            parent.children.append(child)
            #expect(parent.children.isEmpty)
            #expect(child.parent == nil)
            await expectError(.foreignObject) { try await one.save() }
            child.parent = parent
            #expect(child.parent == nil)
            await expectError(.foreignObject) { try await other.save() }
            #expect(try await store.reader().only(Child.self).parent == nil)
            one.insert(child)
            #expect(child.modelContext === other)
            await expectError(.foreignObject) { try await one.save() }
            one.delete(child)
            await expectError(.foreignObject) { try await one.save() }
            #expect(!child.isDeleted)
        }
    }

    @Test func `a new object that an initializer related to another context's object is not saved`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Person("P"), Parent("A"))
            let (one, other) = (store.context(), store.context())
            one.insert(Graph.Sticker("s", person: try await other.only(Graph.Person.self)))
            await expectError(.foreignObject) { try await one.save() }
            #expect(try await store.count(Graph.Sticker.self) == 0)

            // Related by a setter it belongs to the context of what it was related to.
            let parent = try await other.only(Parent.self)
            let child = Child("a", parent: parent)
            #expect(child.modelContext === other)
            one.insert(child)
            await expectError(.foreignObject) { try await one.save() }
            #expect(try await store.count(Child.self) == 0)
            #expect(parent.children.first === child)
        }
    }
}
