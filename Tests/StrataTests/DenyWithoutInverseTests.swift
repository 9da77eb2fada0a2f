import Strata
import StrataTestSupport
import Testing

/// A relationship that forbids a deletion, whose targets know nothing of it, in a schema that has no other rule.
@Suite struct DenyWithoutInverseTests {
    @Test(arguments: [false, true]) func `both ends go in one save, whatever their names`(ownersFirst: Bool)
        async throws
    {
        try await withModelStore(Zebra.self, Stripe.self, WideStripe.self, Antelope.self, Spot.self) { store in
            let context = ModelContext(store.container)
            let zebra = Zebra(stripes: [Stripe(1), WideStripe(2)])
            let antelope = Antelope(spots: [Spot(1), Spot(2)])
            context.insert(zebra)
            context.insert(antelope)
            try await context.save()
            let (stripes, spots) = (zebra.stripes, antelope.spots)
            func deleteOwners() {
                context.delete(zebra)
                context.delete(antelope)
            }
            if ownersFirst { deleteOwners() }
            for stripe in stripes { context.delete(stripe) }
            for spot in spots { context.delete(spot) }
            if !ownersFirst { deleteOwners() }
            try await context.save()
            let reader = ModelContext(store.container)
            #expect(try await reader.fetchCount(FetchDescriptor<Zebra>()) == 0)
            #expect(try await reader.fetchCount(FetchDescriptor<Stripe>()) == 0)
            #expect(try await reader.fetchCount(FetchDescriptor<Antelope>()) == 0)
            #expect(try await reader.fetchCount(FetchDescriptor<Spot>()) == 0)
        }
    }

    @Test func `what was refused is carried out once the targets go too`() async throws {
        try await withModelStore(Zebra.self, Stripe.self, WideStripe.self) { store in
            let writer = ModelContext(store.container)
            writer.insert(Zebra(stripes: [Stripe(1)]))
            try await writer.save()
            let context = ModelContext(store.container)
            context.delete(try await context.only(Zebra.self))
            await expectError(.deleteDenied) { try await context.save() }
            context.delete(try await context.only(Stripe.self))
            try await context.save()
            #expect(try await writer.fetchCount(FetchDescriptor<Zebra>()) == 0)
        }
    }
}

// The names decide which table is first where nothing else does.

@Model private final class Zebra {
    @Relationship(.ordered, deleteRule: .deny) var stripes: [Stripe]

    init(stripes: [Stripe]) { self.stripes = stripes }
}

@Model private class Stripe {
    var number: Int

    init(_ number: Int) { self.number = number }
}

@Model private final class WideStripe: Stripe {
    var width = 2.0
}

@Model private final class Antelope {
    @Relationship(deleteRule: .deny) var spots: [Spot]

    init(spots: [Spot]) { self.spots = spots }
}

@Model private final class Spot {
    var number: Int

    init(_ number: Int) { self.number = number }
}
