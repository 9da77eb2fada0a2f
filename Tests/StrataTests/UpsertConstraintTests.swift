import Foundation
import Strata
import Testing

@Model private class Pass {
    @Attribute(.unique) var email: String
    @Attribute(.unique) var code: String
    var name: String
    init(_ email: String, _ code: String, name: String = "") {
        self.email = email
        self.code = code
        self.name = name
    }
}

@Model private final class GuestPass: Pass {
    var days: Int = 1
}

/// New objects that meet in several constraints.
@Suite struct UpsertConstraintTests {
    private func withPasses(_ body: (ModelStore) async throws -> Void) async throws {
        try await withModelStore(Pass.self, GuestPass.self) { try await body($0) }
    }

    @Test(arguments: [UniquePolicy.upsert, .ignore])
    func `three new objects that meet in different values are refused`(policy: UniquePolicy) async throws {
        try await withPasses { store in
            let context = ModelContext(store.container)
            context.uniquePolicy = policy
            // In the order in which the one in the middle is not the one that wins.
            let middle = Pass("e1", "c1")
            let ends = [Pass("e1", "c2"), Pass("e2", "c1")]
            for pass in policy == .ignore ? ends + [middle] : [middle] + ends { context.insert(pass) }
            do {
                try await context.save()
                Issue.record("no error")
            } catch let error as SwiftDataError {
                #expect(error.code == .uniqueConstraint)
                #expect(Set(error.identifiers) == Set(ends.map(\.persistentModelID)))
                #expect(error.message.contains("Pass.email") && error.message.contains("Pass.code"))
            }
            #expect(context.insertedModelsArray.count == 3)
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Pass>()) == 0)
            middle.code = "c3"
            middle.email = "e3"
            try await context.save()
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Pass>()) == 3)
        }
    }

    @Test func `several that all meet the one that wins become one`() async throws {
        try await withPasses { store in
            let context = ModelContext(store.container)
            let passes = [Pass("e1", "c2"), Pass("e2", "c1"), Pass("e1", "c1", name: "last")]
            for pass in passes { context.insert(pass) }
            try await context.save()
            let read = try await ModelContext(store.container).fetch(FetchDescriptor<Pass>())
            #expect(read.map(\.name) == ["last"])
            #expect(passes[0].modelContext == nil && passes[1].modelContext == nil)
        }
    }

    @Test func `two new objects that meet only in a stored row are refused`() async throws {
        try await withPasses { store in
            let first = ModelContext(store.container)
            first.insert(Pass("e1", "c1", name: "stored"))
            try await first.save()
            let context = ModelContext(store.container)
            let passes = [Pass("e1", "c9"), Pass("e9", "c1")]
            for pass in passes { context.insert(pass) }
            do {
                try await context.save()
                Issue.record("no error")
            } catch let error as SwiftDataError {
                #expect(error.code == .uniqueConstraint)
                #expect(Set(error.identifiers).isSuperset(of: passes.map(\.persistentModelID)))
            }
            #expect(try await ModelContext(store.container).fetch(FetchDescriptor<Pass>()).map(\.name) == ["stored"])
        }
    }

    @Test func `one that wins over another does not take a row that only the other meets`() async throws {
        try await withPasses { store in
            let first = ModelContext(store.container)
            first.insert(Pass("e1", "c9", name: "stored"))
            try await first.save()
            let context = ModelContext(store.container)
            for pass in [Pass("e1", "c1"), Pass("e2", "c1")] { context.insert(pass) }
            await expectError(.uniqueConstraint) { try await context.save() }
            #expect(try await ModelContext(store.container).fetch(FetchDescriptor<Pass>()).map(\.name) == ["stored"])
        }
    }

    // MARK: Against changed objects

    @Test func `a new object that collides with an unsaved change names both`() async throws {
        try await withPasses { store in
            let first = ModelContext(store.container)
            first.insert(Pass("e1", "c1"))
            try await first.save()
            let context = ModelContext(store.container)
            let stored = try await context.only(Pass.self)
            stored.email = "e2"
            let new = Pass("e2", "c2")
            context.insert(new)
            do {
                try await context.save()
                Issue.record("no error")
            } catch let error as SwiftDataError {
                #expect(error.code == .uniqueConstraint)
                #expect(error.message.contains("Pass.email"))
                #expect(Set(error.identifiers) == [stored.persistentModelID, new.persistentModelID])
            }
            new.email = "e1"
            try await context.save()
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Pass>()) == 2)
        }
    }

    @Test func `a value that is changed and changed back is still taken`() async throws {
        try await withPasses { store in
            let first = ModelContext(store.container)
            first.insert(Pass("e1", "c1"))
            try await first.save()
            let context = ModelContext(store.container)
            let stored = try await context.only(Pass.self)
            stored.email = "e2"
            stored.email = "e1"
            let new = Pass("e1", "c2")
            context.insert(new)
            do {
                try await context.save()
                Issue.record("no error")
            } catch let error as SwiftDataError {
                #expect(error.code == .uniqueConstraint)
                #expect(Set(error.identifiers) == [stored.persistentModelID, new.persistentModelID])
            }
        }
    }
}
