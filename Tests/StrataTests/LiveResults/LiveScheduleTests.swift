import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// Whatever is committed when, the last result of `results(of:)` is what a fetch returns, and none comes twice.
@Suite struct LiveScheduleTests {
    /// Commits that nobody tells of are found with the next look, so that fetches see many of them before any observer reads
    /// of them.
    private func withContainer(_ body: (ModelContainer, TestDatabase) async throws -> Void) async throws {
        try await withTestDatabase("schedule", template: .tables(of: Schema(Live.types))) { database in
            var configuration = ModelConfiguration(url: try #require(database.foundationURL))
            configuration.historyPollInterval = .milliseconds(400)
            let container = try await ModelContainer(for: Schema(Live.types), configurations: configuration)
            do {
                try await body(container, database)
            } catch {
                await container.close()
                throw error
            }
            await container.close()
        }
    }

    @Test(.timeLimit(.minutes(3)), arguments: [1, 2, 3] as [UInt64])
    func `any schedule of commits ends with what a fetch returns, and no result comes twice`(seed: UInt64) async throws
    {
        try await withContainer { container, database in
            var random = SeededGenerator(seed)
            let context = ModelContext(container)
            for bucket in 0..<2 {
                let owner = Live.Owner(name: "owner\(bucket)")
                context.insert(owner)
                for number in 0..<8 {
                    let thing =
                        number % 3 == 0
                        ? Live.Special(bucket: bucket, rank: number * 12, name: "n\(bucket)\(number)a", extra: 0)
                        : Live.Thing(bucket: bucket, rank: number * 12, name: "n\(bucket)\(number)")
                    if number % 2 == 0 { thing.owner = owner }
                    context.insert(thing)
                }
            }
            try await context.save()
            let audience = Live.Audience(12, container)
            defer { audience.leave() }
            try await waitUntil { audience.isComplete }

            let writer = try await database.connect()
            defer { writer.close() }
            for number in 1...60 {
                // Who says that he is a container tells of his commits himself; this one does not.
                let isSilent = Bool.random(using: &random)
                try await writer.run("BEGIN")
                if isSilent { try await writer.run("SET LOCAL strata.process = 'silent'") }
                for statement in statements(number, &random) { try await writer.run(statement) }
                try await writer.run("COMMIT")
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...30, using: &random)))
            }
            #expect(try await audience.stale(container, within: .seconds(10)) == [])
            #expect(audience.repeated == [])
            #expect(audience.failures == [])
        }
    }

    /// A change of something, mostly with values that no other change writes.
    private func statements(_ number: Int, _ random: inout SeededGenerator) -> [String] {
        let bucket = Int.random(in: 0..<2, using: &random)
        let some = "(SELECT pk FROM thing ORDER BY md5(pk::text || '\(number)') LIMIT 1)"
        switch Int.random(in: 0..<11, using: &random) {
        case 0:
            return [
                """
                INSERT INTO thing (pk, class, bucket, rank, name)
                VALUES (\(number + 100_000), 'Thing', \(bucket), \(number), 'new\(number)')
                """
            ]
        case 1: return ["DELETE FROM thing WHERE pk = \(some) AND (SELECT count(*) FROM thing) > 10"]
        case 2: return ["UPDATE thing SET bucket = 1 - bucket, name = 'a\(number)' WHERE pk = \(some)"]
        case 3: return ["UPDATE special SET extra = \(number) WHERE pk = (SELECT min(pk) FROM special)"]
        case 4: return ["UPDATE owner SET name = 'renamed\(number)' WHERE name = 'owner\(bucket)'"]
        case 5:
            return [
                """
                UPDATE owner SET name = 'owner\(bucket)' WHERE name LIKE 'renamed%' AND NOT EXISTS (
                    SELECT FROM owner WHERE name = 'owner\(bucket)')
                """
            ]
        case 6: return ["UPDATE thing SET rank = \(number + 100) WHERE pk = \(some)"]
        case 7: return ["UPDATE thing SET name = name", "DELETE FROM owner WHERE name = ''"]
        // Two of these between two results leave everything as it was.
        case 8: return ["UPDATE thing SET rank = -rank WHERE bucket = \(bucket)"]
        case 9:
            return [
                "UPDATE owner SET name = CASE WHEN name LIKE '%~' THEN left(name, -1) ELSE name || '~' END"
            ]
        default: return ["UPDATE thing SET name = 'x\(number)' WHERE pk = \(some)"]
        }
    }
}
