import Foundation
import Strata
import Testing

@Suite struct PendingChangesTests {
    private typealias Child = Graph.Child

    /// Five children of the ages 0 to 4 in the store; in the context: 1 deleted, 3 changed to 30, 2 and 40 added.
    private func unsaved(_ body: (GraphStore, ModelContext) async throws -> Void) async throws {
        try await withGraphStore { store in
            let setup = store.context()
            for age in 0..<5 { setup.insert(Child("s\(age)", age: age)) }
            try await setup.save()
            let context = store.context()
            let children = try await context.fetch(FetchDescriptor<Child>(sortBy: [SortDescriptor(\.age)]))
            context.delete(children[1])
            children[3].age = 30
            context.insert(Child("n2", age: 2))
            context.insert(Child("n40", age: 40))
            store.recorder.reset()
            try await body(store, context)
        }
    }

    @Test func `a fetch sees inserts, changes and deletions, in its order`() async throws {
        try await unsaved { _, context in
            let all = try await context.fetch(
                FetchDescriptor<Child>(sortBy: [SortDescriptor(\.age), SortDescriptor(\.name)]))
            #expect(all.map(\.name) == ["s0", "n2", "s2", "s4", "s3", "n40"])
            let backwards = try await context.fetch(
                FetchDescriptor<Child>(sortBy: [SortDescriptor(\.name, order: .reverse)]))
            #expect(backwards.map(\.name) == ["s4", "s3", "s2", "s0", "n40", "n2"])
            #expect(
                Set(try await context.fetch(FetchDescriptor<Child>()).map(\.name)) == [
                    "s0", "n2", "s2", "s4", "s3", "n40",
                ])
        }
    }

    @Test func `a predicate is applied to the unsaved values`() async throws {
        try await unsaved { _, context in
            let young = try await context.fetch(
                FetchDescriptor<Child>(predicate: #Predicate { $0.age < 4 }, sortBy: [SortDescriptor(\.name)]))
            #expect(young.map(\.name) == ["n2", "s0", "s2"])
            let old = try await context.fetch(
                FetchDescriptor<Child>(predicate: #Predicate { $0.age >= 30 }, sortBy: [SortDescriptor(\.age)]))
            #expect(old.map(\.name) == ["s3", "n40"])
        }
    }

    @Test func `offset and limit cut the merged result`() async throws {
        try await unsaved { _, context in
            for (offset, limit, names) in [
                (0, 3, ["s0", "n2", "s2"]), (2, 2, ["s2", "s4"]), (4, 10, ["s3", "n40"]), (6, 2, []), (0, 0, []),
            ] {
                var descriptor = FetchDescriptor<Child>(sortBy: [SortDescriptor(\.age), SortDescriptor(\.name)])
                descriptor.fetchOffset = offset
                descriptor.fetchLimit = limit
                let fetched = try await context.fetch(descriptor)
                #expect(fetched.map(\.name) == names)
                let count = try await context.fetchCount(descriptor)
                #expect(count == names.count)
            }
        }
    }

    @Test func `count and identifiers agree with the fetch`() async throws {
        try await unsaved { _, context in
            let descriptor = FetchDescriptor<Child>(
                predicate: #Predicate { $0.age > 1 }, sortBy: [SortDescriptor(\.age), SortDescriptor(\.name)])
            let fetched = try await context.fetch(descriptor)
            #expect(try await context.fetchCount(descriptor) == fetched.count)
            #expect(try await context.fetchIdentifiers(descriptor) == fetched.map(\.persistentModelID))
        }
    }

    @Test func `without pending changes a fetch is that of the store`() async throws {
        try await unsaved { store, context in
            var descriptor = FetchDescriptor<Child>(
                predicate: #Predicate { $0.age >= 1 && $0.age < 4 }, sortBy: [SortDescriptor(\.name)])
            descriptor.includePendingChanges = false
            #expect(try await context.fetchCount(descriptor) == 3)
            #expect(try await context.fetchIdentifiers(descriptor).count == 3)
            let fetched = try await context.fetch(descriptor)
            #expect(fetched.map(\.name) == ["s1", "s2", "s3"])
            // The registered object keeps its unsaved value.
            #expect(fetched[2].age == 30)
            descriptor.fetchLimit = 1
            #expect(try await context.fetch(descriptor).map(\.name) == ["s1"])
        }
    }

    @Test func `changes of other classes do not take part`() async throws {
        try await unsaved { store, context in
            let parents = try await context.fetchCount(FetchDescriptor<Graph.Parent>())
            #expect(parents == 0)
            #expect(store.recorder.statements.count { $0.contains("count(*)") } == 1)
        }
    }

    @Test func `a fetch of a superclass sees pending objects of subclasses`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Vehicle("Bicycle"))
            let context = store.context()
            context.insert(Graph.Car("Beetle"))
            #expect(try await context.fetch(FetchDescriptor<Graph.Vehicle>()).map(\.name) == ["Bicycle", "Beetle"])
            #expect(try await context.fetchCount(FetchDescriptor<Graph.Truck>()) == 0)
            let cars = try await context.fetch(
                FetchDescriptor<Graph.Vehicle>(predicate: #Predicate { $0 is Graph.Car }))
            #expect(cars.map(\.name) == ["Beetle"])
        }
    }

    @Test func `pending children count in a predicate over their parent`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Parent("A", children: [Child("a")]), Graph.Parent("B"))
            let context = store.context()
            let parents = try await context.all(Graph.Parent.self)
            _ = parents.map(\.children.count)
            parents[1].children.append(Child("b", age: 9))
            let found = try await context.fetch(
                FetchDescriptor<Graph.Parent>(predicate: #Predicate { $0.children.contains { $0.age == 9 } }))
            #expect(found.map(\.name) == ["B"])
        }
    }

    @Test func `nil sorts first, in memory as in the store`() async throws {
        try await withGraphStore { store in
            let noted = Graph.Parent("noted")
            noted.note = "b"
            try await store.save(noted, Graph.Parent("bare"))
            let context = store.context()
            let descriptor = FetchDescriptor<Graph.Parent>(sortBy: [SortDescriptor(\.note)])
            #expect(try await context.fetch(descriptor).map(\.note) == [nil, "b"])
            let new = Graph.Parent("new")
            new.note = "a"
            context.insert(new)
            #expect(try await context.fetch(descriptor).map(\.note) == [nil, "a", "b"])
        }
    }
}
