import Foundation
import Logging
import Strata
import StrataClient
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
        try await withGraphTrial { trial in
            if let finding = try await trial.run(seed: seed, steps: Self.steps) { Issue.record("\(finding)") }
            if isSoak { print("seed \(seed): \(trial.summary)") }
        }
    }
}

/// Runs `body` with a database for the models of ``Yard``.
func withGraphTrial(file: String = #fileID, line: Int = #line, _ body: (GraphTrial) async throws -> Void) async throws {
    try await withTestDatabase(template: .tables(of: Yard.schema), file: file, line: line) { database in
        let log = LineLog(.warning)
        let container = try await ModelContainer(
            opening: Yard.schema, configurations: [ModelConfiguration(url: try #require(database.foundationURL))],
            logger: Logger(label: "graph") { _ in log })
        let other = try await database.connect()
        defer { other.close() }
        do {
            try await body(GraphTrial(container, other))
        } catch {
            await container.close()
            throw error
        }
        await container.close()
        // Of a transaction that is not there to be ended, for example.
        #expect(log.lines.filter { $0.hasPrefix("PostgreSQL: ") } == [], "the server warns of nothing")
    }
}
