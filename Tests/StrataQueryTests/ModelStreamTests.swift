import Foundation
import SampleTripsModels
import Strata
import StrataModelTestSupport
import Testing

@Suite struct ModelStreamTests {
    private func withTrips(_ count: Int, _ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withTripStore { store in
            let context = ModelContext(store.container)
            for number in 0..<count {
                context.insert(
                    Trip(name: "t\(number)", destination: "Paris", startDate: day(number), endDate: day(number + 1)))
            }
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private let descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])

    @Test func `objects come in order, a page at a time`() async throws {
        try await withTrips(25) { store, context in
            var names: [String] = []
            for try await trip in context.stream(descriptor, pageSize: 10) {
                names.append(trip.name)
                #expect(store.recorder.roundTrips == (names.count + 9) / 10)
            }
            #expect(names == (0..<25).map { "t\($0)" })
            #expect(store.recorder.roundTrips == 3)
        }
    }

    @Test func `a loop that ends reads no further page and holds no connection`() async throws {
        try await withModelStore(Trip.self, BusinessTrip.self, PersonalTrip.self, connections: 1) { store in
            let context = ModelContext(store.container)
            for number in 0..<25 {
                context.insert(
                    Trip(name: "t\(number)", destination: "Paris", startDate: day(number), endDate: day(number + 1)))
            }
            try await context.save()
            store.recorder.reset()
            for try await trip in context.stream(descriptor, pageSize: 10) {
                // The only connection is free.
                trip.destination = "Rome"
                try await context.save()
                if trip.name == "t4" { break }
            }
            #expect(store.recorder.statements.filter { $0.contains("ORDER BY") }.count == 1)
            let rome = "Rome"
            #expect(
                try await context.fetchCount(FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == rome }))
                    == 5)
        }
    }

    @Test func `a stream of nothing ends, and a cancelled one throws`() async throws {
        try await withTrips(0) { _, context in
            for try await _ in context.stream(descriptor) { Issue.record("There is no trip.") }
        }
        try await withTrips(5) { store, _ in
            let container = store.container
            let task = Task {
                let context = ModelContext(container)
                withUnsafeCurrentTask { $0?.cancel() }
                for try await _ in context.stream(FetchDescriptor<Trip>()) { Issue.record("The task is cancelled.") }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func `a limit is refused`() async throws {
        try await withTrips(1) { _, context in
            var descriptor = descriptor
            descriptor.fetchLimit = 3
            await #expect(throws: SwiftDataError.unsupportedFeature) {
                for try await _ in context.stream(descriptor) {}
            }
        }
    }
}
