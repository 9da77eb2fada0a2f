import Foundation
import Strata
import StrataTestSupport
import Testing

/// The same random steps on contexts of the library and on a model of it in plain values must never differ.
///
/// `STRATA_GRAPH_SEEDS` (how many seeds), `STRATA_GRAPH_STEPS` (steps for each) and `STRATA_GRAPH_FIRST_SEED` make another
/// run; the soak (`make soak`) has 50 seeds of 2,000 steps.
@Suite struct GraphDifferentialTests {
    private static let seeds: [UInt64] = {
        let first = UInt64(setting("STRATA_GRAPH_FIRST_SEED") ?? 1)
        let count = UInt64(setting("STRATA_GRAPH_SEEDS") ?? (isSoak ? 50 : 4))
        return Array(first..<(first + count))
    }()
    private static let steps = setting("STRATA_GRAPH_STEPS") ?? (isSoak ? 2000 : 600)

    private static func setting(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }

    @Test(arguments: seeds) func `contexts do what the reference model does`(seed: UInt64) async throws {
        try await withTestDatabase(template: .tables(of: Yard.schema)) { database in
            let store = try await GraphTrialStore(database)
            let trial = store.trial()
            if let finding = try await trial.run(seed: seed, steps: Self.steps) { Issue.record("\(finding)") }
            if isSoak { print("seed \(seed): \(trial.summary)") }
            await store.close()
            #expect(store.warnings == [], "the server warns of nothing")
        }
    }
}
