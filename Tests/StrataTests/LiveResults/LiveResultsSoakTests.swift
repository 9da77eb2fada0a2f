import Foundation
import Strata
import StrataTestSupport
import Testing

/// Three hundred live results beside four writers: afterwards each of them is what a fetch returns.
@Suite(.serialized, .enabled(if: isSoak, "make soak")) struct LiveResultsSoakTests {
    private static let observers = 300
    private static let writers = 4

    @Test(.timeLimit(.minutes(5)), arguments: 1...3)
    func `no result stays behind what many writers save`(run: Int) async throws {
        try await withTestDatabase("live") { database in
            var configuration = ModelConfiguration(url: try #require(database.foundationURL))
            configuration.pool.maximumConnections = 12
            let containers = [
                try await ModelContainer(for: Schema(Live.types), configurations: configuration),
                try await ModelContainer(for: Schema(Live.types), configurations: configuration),
            ]
            do {
                try await soak(containers)
            } catch {
                for container in containers { await container.close() }
                throw error
            }
            for container in containers { await container.close() }
        }
    }

    private func soak(_ containers: [ModelContainer]) async throws {
        let buckets = Self.observers / 6
        let context = ModelContext(containers[0])
        for bucket in 0..<buckets {
            context.insert(Live.Owner(name: "owner\(bucket)"))
            for number in 0..<20 {
                context.insert(
                    number % 3 == 0
                        ? Live.Special(bucket: bucket, rank: number * 5, name: "n\(number)a", extra: number)
                        : Live.Thing(bucket: bucket, rank: number * 5, name: "n\(number)"))
            }
        }
        try await context.save()
        let audience = Live.Audience(Self.observers, containers[0])
        defer { audience.leave() }
        try await waitUntil {
            try await Task.sleep(for: .milliseconds(50))
            return audience.isComplete
        }
        let end = ContinuousClock.now + .seconds(20)
        let saves = try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<Self.writers {
                group.addTask {
                    var saves = 0
                    while ContinuousClock.now < end {
                        if try await Self.write(
                            containers[writer % 2], bucket: Int.random(in: 0..<buckets), of: buckets)
                        {
                            saves += 1
                        }
                        try await Task.sleep(for: .milliseconds(Int.random(in: 1...10)))
                    }
                    return saves
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(saves > 100)
        #expect(try await audience.stale(containers[1], within: .seconds(45)) == [])
        #expect(audience.failures == [])
    }

    /// Changes something at random. False when another writer was faster.
    private static func write(_ container: ModelContainer, bucket: Int, of buckets: Int) async throws -> Bool {
        let context = ModelContext(container)
        let things = try await context.fetch(FetchDescriptor<Live.Thing>(predicate: #Predicate { $0.bucket == bucket }))
        let thing = things.randomElement()
        let rank = Int.random(in: 0..<100)
        switch Int.random(in: 0..<10) {
        case 0, 1:
            context.insert(Live.Thing(bucket: bucket, rank: rank, name: "k\("aoz".randomElement() ?? "a")\(rank)"))
        case 2: context.insert(Live.Special(bucket: bucket, rank: rank, name: "sp\(rank)", extra: 7))
        case 3 where things.count > 15: if let thing { context.delete(thing) }
        case 4: thing?.owner = try await owner("owner\(Int.random(in: 0..<buckets))", context)
        case 5: thing?.bucket = Int.random(in: 0..<buckets)
        case 6: thing?.name = "x\(Bool.random() ? "a" : "b")\(rank)"
        case 7 where rank < 5: try await owner("owner\(bucket)", context)?.name = "renamed\(bucket)"
        case 7: thing?.rank += 1
        default: thing?.rank = rank
        }
        do {
            try await context.save()
            return true
        } catch let error as SwiftDataError
            where error.isRetryable || error.code == .conflict || error.code == .modelNotFound
        {
            return false
        }
    }

    private static func owner(_ name: String, _ context: ModelContext) async throws -> Live.Owner? {
        try await context.fetch(FetchDescriptor<Live.Owner>(predicate: #Predicate { $0.name == name })).first
    }
}
