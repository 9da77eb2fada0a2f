import Foundation
import Observation
import Strata
import Synchronization
import Testing

@Suite struct ObservationTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    /// How often something that was read changed: `withObservationTracking` tells of the first change only.
    private final class Counter: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .relaxed) }
        func observe(_ read: () -> Void) {
            withObservationTracking(read) { self.count.add(1, ordering: .relaxed) }
        }
    }

    @Test func `a change of a property that was read is told, of another property or object not`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"), Parent("B"))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            let counter = Counter()
            counter.observe { _ = parents[0].name }
            parents[0].note = "x"
            parents[1].name = "x"
            #expect(counter.value == 0)
            parents[0].name = "x"
            #expect(counter.value == 1)
        }
    }

    @Test func `objects are observable before they are inserted and after their context is gone`() async throws {
        try await withGraphStore { store in
            let parent = Parent("A")
            let counter = Counter()
            counter.observe { _ = parent.name }
            parent.name = "B"
            #expect(counter.value == 1)
            try await store.save(parent)
            counter.observe { _ = parent.name }
            parent.name = "C"
            #expect(counter.value == 2)
        }
    }

    @Test func `a relationship is told of when either side changes it`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]), Parent("B"))
            let context = store.context()
            let parents = try await context.all(Parent.self)
            let child = parents[0].children[0]
            let (source, target, back) = (Counter(), Counter(), Counter())
            source.observe { _ = parents[0].children }
            target.observe { _ = parents[1].children }
            back.observe { _ = child.parent }
            child.parent = parents[1]
            #expect(source.value == 1)
            #expect(target.value == 1)
            #expect(back.value == 1)
        }
    }

    @Test func `saving tells nobody, loading neither`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            let counter = Counter()
            counter.observe { _ = (parent.name, parent.children.count) }
            parent.note = "x"
            try await context.save()
            #expect(counter.value == 0)
        }
    }

    @Test func `rollback tells of the values it puts back`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            parent.name = "B"
            parent.children[0].parent = nil
            let (name, children, note) = (Counter(), Counter(), Counter())
            name.observe { _ = parent.name }
            children.observe { _ = parent.children }
            note.observe { _ = parent.note }
            context.rollback()
            #expect(name.value == 1)
            #expect(children.value == 1)
            #expect(note.value == 0)
            #expect(parent.name == "A")
        }
    }
}
