import Strata
import StrataClient

/// Runs of the differential test, one after the other in one database; shortens the list of a run that found something.
final class GraphTrial {
    static let contexts = 3

    private let container: ModelContainer
    private let other: PostgresConnection
    private var performed: [String: Int] = [:]

    init(_ container: ModelContainer, _ other: PostgresConnection) {
        self.container = container
        self.other = other
    }

    /// What a run found.
    struct Finding: CustomStringConvertible {
        let seed: UInt64
        let difference: String
        let steps: [GraphStep]

        var description: String {
            "seed \(seed), \(steps.count) steps:\n" + steps.map { "  \($0)" }.joined(separator: "\n")
                + "\n\(difference)"
        }
    }

    /// How often each kind of step meant something.
    var summary: String {
        performed.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }

    /// - Returns: `nil` if there was no difference.
    func run(seed: UInt64, steps count: Int, features: Set<GraphFeature> = GraphFeature.all) async throws -> Finding? {
        var generator = GraphStepGenerator(seed: seed, features: features)
        var steps: [GraphStep] = []
        let run = try begin()
        for _ in 0..<count {
            let step = generator.next(run.reference)
            steps.append(step)
            do { try await run.perform(step) } catch let difference as GraphDifference {
                let (shorter, found) = try await shorten(steps, difference)
                return Finding(seed: seed, difference: found.description, steps: shorter)
            }
        }
        performed.merge(run.performed) { $0 + $1 }
        return nil
    }

    /// The first difference of these steps, on empty tables.
    func difference(of steps: [GraphStep]) async throws -> GraphDifference? {
        let run = try begin()
        for step in steps {
            do { try await run.perform(step) } catch let difference as GraphDifference { return difference }
        }
        return nil
    }

    private func begin() throws -> GraphRun {
        let machine = GraphMachine(container, contexts: Self.contexts, other: other)
        try machine.emptyTables()
        return GraphRun(machine, contexts: Self.contexts)
    }

    // MARK: Shortening

    /// Leaves out steps as long as there still is a difference: many at once first, then one by one.
    private func shorten(
        _ steps: [GraphStep], _ difference: GraphDifference
    ) async throws -> ([GraphStep], GraphDifference) {
        var (best, found) = (steps, difference)
        var replays = 0
        var size = max(1, best.count / 2)
        while replays < 2000 {
            var start = 0
            var hasShortened = false
            while start < best.count, replays < 2000 {
                var candidate = best
                candidate.removeSubrange(start..<min(start + size, best.count))
                replays += 1
                if let other = try await self.difference(of: candidate) {
                    (best, found, hasShortened) = (candidate, other, true)
                } else {
                    start += size
                }
            }
            if size == 1 && !hasShortened { break }
            size = max(1, size / 2)
        }
        for index in best.indices { (best, found) = try await shortenTransaction(at: index, best, found) }
        return (best, found)
    }

    private func shortenTransaction(
        at index: Int, _ steps: [GraphStep], _ difference: GraphDifference
    ) async throws -> ([GraphStep], GraphDifference) {
        let inner: [GraphStep]
        let outer: ([GraphStep]) -> GraphStep
        switch steps[index] {
        case .transaction(let c, let steps, let fails): (inner, outer) = (steps, { .transaction(c, $0, fails: fails) })
        case .undo(let c, let steps, let redoes): (inner, outer) = (steps, { .undo(c, $0, redoes: redoes) })
        case .undoSaved(let c, let steps, let saves, let redoes, let reads):
            (inner, outer) = (steps, { .undoSaved(c, $0, saves: saves, redoes: redoes, reads: reads) })
        default: return (steps, difference)
        }
        var (best, found, kept) = (steps, difference, inner)
        for place in inner.indices.reversed() {
            var fewer = kept
            fewer.remove(at: place)
            var candidate = best
            candidate[index] = outer(fewer)
            if let other = try await self.difference(of: candidate) { (best, found, kept) = (candidate, other, fewer) }
        }
        return (best, found)
    }
}
