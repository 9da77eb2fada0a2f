import Foundation
import SampleTripsModels
import Strata
import Testing

@Suite struct PrefetchTests {
    private func trips(_ number: Int, in store: ModelStore) async throws {
        let context = ModelContext(store.container)
        for index in 0..<number {
            let trip = Trip(name: "T\(index)", destination: "D", startDate: day(index), endDate: day(index + 1))
            trip.bucketList = (0..<3).map { BucketListItem(title: "I\($0)") }
            if index % 2 == 0 { trip.livingAccommodation = LivingAccommodation(placeName: "L\(index)", address: "A") }
            context.insert(trip)
        }
        try await context.save()
        store.recorder.reset()
    }

    @Test func `one path is one more round trip, and nothing is loaded afterwards`() async throws {
        try await withTripStore { store in
            try await trips(4, in: store)
            let context = ModelContext(store.container)
            var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
            descriptor.relationshipKeyPathsForPrefetching = [\.bucketList]
            let trips = try await context.fetch(descriptor)
            #expect(store.recorder.roundTrips == 2)
            #expect(trips.map(\.bucketList.count) == [3, 3, 3, 3])
            #expect(store.recorder.roundTrips == 2)
            #expect(context.lazyLoadCount == 0)
            // For the eye: what a prefetch looks like.
            let sql = try #require(store.recorder.statements.last)
            #expect(sql.contains("FROM \"public\".\"bucket_list_item\""))
            #expect(sql.contains("= ANY("))
        }
    }

