import Foundation
import Strata
import Testing

@Suite struct EnumerateTests {
    private typealias Child = Graph.Child

    private func children(_ number: Int, _ body: (GraphStore, ModelContext) async throws -> Void) async throws {
        try await withGraphStore { store in
            let setup = store.context()
            for age in 0..<number { setup.insert(Child("c\(age)", age: age)) }
            try await setup.save()
            store.recorder.reset()
            try await body(store, store.context())
        }
    }

    private let byAge = FetchDescriptor<Child>(sortBy: [SortDescriptor(\.age)])

    @Test(arguments: [1, 3, 10, 11, 5000])
    func `every row comes once and in order, whatever the size of a batch`(batchSize: Int) async throws {
        try await children(10) { _, context in
            var ages: [Int] = []
            try await context.enumerate(byAge, batchSize: batchSize) { ages.append($0.age) }
            #expect(ages == Array(0..<10))
            func blocking() throws {
                var ages: [Int] = []
                try context.enumerate(byAge, batchSize: batchSize) { ages.append($0.age) }
                #expect(ages == Array(0..<10))
            }
            try blocking()
        }
    }

    @Test func `predicate, limit and offset apply, and no rows are no calls`() async throws {
        try await children(10) { _, context in
            var descriptor = FetchDescriptor<Child>(
                predicate: #Predicate { $0.age > 2 }, sortBy: [SortDescriptor(\.age)])
            descriptor.fetchOffset = 1
            descriptor.fetchLimit = 3
            var ages: [Int] = []
            try await context.enumerate(descriptor, batchSize: 2) { ages.append($0.age) }
            #expect(ages == [4, 5, 6])
            try await context.enumerate(FetchDescriptor<Graph.Parent>()) { _ in Issue.record("there is none") }
        }
    }

    @Test func `the objects of a batch are freed with it`() async throws {
        try await children(100) { _, context in
            final class Weak {
                weak var child: Child?
                init(_ child: Child) { self.child = child }
            }
            var seen: [Weak] = []
            var most = 0
            try await context.enumerate(byAge, batchSize: 10) { child in
                seen.append(Weak(child))
                most = max(most, seen.count { $0.child != nil })
            }
            #expect(seen.count == 100)
            #expect(most <= 20)
            #expect(seen.allSatisfy { $0.child == nil })
        }
    }

    @Test func `changing the context in the block is an error unless it is allowed`() async throws {
        try await children(4) { store, context in
            await expectError(.mutationDuringEnumeration) {
                try await context.enumerate(byAge) { $0.name = "changed" }
            }
            context.rollback()
            await expectError(.mutationDuringEnumeration) {
                try await context.enumerate(byAge) { _ in context.insert(Child("new")) }
            }
            await expectError(.mutationDuringEnumeration) { try await context.enumerate(byAge) { _ in } }
            context.rollback()
            try await context.enumerate(byAge, batchSize: 2, allowEscapingMutations: true) { $0.name += "!" }
            #expect(context.changedModelsArray.count == 4)
            try await context.save()
            #expect(try await store.reader().fetch(byAge).map(\.name) == ["c0!", "c1!", "c2!", "c3!"])
        }
    }

    @Test func `a change that is saved in the block is allowed with the rest`() async throws {
        try await children(6) { store, context in
            try await context.enumerate(byAge, batchSize: 2, allowEscapingMutations: true) { child in
                child.name = "saved"
                try await context.save()
            }
            #expect(try await store.reader().fetch(byAge).allSatisfy { $0.name == "saved" })
        }
    }

    @Test func `an error of the block ends the enumeration and the connection goes back`() async throws {
        try await children(10) { store, context in
            for _ in 0..<20 {
                var calls = 0
                await expectStop {
                    try await context.enumerate(byAge, batchSize: 2) { _ in
                        calls += 1
                        if calls == 3 { throw Stop() }
                    }
                }
                #expect(calls == 3)
            }
            #expect(try await context.fetchCount(byAge) == 10)
            func blocking() throws {
                for _ in 0..<20 {
                    expectBlockingStop { try context.enumerate(byAge, batchSize: 2) { _ in throw Stop() } }
                }
                #expect(try context.fetchCount(byAge) == 10)
            }
            try blocking()
        }
    }

    @Test func `relationships are loaded a batch at a time, and the block may fetch`() async throws {
        try await withGraphStore { store in
            let setup = store.context()
            for index in 0..<6 { setup.insert(Graph.Parent("P\(index)", children: [Child("a"), Child("b")])) }
            try await setup.save()
            let context = store.context()
            var counts: [Int] = []
            let descriptor = FetchDescriptor<Graph.Parent>(sortBy: [SortDescriptor(\.name)])
            try await context.enumerate(descriptor, batchSize: 3) { parent in
                counts.append(parent.children.count)
                let name = parent.name
                let same = try await context.fetch(
                    FetchDescriptor<Graph.Parent>(predicate: #Predicate { $0.name == name }))
                #expect(same.first === parent)
            }
            #expect(counts == [2, 2, 2, 2, 2, 2])
            #expect(context.lazyLoadCount <= 3)
        }
    }

    @Test func `in a transaction an enumeration sees what it wrote, and so does what its block loads`() async throws {
        try await children(3) { store, context in
            try await context.transaction {
                let parent = Graph.Parent("P")
                for child in try await context.fetch(byAge) { child.parent = parent }
                context.insert(Child("late", age: 9, parent: parent))
                try await context.save()
                var names: [String] = []
                try await context.enumerate(byAge, batchSize: 2) { child in
                    names.append(child.name)
                    #expect(child.parent?.name == "P")
                    let count = try await context.fetchCount(byAge)
                    #expect(count == 4)
                }
                #expect(names == ["c0", "c1", "c2", "late"])
            }
            #expect(try await store.count(Child.self) == 4)
        }
    }

    @Test func `what the block of an enumeration saves in a transaction goes with the transaction`() async throws {
        try await children(5) { store, context in
            await expectStop {
                try await context.transaction {
                    try await context.enumerate(byAge, batchSize: 2, allowEscapingMutations: true) { child in
                        child.name = "in vain"
                        try await context.save()
                        try await context.transaction { child.age += 100 }
                    }
                    #expect(
                        try await context.fetchCount(FetchDescriptor<Child>(predicate: #Predicate { $0.age >= 100 }))
                            == 5)
                    throw Stop()
                }
            }
            #expect(try await store.reader().fetch(byAge).map(\.name) == ["c0", "c1", "c2", "c3", "c4"])
            func blocking() throws {
                expectBlockingStop {
                    try context.transaction {
                        try context.enumerate(byAge, batchSize: 2, allowEscapingMutations: true) { child in
                            child.name = "in vain"
                            try context.save()
                        }
                        throw Stop()
                    }
                }
            }
            try blocking()
            #expect(try await store.reader().fetch(byAge).map(\.name) == ["c0", "c1", "c2", "c3", "c4"])
        }
    }

    @Test func `a fetch of a superclass is enumerated deep`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Vehicle("Bicycle"), Graph.Car("Beetle"), Graph.Truck("Hauler"))
            var classes: [String] = []
            let context = store.context()
            try await context.enumerate(FetchDescriptor<Graph.Vehicle>(sortBy: [SortDescriptor(\.name)]), batchSize: 1)
            {
                classes.append("\(type(of: $0))")
            }
            #expect(classes == ["Car", "Vehicle", "Truck"])
        }
    }

    /// Seven parents with two children each: three batches of at most three.
    private func withFamilies(_ body: (GraphStore, ModelContext) async throws -> Void) async throws {
        try await withGraphStore { store in
            let setup = store.context()
            for index in 0..<7 { setup.insert(Graph.Parent("P\(index)", children: [Child("a"), Child("b")])) }
            try await setup.save()
            store.recorder.reset()
            try await body(store, store.context())
        }
    }

    private var families: FetchDescriptor<Graph.Parent> {
        var descriptor = FetchDescriptor<Graph.Parent>(sortBy: [SortDescriptor(\.name)])
        descriptor.relationshipKeyPathsForPrefetching = [\.children]
        return descriptor
    }

    private func loads(_ store: GraphStore) -> Int { store.recorder.statements.count { $0.contains("= ANY(") } }

    @Test func `what is prefetched is loaded once a batch, and nothing in the block`() async throws {
        try await withFamilies { store, context in
            context.lazyLoading = .forbidden
            var counts: [Int] = []
            try await context.enumerate(families, batchSize: 3) { counts.append($0.children.count) }
            #expect(counts == [2, 2, 2, 2, 2, 2, 2])
            #expect(loads(store) == 3)
            try await context.enumerate(families, batchSize: 3) { (parent) async throws in
                await Task.yield()
                #expect(parent.children.map(\.name) == ["a", "b"])
                #expect(parent.children.allSatisfy { $0.parent === parent })
            }
            #expect(loads(store) == 6)
            func blocking() throws {
                var counts: [Int] = []
                try context.enumerate(families, batchSize: 3) { counts.append($0.children.count) }
                #expect(counts == [2, 2, 2, 2, 2, 2, 2])
            }
            try blocking()
            #expect(loads(store) == 9)
            #expect(context.lazyLoadCount == 0)
            try context.throwUnreportedErrors()
        }
    }

    @Test func `a batch without prefetching makes no round trip more`() async throws {
        try await withFamilies { store, context in
            var descriptor = families
            descriptor.relationshipKeyPathsForPrefetching = []
            // Both connections are open then.
            try await context.enumerate(families) { _ in }
            store.recorder.reset()
            try await context.enumerate(descriptor, batchSize: 3) { _ in }
            let without = store.recorder.roundTrips
            store.recorder.reset()
            try await context.enumerate(families, batchSize: 3) { _ in }
            #expect(store.recorder.roundTrips == without + 3)
        }
    }

    @Test func `levels of a path share their round trip in an enumeration too`() async throws {
        try await withFamilies { store, context in
            var descriptor = FetchDescriptor<Child>(sortBy: [SortDescriptor(\.name)])
            descriptor.relationshipKeyPathsForPrefetching = [\.parent?.children]
            var siblings: [Int] = []
            try await context.enumerate(descriptor) { siblings.append($0.parent?.children.count ?? 0) }
            #expect(siblings == Array(repeating: 2, count: 14))
            #expect(loads(store) == 2)
            #expect(context.lazyLoadCount == 0)
        }
    }

    @Test func `an enumeration in a transaction prefetches what the transaction wrote`() async throws {
        try await withFamilies { store, context in
            try await context.transaction {
                for child in try await context.fetch(FetchDescriptor<Child>()) { child.name = "c" }
                try await context.save()
                let other = ModelContext(store.container)
                var names: Set<String> = []
                try await context.enumerate(families, batchSize: 3) { names.formUnion($0.children.map(\.name)) }
                #expect(names == ["c"])
                names = []
                try await other.enumerate(families, batchSize: 3) { names.formUnion($0.children.map(\.name)) }
                #expect(names == ["a", "b"])
            }
            func blocking() throws {
                try context.transaction {
                    var names: Set<String> = []
                    try context.enumerate(families, batchSize: 3) { names.formUnion($0.children.map(\.name)) }
                    #expect(names == ["c"])
                }
            }
            try blocking()
            #expect(context.lazyLoadCount == 0)
        }
    }

    @Test func `what was prefetched is freed with its batch`() async throws {
        try await withFamilies { _, context in
            final class Weak {
                weak var child: Child?
                init(_ child: Child) { self.child = child }
            }
            var seen: [Weak] = []
            var most = 0
            try await context.enumerate(families, batchSize: 1) { parent in
                seen += parent.children.map(Weak.init)
                most = max(most, seen.count { $0.child != nil })
            }
            #expect(seen.count == 14)
            #expect(most <= 4)
            #expect(seen.allSatisfy { $0.child == nil })
        }
    }

    @Test func `a path that is no relationship is refused before anything is read`() async throws {
        try await children(1) { store, context in
            var descriptor = byAge
            descriptor.relationshipKeyPathsForPrefetching = [\.name]
            await expectError(.unsupportedKeyPath) { try await context.enumerate(descriptor) { _ in } }
            #expect(store.recorder.statements.isEmpty)
        }
    }

    @Test func `a batch size that makes no sense is one`() async throws {
        try await children(3) { _, context in
            var calls = 0
            try await context.enumerate(byAge, batchSize: 0) { _ in calls += 1 }
            try await context.enumerate(byAge, batchSize: -5) { _ in calls += 1 }
            #expect(calls == 6)
        }
    }
}
