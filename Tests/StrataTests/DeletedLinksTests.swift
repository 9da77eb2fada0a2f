import Foundation
import Strata
import Testing

/// Cannot be without a sheet, and takes it along.
@Model private final class Line {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: nil) var sheet: Sheet
    init(_ name: String, on sheet: Sheet) {
        self.name = name
        self.sheet = sheet
    }
}

@Model private final class Sheet {
    var name: String
    init(_ name: String) { self.name = name }
}

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

    enum Turn: CaseIterable { case stored, new, deleted }

    @Test(arguments: Turn.allCases)
    func `a key that cannot be cleared and was pointed elsewhere before`(turn: Turn) async throws {
        try await withModelStore(Line.self, Sheet.self) { store in
            let first = ModelContext(store.container)
            first.insert(Line("L", on: Sheet("old")))
            first.insert(Line("M", on: Sheet("kept")))
            first.insert(Sheet("other"))
            try await first.save()
            let context = ModelContext(store.container)
            let sheets = try await context.fetch(FetchDescriptor<Sheet>())
            let old = try #require(sheets.first { $0.name == "old" })
            let other = try #require(sheets.first { $0.name == "other" })
            let line = try #require(try await context.fetch(FetchDescriptor<Line>()).first { $0.name == "L" })
            line.sheet = turn == .new ? Sheet("new") : other
            if turn == .deleted { context.delete(other) }
            context.delete(line)
            // A fetch shows what the save will do.
            let left = turn == .new ? ["kept", "old", "other"] : ["kept", "old"]
            let byName = FetchDescriptor<Sheet>(sortBy: [SortDescriptor(\.name)])
            #expect(try await context.fetch(byName).map(\.name) == left)
            try await context.save()
            #expect(!old.isDeleted && !context.hasChanges)
            let reader = ModelContext(store.container)
            #expect(try await reader.fetch(byName).map(\.name) == left)
            #expect(try await reader.fetch(FetchDescriptor<Line>()).map(\.name) == ["M"])
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