    @Test func `objects come in the order of their keys wherever their rows lie`() async throws {
        try await withTripStore { store in
            try await trips(40, in: store)
            // Rows that are written again move behind all others.
            let writer = ModelContext(store.container)
            for (index, item) in try await writer.fetch(FetchDescriptor<BucketListItem>()).enumerated()
            where index % 3 == 0 {
                item.title += "!"
            }
            try await writer.save()
            let context = ModelContext(store.container)
            var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate, order: .reverse)])
            descriptor.relationshipKeyPathsForPrefetching = [\.bucketList]
            for trip in try await context.fetch(descriptor) {
                #expect(trip.bucketList.map { String($0.title.prefix(2)) } == ["I0", "I1", "I2"])
                #expect(trip.bucketList.allSatisfy { $0.trip === trip })
            }
            let sql = try #require(store.recorder.statements.last)
            #expect(!sql.contains("ORDER BY"))
        }
    }

    @Test func `several paths of a level share a round trip`() async throws {
        try await withTripStore { store in
            try await trips(4, in: store)
            let context = ModelContext(store.container)
            var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
            descriptor.relationshipKeyPathsForPrefetching = [\.bucketList, \.livingAccommodation]
            let trips = try await context.fetch(descriptor)
            #expect(store.recorder.roundTrips == 2)
            #expect(store.recorder.statements.count == 3)
            #expect(trips.map { $0.livingAccommodation?.placeName } == ["L0", nil, "L2", nil])
            #expect(trips.map(\.bucketList.count) == [3, 3, 3, 3])
            #expect(context.lazyLoadCount == 0)
            #expect(store.recorder.roundTrips == 2)
        }
    }

    @Test func `a nested path takes no more round trips than one and one a level`() async throws {
        try await withTripStore { store in
            try await trips(3, in: store)
            let context = ModelContext(store.container)
            var descriptor = FetchDescriptor<BucketListItem>()
            descriptor.relationshipKeyPathsForPrefetching = [\.trip?.livingAccommodation, \.trip?.bucketList]
            let items = try await context.fetch(descriptor)
            #expect(store.recorder.roundTrips <= 3)
            let sent = store.recorder.roundTrips
            #expect(items.count == 9)
            #expect(items.allSatisfy { $0.trip?.bucketList.count == 3 })
            #expect(Set(items.compactMap { $0.trip?.livingAccommodation?.placeName }) == ["L0", "L2"])
            #expect(store.recorder.roundTrips == sent)
            #expect(context.lazyLoadCount == 0)
        }
    }

    @Test func `a path through a to-many is written with first`() async throws {
        try await withTripStore { store in
            try await trips(3, in: store)
            let context = ModelContext(store.container)
            var descriptor = FetchDescriptor<Trip>()
            descriptor.relationshipKeyPathsForPrefetching = [\.bucketList.first?.trip]
            let trips = try await context.fetch(descriptor)
            #expect(store.recorder.roundTrips <= 3)
            let sent = store.recorder.roundTrips
            #expect(trips.allSatisfy { trip in trip.bucketList.allSatisfy { $0.trip === trip } })
            #expect(store.recorder.roundTrips == sent)
        }
    }

    @Test func `a nested path goes through garage, vehicles and their garage`() async throws {
        try await withGraphStore { store in
            for name in ["G", "H"] {
                let garage = Graph.Garage(name)
                garage.vehicles = [Graph.Car("C"), Graph.Truck("T")]
                try await store.save(garage)
            }
            let context = store.context()
            var descriptor = FetchDescriptor<Graph.Garage>()
            descriptor.relationshipKeyPathsForPrefetching = [\.vehicles, \.favourite]
            let garages = try await context.fetch(descriptor)
            #expect(store.recorder.roundTrips == 2)
            #expect(garages.allSatisfy { $0.vehicles.count == 2 && $0.favourite == nil })
            #expect(store.recorder.roundTrips == 2)
        }
    }

    @Test func `a relationship of a subclass is prefetched for a fetch of the subclass`() async throws {
        try await withGraphStore { store in
            for index in 0..<3 {
                let car = Graph.Car("C\(index)")
                car.wheels = [Graph.Wheel(1), Graph.Wheel(2)]
                let garage = Graph.Garage("G\(index)")
                garage.vehicles = [car]
                try await store.save(garage)
            }
            let context = store.context()
            var descriptor = FetchDescriptor<Graph.Car>()
            descriptor.relationshipKeyPathsForPrefetching = [\.wheels, \.garage]
            let cars = try await context.fetch(descriptor)
            #expect(store.recorder.roundTrips == 2)
            #expect(cars.allSatisfy { $0.wheels.count == 2 && $0.garage != nil })
            #expect(store.recorder.roundTrips == 2)
        }
    }

    @Test func `a fetch that finds nothing prefetches nothing`() async throws {
        try await withTripStore { store in
            let context = ModelContext(store.container)
            var descriptor = FetchDescriptor<Trip>()
            descriptor.relationshipKeyPathsForPrefetching = [\.bucketList, \.livingAccommodation]
            let trips = try await context.fetch(descriptor)
            #expect(trips.isEmpty)
            #expect(store.recorder.roundTrips == 1)
        }
    }

    @Test func `a path that is no relationship is refused before anything is sent`() async throws {
        try await withTripStore { store in
            let context = ModelContext(store.container)
            for keyPath: PartialKeyPath<Trip> in [\.name, \.name.count, \.bucketList.count] {
                var descriptor = FetchDescriptor<Trip>()
                descriptor.relationshipKeyPathsForPrefetching = [keyPath]
                await expectError(.unsupportedKeyPath) { _ = try await context.fetch(descriptor) }
            }
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func `a prefetch keeps what is unsaved`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Parent("A", children: [Graph.Child("a"), Graph.Child("b")]))
            let context = store.context()
            let parent = try await context.only(Graph.Parent.self)
            let children = try await context.all(Graph.Child.self)
            children[0].parent = nil
            context.delete(children[1])
            let added = Graph.Child("c")
            added.parent = parent
            var descriptor = FetchDescriptor<Graph.Parent>()
            descriptor.relationshipKeyPathsForPrefetching = [\.children]
            _ = try await context.fetch(descriptor)
            #expect(parent.children.map(\.name) == ["c"])
            parent.children.append(children[0])
            _ = try await context.fetch(descriptor)
            #expect(Set(parent.children.map(\.name)) == ["a", "c"])
        }
    }

    @Test func `a prefetch shows what others did, beside what is unsaved`() async throws {
        try await withGraphStore { store in
            let courses = ["a", "b"].map { Graph.Course($0) }
            let students = ["1", "2", "3"].map { Graph.Student($0) }
            students[0].courses = courses
            try await store.save(courses[0], courses[1], students[0], students[1], students[2])
            let context = store.context()
            let own = try await context.fetch(FetchDescriptor<Graph.Course>(sortBy: [SortDescriptor(\.title)]))
            let third = FetchDescriptor<Graph.Student>(predicate: #Predicate { $0.name == "3" })
            let added = try await context.fetch(third)
            own[0].students.append(added[0])

            let other = store.context()
            let theirs = try await other.fetch(FetchDescriptor<Graph.Student>(sortBy: [SortDescriptor(\.name)]))
            theirs[0].courses.removeAll { $0.title == "a" }
            theirs[1].courses = try await other.all(Graph.Course.self)
            try await other.save()

            var descriptor = FetchDescriptor<Graph.Student>(sortBy: [SortDescriptor(\.name)])
            descriptor.relationshipKeyPathsForPrefetching = [\.courses]
            let read = try await context.fetch(descriptor)
            #expect(read.map { Set($0.courses.map(\.title)) } == [["b"], ["a", "b"], ["a"]])
        }
    }
}
