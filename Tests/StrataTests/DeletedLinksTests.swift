import Foundation
import Strata
import Testing

/// What an object had given up before it was deleted is no matter of its delete rules; and who owns what without knowing it.
@Suite struct DeletedLinksTests {
    private typealias Zone = Matrix.Zone
    private typealias Leaf = Matrix.Leaf

    private func withZone(
        _ rule: Matrix.Rule, _ shape: Matrix.Shape, _ body: (ModelStore, ModelContext, Zone, Leaf) async throws -> Void
    ) async throws {
        try await withModelStore(Zone.self, Leaf.self, Matrix.SpecialLeaf.self, Matrix.Twig.self) { store in
            let first = ModelContext(store.container)
            let (zone, leaf) = (Zone("Z"), shape.makeLeaf())
            first.insert(zone)
            first.insert(leaf)
            shape.relate(zone, leaf, rule)
            try await first.save()
            let context = ModelContext(store.container)
            try await body(store, context, try await context.only(Zone.self), try await context.only(Leaf.self))
        }
    }

    private func expectLeaf(_ store: ModelStore, _ leaf: Leaf) async throws {
        #expect(!leaf.isDeleted)
        #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Leaf>()) == 1)
        #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Zone>()) == 0)
    }

    @Test(arguments: [Matrix.Rule.cascade, .deny])
    func `links that were removed before`(rule: Matrix.Rule) async throws {
        try await withZone(rule, .links) { store, context, zone, leaf in
            if rule == .cascade { zone.linksCascade = [] } else { zone.linksDeny = [] }
            context.delete(zone)
            try await context.save()
            try await expectLeaf(store, leaf)
        }
    }

    @Test(arguments: [Matrix.Rule.cascade, .deny])
    func `links that were removed from the other side before`(rule: Matrix.Rule) async throws {
        try await withZone(rule, .links) { store, context, zone, leaf in
            if rule == .cascade { leaf.linksCascade = [] } else { leaf.linksDeny = [] }
            context.delete(zone)
            try await context.save()
            try await expectLeaf(store, leaf)
        }
    }

    @Test(arguments: [Matrix.Rule.cascade, .deny])
    func `a one-way array that was emptied before`(rule: Matrix.Rule) async throws {
        try await withZone(rule, .oneWay) { store, context, zone, leaf in
            if rule == .cascade { zone.oneWayCascade = [] } else { zone.oneWayDeny = [] }
            context.delete(zone)
            try await context.save()
            try await expectLeaf(store, leaf)
        }
    }

    @Test(arguments: [Matrix.Rule.cascade, .deny])
    func `a key that was cleared before`(rule: Matrix.Rule) async throws {
        try await withZone(rule, .kept) { store, context, zone, leaf in
            if rule == .cascade { zone.keptCascade = nil } else { zone.keptDeny = nil }
            context.delete(zone)
            try await context.save()
            try await expectLeaf(store, leaf)
        }
    }

    @Test func `an object that two owners want is in one array, in memory as in the store`() async throws {
        try await withZone(.nullify, .oneWay) { store, context, zone, leaf in
            #expect(zone.oneWayNullify.first === leaf)
            let other = Zone("Y")
            other.oneWayNullify = [leaf]
            context.insert(other)
            try await context.save()
            #expect(zone.oneWayNullify.isEmpty && other.oneWayNullify.first === leaf)
            #expect(!context.hasChanges)
            let third = Zone("X")
            context.insert(third)
            try await context.save()
            zone.oneWayNullify = [leaf]
            third.oneWayNullify = [leaf]
            try await context.save()
            let owners = [zone, other, third].filter { !$0.oneWayNullify.isEmpty }.map(\.name)
            #expect(owners == ["X"])
            let reader = ModelContext(store.container)
            let stored = try await reader.fetch(FetchDescriptor<Zone>())
            #expect(stored.filter { !$0.oneWayNullify.isEmpty }.map(\.name) == ["X"])
        }
    }

    @Test func `an object that changed its owner in a transaction that fails is back`() async throws {
        try await withZone(.nullify, .oneWay) { store, context, zone, leaf in
            #expect(zone.oneWayNullify.first === leaf)
            let other = Zone("Y")
            await expectStop {
                try await context.transaction {
                    other.oneWayNullify = [leaf]
                    context.insert(other)
                    try await context.save()
                    #expect(zone.oneWayNullify.isEmpty)
                    throw Stop()
                }
            }
            #expect(zone.oneWayNullify.first === leaf)
        }
    }
}
