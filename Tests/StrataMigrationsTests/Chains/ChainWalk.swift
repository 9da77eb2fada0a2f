import StrataModels
import Testing

@testable import StrataMigrations

/// A chain of versions that a seed has made up: a random walk through both pools.
struct ChainWalk: CustomTestStringConvertible {
    let seed: UInt64

    var testDescription: String { "seed \(seed)" }

    /// The versions, the stages, and the objects that each version should have.
    func chain() throws -> Chain {
        var generator = SeededGenerator(seed: seed)
        let pools = [ChainPool.trips, ChainPool.books]
        var shapes = pools.map(\.start)
        var objects = pools.map { $0.seed(&generator) }
        // Not every database begins where the pools do.
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            _ = step(pools, &shapes, &objects, &generator)
        }
        var chain = Chain(versions: [], stages: [], objects: [])
        let count = Int.random(in: 3...6, using: &generator)
        for number in 1...count {
            var changes: [SchemaChange] = []
            if number > 1 { changes = step(pools, &shapes, &objects, &generator) }
            let types = zip(pools, shapes).flatMap { pool, shape in pool.shapes[shape] ?? [] }
            try chain.append(types, changes: changes, objects: objects.flatMap(\.self), title: shapes)
        }
        return chain
    }

    /// One of the schemas changes, or both.
    private func step(
        _ pools: [ChainPool], _ shapes: inout [String], _ objects: inout [[StoredObject]],
        _ generator: inout SeededGenerator
    ) -> [SchemaChange] {
        let moving = [[0], [1], [0, 1]].randomElement(using: &generator) ?? []
        return moving.flatMap { index -> [SchemaChange] in
            guard let edge = pools[index].edges(from: shapes[index]).randomElement(using: &generator) else { return [] }
            shapes[index] = edge.to
            edge.apply(&objects[index])
            return edge.changes
        }
    }
}
