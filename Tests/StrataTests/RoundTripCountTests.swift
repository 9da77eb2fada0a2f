import Foundation
import SampleTripsModels
import Strata
import StrataClient
import Testing

@Model private class Shelf {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Volume.shelf) var volumes: [Volume] = []
    init(name: String) { self.name = name }
}
@Model private final class TallShelf: Shelf { var height = 2.0 }
@Model private final class WideShelf: Shelf { var width = 3.0 }
@Model private final class Volume {
    var title: String
    var shelf: Shelf?
    @Relationship(deleteRule: .cascade, inverse: \Leaf.volume) var leaves: [Leaf] = []
    @Relationship(inverse: \Writer.volumes) var writers: [Writer] = []
    init(title: String) { self.title = title }
}
@Model private final class Leaf {
    var number: Int
    var volume: Volume?
    init(number: Int) { self.number = number }
}
@Model private final class Writer {
    var name: String
    var volumes: [Volume] = []
    init(name: String) { self.name = name }
}

@Suite struct RoundTripCountTests {
    @Test func `a fetch of a hierarchy of three classes is one statement and one round trip`() async throws {
        try await withModelStore(Shelf.self, TallShelf.self, WideShelf.self, Volume.self, Leaf.self, Writer.self) {
            store in
            let context = ModelContext(store.container)
            for number in 0..<30 {
                context.insert(
                    [Shelf(name: "\(number)"), TallShelf(name: "\(number)"), WideShelf(name: "\(number)")][number % 3])
            }
            try await context.save()
            store.recorder.reset()
            let reader = ModelContext(store.container)
            #expect(try await reader.fetch(FetchDescriptor<Shelf>()).count == 30)
            #expect(store.recorder.roundTrips == 1)
            #expect(
                store.recorder.statements == [
                    #"SELECT t0."pk", t0."class", t0."name", t1."height", t2."width" FROM "public"."shelf" AS t0 "#
                        + #"LEFT JOIN "public"."tall_shelf" AS t1 ON t1."pk" = t0."pk" "#
                        + #"LEFT JOIN "public"."wide_shelf" AS t2 ON t2."pk" = t0."pk""#
                ])
            store.recorder.reset()
            #expect(try await reader.fetchCount(FetchDescriptor<Shelf>()) == 30)
            #expect(try await reader.fetchCount(FetchDescriptor<TallShelf>()) == 10)
            #expect(try await reader.fetchIdentifiers(FetchDescriptor<Shelf>()).count == 30)
            #expect(
                store.recorder.statements == [
                    #"SELECT count(*) FROM "public"."shelf" AS t0"#,
                    #"SELECT count(*) FROM "public"."tall_shelf" AS t0"#,
                    #"SELECT t0."pk", t0."class" FROM "public"."shelf" AS t0"#,
                ])
        }
    }

    @Test(arguments: [1, 10, 5000]) func `a new graph is one round trip, whatever its size`(size: Int) async throws {
        try await withModelStore(Shelf.self, TallShelf.self, WideShelf.self, Volume.self, Leaf.self, Writer.self) {
            store in
            let context = ModelContext(store.container)
            let writers = (0..<3).map { Writer(name: "W\($0)") }
            for number in 0..<size {
                let volume = Volume(title: "V\(number)")
                volume.leaves = [Leaf(number: 1), Leaf(number: 2)]
                volume.writers = Array(writers.prefix(number % 4))
                let shelf = number.isMultiple(of: 2) ? TallShelf(name: "S") : WideShelf(name: "S")
                shelf.volumes = [volume]
                context.insert(shelf)
            }
            try await context.save()
            // Keys are reserved in the background, for many objects at once; a connection that was idle for long is asked
            // whether it is alive.
            let flushes = store.recorder.flushes.filter { !$0.allSatisfy { $0.isEmpty || $0.contains("nextval") } }
            #expect(flushes.count == 1, "\(flushes.map { $0.map { $0.prefix(90) } })")
            // BEGIN, the author, six tables (shelf, tall, wide, volume, leaf, writer), the pairs, the token, COMMIT.
            #expect(flushes.joined().count <= 11)
            let reader = ModelContext(store.container)
            #expect(try await reader.fetchCount(FetchDescriptor<Leaf>()) == 2 * size)

            store.recorder.reset()
            var descriptor = FetchDescriptor<Shelf>()
            descriptor.relationshipKeyPathsForPrefetching = [\.volumes.first?.leaves, \.volumes.first?.writers]
            let shelves = try await reader.fetch(descriptor)
            // The shelves, their volumes, then leaves and writers of all volumes at once.
            #expect(store.recorder.roundTrips == 3)
            #expect(store.recorder.statements.count == 4)
            #expect(shelves.allSatisfy { $0.volumes[0].leaves.count == 2 })
            let written = shelves.map { $0.volumes[0].writers.count }.sorted()
            let expected = (0..<size).map { $0 % 4 }.sorted()
            #expect(written == expected)
            #expect(store.recorder.statements.count == 4)
            #expect(reader.lazyLoadCount == 0)

            store.recorder.reset()
            for shelf in shelves { reader.delete(shelf) }
            try await reader.save()
            #expect(store.recorder.roundTrips == 1)
            #expect(try await context.fetchCount(FetchDescriptor<Leaf>()) == 0)
        }
    }

    @Test func `a new graph with unique constraints is two round trips`() async throws {
        try await withTripStore("unique") { store in
            let context = ModelContext(store.container)
            for number in 0..<1000 {
                let trip = Trip(name: "\(number)", destination: "D", startDate: day(number), endDate: day(number))
                trip.bucketList = [BucketListItem(title: "x")]
                context.insert(trip)
            }
            try await context.save()
            #expect(store.recorder.roundTrips == 2)
            store.recorder.reset()
            try await context.save()
            #expect(store.recorder.roundTrips == 0)
            for trip in try await context.fetch(FetchDescriptor<Trip>()) { trip.destination = "E" }
            store.recorder.reset()
            try await context.save()
            #expect(store.recorder.roundTrips == 1)
            // BEGIN, the author, UPDATE, the token, COMMIT.
            #expect(store.recorder.statements.count == 5)
        }
    }
}
