import StrataTestSupport

@testable import StrataMigrations

/// The chains that walks make up, each planned and gone through stage by stage once, for all tests of it.
actor WalkedChains {
    private var runs: [UInt64: Task<(ChainProof, CatalogInspection), any Error>] = [:]

    /// The chain of a walk, and the catalogs that its stages lead to one after the other.
    func stepwise(_ walk: ChainWalk) async throws -> (proof: ChainProof, expected: CatalogInspection) {
        if let run = runs[walk.seed] { return try await run.value }
        let run = Task {
            let proof = try ChainProof(try walk.chain(), title: walk.testDescription)
            return (proof, try await proof.stepwise())
        }
        runs[walk.seed] = run
        return try await run.value
    }
}
