import Foundation
import Strata
import Testing

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
