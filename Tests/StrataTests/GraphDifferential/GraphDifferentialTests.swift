import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// The same random steps on contexts of the library and on a model of it in plain values must never differ.
///
/// `STRATA_GRAPH_SEEDS` (how many seeds), `STRATA_GRAPH_STEPS` (steps for each) and `STRATA_GRAPH_FIRST_SEED` make a longer
/// run: `STRATA_GRAPH_SEEDS=50 STRATA_GRAPH_STEPS=2000 swift test --filter GraphDifferential`.
@Suite struct GraphDifferentialTests {
    @Test func `contexts do what the reference model does`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seeds = environment["STRATA_GRAPH_SEEDS"].flatMap(Int.init) ?? 4
        let steps = environment["STRATA_GRAPH_STEPS"].flatMap(Int.init) ?? 600
        let first = environment["STRATA_GRAPH_FIRST_SEED"].flatMap(UInt64.init) ?? 1
        try await withGraphTrial { trial in
            for seed in first..<(first + UInt64(seeds)) {
                if let finding = try await trial.run(seed: seed, steps: steps) { Issue.record("\(finding)") }
            }
            if environment["STRATA_GRAPH_SEEDS"] != nil { print(trial.summary) }
        }
    }
}

/// Runs `body` with a database for the models of ``Yard``.
func withGraphTrial(file: String = #fileID, line: Int = #line, _ body: (GraphTrial) async throws -> Void) async throws {
    try await withTestDatabase(file: file, line: line) { database in
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
