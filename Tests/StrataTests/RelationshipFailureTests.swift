import Foundation
import Strata
import Testing

@Model private final class Lock {
    var name: String
    @Relationship(inverse: \Key.lock) var key: Key?
    init(_ name: String) { self.name = name }
}

/// Its initializer stores a lock without the setter: the property has no other value before.
@Model private final class Key {
    var number: Int
    var lock: Lock
    var ring: Ring?
    init(_ number: Int, lock: Lock) {
        self.number = number
        self.lock = lock
    }
}

@Model private final class Ring {
    var name: String
    @Relationship(inverse: \Key.ring) var keys: [Key]
    init(_ name: String, keys: [Key]) {
        self.name = name
        self.keys = keys
    }
}

@Suite struct RelationshipFailureTests {
    @Test func `a setter that cannot load leaves the relationship as it was`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Parent("a", children: [Graph.Child("1"), Graph.Child("2")]))
            let context = store.context()
            context.lazyLoading = .forbidden
            let parent = try await context.only(Graph.Parent.self)
            parent.children = [Graph.Child("3")]
            #expect(!parent.hasChanges && !context.hasChanges)
            await expectError(.unfulfilledFault) { try await context.save() }
            try await context.save()
            #expect(try await store.reader().only(Graph.Parent.self).children.map(\.name) == ["1", "2"])
        }
    }

    @Test func `a new object is not related to one whose former partner cannot be loaded`() async throws {
        try await withModelStore(Lock.self, Key.self, Ring.self) { store in
            let setup = ModelContext(store.container)
            setup.insert(Key(1, lock: Lock("a")))
            try await setup.save()
            let context = ModelContext(store.container)
            context.lazyLoading = .forbidden
            var descriptor = FetchDescriptor<Lock>()
            descriptor.propertiesToFetch = [\.name]
            context.insert(Key(2, lock: try #require(try await context.fetch(descriptor).first)))
            await expectError(.unfulfilledFault) { try await context.save() }
            // It is not there, and it is required.
            await expectError(.modelValidationFailure) { try await context.save() }
            let reader = ModelContext(store.container)
            #expect(try await reader.fetch(FetchDescriptor<Lock>()).map { $0.key?.number } == [1])
        }
    }

    @Test func `a new object does not take over one whose former owner cannot be loaded`() async throws {
        try await withModelStore(Lock.self, Key.self, Ring.self) { store in
            let setup = ModelContext(store.container)
            setup.insert(Ring("old", keys: [Key(1, lock: Lock("a"))]))
            try await setup.save()
            let context = ModelContext(store.container)
            context.lazyLoading = .forbidden
            var descriptor = FetchDescriptor<Key>()
            descriptor.propertiesToFetch = [\.number]
            let ring = Ring("new", keys: try await context.fetch(descriptor))
            context.insert(ring)
            #expect(ring.keys.isEmpty)
            await expectError(.unfulfilledFault) { try await context.save() }
            try await context.save()
            let reader = ModelContext(store.container)
            #expect(try await reader.fetch(FetchDescriptor<Key>()).map { $0.ring?.name } == ["old"])
            #expect(try await reader.fetchCount(FetchDescriptor<Ring>()) == 2)
        }
    }

    @Test func `a one-to-one partner that cannot be loaded is not left behind`() async throws {
        try await withGraphStore { store in
            let owner = Graph.Owner("o")
            owner.passport = Graph.Passport(1)
            try await store.save(owner, Graph.Passport(2))
            let context = store.context()
            context.lazyLoading = .forbidden
            let fetched = try await context.only(Graph.Owner.self)
            let passports = try await context.all(Graph.Passport.self)
            fetched.passport = passports[1]
            #expect(!context.hasChanges)
            passports[1].owner = fetched
            #expect(!context.hasChanges)
            await expectError(.unfulfilledFault) { try await context.save() }
            context.lazyLoading = .allowed
            fetched.passport = passports[1]
            try await context.save()
            #expect(try await store.reader().only(Graph.Owner.self).passport?.number == 2)
        }
    }
}
