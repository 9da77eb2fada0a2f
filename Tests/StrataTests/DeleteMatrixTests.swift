import Foundation
import Strata
import Testing

/// What delete rules do, whatever is in memory: every rule in every shape of relationship.
@Suite struct DeleteMatrixTests {
    private typealias Zone = Matrix.Zone
    private typealias Leaf = Matrix.Leaf
    private typealias Twig = Matrix.Twig

    /// All shapes and rules of one kind of memory, one after the other in one store.
    @Test(arguments: Matrix.Memory.allCases)
    func `every rule in every shape`(memory: Matrix.Memory) async throws {
        try await withModelStore(Zone.self, Leaf.self, Matrix.SpecialLeaf.self, Twig.self) { store in
            let examples = Matrix.cases.filter { $0.memory == memory }.flatMap { [($0, false), ($0, true)] }
            for (example, withLeaf) in examples {
                do {
                    try await check(example, withLeaf: withLeaf, store)
                } catch {
                    Issue.record("\(example.testDescription): \(error)")
                }
                let context = ModelContext(store.container)
                for leaf in try await context.fetch(FetchDescriptor<Leaf>()) { context.delete(leaf) }
                try await context.save()
                for zone in try await context.fetch(FetchDescriptor<Zone>()) { context.delete(zone) }
                try await context.save()
                #expect(try await context.fetchCount(FetchDescriptor<Twig>()) == 0)
            }
        }
    }

    /// - Parameter withLeaf: whether the leaf is deleted by the same save.
    private func check(_ example: Matrix.Case, withLeaf: Bool, _ store: ModelStore) async throws {
        let comment: Comment = "\(example.testDescription)\(withLeaf ? " with its target" : "")"
        let first = ModelContext(store.container)
        let (newZone, newLeaf) = (Zone("Z"), example.shape.makeLeaf())
        newLeaf.twigs = [Twig("T")]
        first.insert(newZone)
        first.insert(newLeaf)
        example.shape.relate(newZone, newLeaf, example.rule)
        try await first.save()

        let context = ModelContext(store.container)
        context.lazyLoading = .allowed
        let isByPredicate = example.memory == .byPredicate
        var zone: Zone?
        var (leaf, twig): (Leaf?, Twig?)
        if !isByPredicate { zone = try await context.only(Zone.self) }
        if example.memory != .nothing {
            leaf = try await context.only(Leaf.self)
            twig = try await context.only(Twig.self)
        }
        if example.memory == .relationships, let zone {
            #expect(example.shape.targets(zone, example.rule).first === leaf, comment)
        }
        if withLeaf { context.delete(try await context.only(Leaf.self)) }
        if let zone { context.delete(zone) } else { try context.delete(model: Zone.self) }

        let isDenied = example.rule == .deny && !withLeaf
        if isDenied || example.rule == .deny && isByPredicate && withLeaf {
            do {
                try await context.save()
                if isDenied { Issue.record("\(example.testDescription): was not denied") }
            } catch let error as SwiftDataError {
                #expect(error.code == .deleteDenied, comment)
                context.rollback()
                let reader = ModelContext(store.container)
                #expect(try await reader.fetchCount(FetchDescriptor<Zone>()) == 1, comment)
                #expect(try await reader.fetchCount(FetchDescriptor<Leaf>()) == 1, comment)
                #expect(leaf?.isDeleted != true, comment)
                return
            }
            return
        }
        try await context.save()
        #expect(!context.hasChanges, comment)
        let goes = example.rule == .cascade || withLeaf
        let reader = ModelContext(store.container)
        #expect(try await reader.fetchCount(FetchDescriptor<Zone>()) == 0, comment)
        #expect(try await reader.fetchCount(FetchDescriptor<Leaf>()) == (goes ? 0 : 1), comment)
        #expect(try await reader.fetchCount(FetchDescriptor<Twig>()) == (goes ? 0 : 1), comment)
        if let zone { #expect(zone.isDeleted, comment) }
        if let leaf { #expect(leaf.isDeleted == goes && (leaf.modelContext == nil) == goes, comment) }
        if let twig { #expect(twig.isDeleted == goes && (twig.modelContext == nil) == goes, comment) }
        try context.throwUnreportedErrors()
    }
}
