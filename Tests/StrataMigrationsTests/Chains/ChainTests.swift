import Foundation
import StrataTestSupport
import Testing

@testable import StrataMigrations

/// Stage by stage, at once, from any version, from files, by psql, interrupted: one database, and every object in it.
@Suite("Chains") struct ChainTests {
    static let walks = (1...12).map { ChainWalk(seed: $0) }
    private static let walked = WalkedChains()

    @Test(arguments: walks) func `all ways lead to the same database`(walk: ChainWalk) async throws {
        let (proof, expected) = try await Self.walked.stepwise(walk)
        proof.lint()
        try await proof.squashed(expected)
        try await proof.fresh(expected)
        try await proof.skipping(expected)
        try await proof.files(expected)
    }

    @Test(arguments: walks) func `what has a way back goes there and comes again`(walk: ChainWalk) async throws {
        let (proof, expected) = try await Self.walked.stepwise(walk)
        try await proof.downAndUp(expected)
    }

    @Test(.enabled(if: Psql.program != nil), arguments: walks.prefix(4))
    func `psql takes the files of a chain`(walk: ChainWalk) async throws {
        let (proof, expected) = try await Self.walked.stepwise(walk)
        try await proof.psql(expected)
    }

    /// Chains with hierarchies; each of the other walks is longer than these need be.
    @Test(
        .enabled(if: isSoak, "make soak"),
        arguments: [
            ["flat", "split", "leaf", "middle"], ["flat", "raised", "leaf", "split"], ["flat", "split", "renamed"],
        ])
    func `a run that ends after every step loses nothing`(shapes: [String]) async throws {
        let proof = try ChainProof(try Self.trips(shapes), title: "killed")
        try await proof.killed(try await proof.stepwise())
    }

    /// The sample's versions as they are kept with its migrations, without the closures that its plan runs between them: there
    /// are no duplicates.
    @Test func `the sample's versions lead to one database`() async throws {
        let proof = try ChainProof(try Self.sampleTrips(), title: "sample")
        proof.lint()
        let expected = try await proof.stepwise()
        try await proof.squashed(expected)
        try await proof.skipping(expected)
        try await proof.files(expected)
        if isSoak { try await proof.killed(expected) }
    }

    private static func sampleTrips() throws -> Chain {
        let item = ["details": "", "hasReservation": "true", "isInPlan": "false"]
        var objects = [
            StoredObject("BucketListItem", 7, item.merging(["title": "Louvre", "trip": "3"]) { $1 }),
            StoredObject("BucketListItem", 8, item.merging(["title": "Nowhere"]) { $1 }),
            StoredObject(
                "LivingAccommodation", 2,
                ["placeName": "Ritz", "address": "Place Vendôme", "isConfirmed": "false", "trip": "3"]),
        ]
        for (key, name) in [(3, "Paris"), (4, "Kyoto")] {
            objects.append(
                StoredObject(
                    "Trip", Int64(key),
                    [
                        "name": name, "destination": name, "start_date": "2026-01-0\(key) 00:00:00",
                        "end_date": "2026-02-0\(key) 12:30:00.25",
                    ]))
        }
        var chain = Chain(versions: [], stages: [], objects: [])
        chain.append(try sampleVersion(1), objects: objects)
        objects.rename("Trip", "start_date", "startDate")
        objects.rename("Trip", "end_date", "endDate")
        chain.append(try sampleVersion(2), objects: objects)
        chain.append(try sampleVersion(3), objects: objects)
        chain.append(try sampleVersion(4), objects: objects)
        return chain
    }

    private static func sampleVersion(_ number: Int) throws -> FrozenSchema {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "migrations/schema/V\(number).json")
        return try FrozenSchema(canonicalJSON: String(contentsOf: file, encoding: .utf8), file: file.lastPathComponent)
    }

    /// Trips in these shapes, one version after the other.
    static func trips(_ shapes: [String]) throws -> Chain {
        let pool = ChainPool.trips
        var generator = SeededGenerator(seed: 1)
        var objects = pool.seed(&generator)
        var chain = Chain(versions: [], stages: [], objects: [])
        for (index, shape) in shapes.enumerated() {
            var changes: [SchemaChange] = []
            if index > 0 {
                let edge = try #require(pool.edges(from: shapes[index - 1]).first { $0.to == shape })
                edge.apply(&objects)
                changes = edge.changes
            }
            try chain.append(try #require(pool.shapes[shape]), changes: changes, objects: objects, title: [shape])
        }
        return chain
    }
}
