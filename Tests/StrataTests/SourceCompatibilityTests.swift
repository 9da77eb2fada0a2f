import Foundation
import StrataTestSupport
import SwiftData
import Testing

/// Source as it is written for SwiftData, with nothing but its import.
enum Journeys {
    @Model
    final class Journey {
        @Attribute(.unique) var name: String
        var destination: String
        var startDate: Date
        var endDate: Date
        @Attribute(.externalStorage) var picture: Data?
        @Transient var isShown = false
        @Relationship(deleteRule: .cascade, inverse: \Stop.journey) var stops: [Stop]? = []
        var lodging: Lodging?

        init(name: String, destination: String, startDate: Date = .now, endDate: Date = .distantFuture) {
            self.name = name
            self.destination = destination
            self.startDate = startDate
            self.endDate = endDate
        }
    }

    @Model
    final class Stop {
        var title: String
        var journey: Journey?
        init(title: String) { self.title = title }
    }

    @Model
    final class Lodging {
        var name: String
        var journey: Journey?
        init(name: String) { self.name = name }
    }
}

/// The spellings of the first beta.
@available(*, deprecated, message: "spellings of the first beta")
enum BetaJourneys {
    @Model
    final class Journey {
        var name: String
        @Relationship(.cascade, inverse: \Stop.journey) var stops: [Stop] = []
        init(name: String) { self.name = name }
    }

    @Model
    final class Stop {
        var title: String
        var journey: Journey?
        init(title: String) { self.title = title }
    }
}

@Suite struct SourceCompatibilityTests {
    private func withContext(_ body: (ModelContext) throws -> Void) async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            let schema = Schema([Journeys.Journey.self, Journeys.Stop.self, Journeys.Lodging.self])
            let configuration = ModelConfiguration(
                "journeys", schema: schema, url: url, cloudKitDatabase: .private("iCloud.x"))
            let container = try await ModelContainer(for: schema, configurations: [configuration])
            do {
                try body(ModelContext(container))
            } catch {
                await container.close()
                throw error
            }
            await container.close()
        }
    }

    @Test func `source written for SwiftData compiles and runs`() async throws {
        try await withContext { context in
            let journey = Journeys.Journey(name: "Summer", destination: "Lyon")
            journey.stops = [Journeys.Stop(title: "Dijon")]
            journey.stops?.append(Journeys.Stop(title: "Mâcon"))
            journey.lodging = Journeys.Lodging(name: "Hotel")
            context.insert(journey)
            if context.hasChanges { try context.save() }

            let today = Date.now
            let predicate = #Predicate<Journeys.Journey> { $0.destination == "Lyon" && $0.endDate > today }
            var descriptor = FetchDescriptor<Journeys.Journey>(
                predicate: predicate, sortBy: [SortDescriptor(\.startDate)])
            descriptor.fetchLimit = 10
            descriptor.includePendingChanges = true
            descriptor.relationshipKeyPathsForPrefetching = [\.stops]
            descriptor.propertiesToFetch = [\.name]
            let journeys = try context.fetch(descriptor)
            #expect(journeys.count == 1)
            #expect(journeys.first === journey)
            #expect(journeys.first?.stops?.count == 2)
            #expect(try context.fetchCount(FetchDescriptor<Journeys.Stop>()) == 2)
            try context.enumerate(FetchDescriptor<Journeys.Stop>(), batchSize: 100) { _ in }
            try context.transaction { journey.destination = "Paris" }
            let id = journey.persistentModelID
            #expect(try context.model(for: id).persistentModelID == id)
            #expect(context.registeredModel(for: id) as Journeys.Journey? === journey)
            context.delete(journey)
            context.rollback()
            context.processPendingChanges()
            try context.delete(model: Journeys.Stop.self, where: #Predicate { $0.title == "Dijon" })
            context.delete(journey)
            do { try context.save() } catch SwiftDataError.modelValidationFailure {}
            #expect(try context.fetchCount(FetchDescriptor<Journeys.Journey>()) == 0)
            #expect(!context.autosaveEnabled)
        }
    }

    @available(*, deprecated, message: "spellings of the first beta")
    @Test func `the spellings of the first beta are accepted`() async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            let container = try await ModelContainer(
                for: [BetaJourneys.Journey.self, BetaJourneys.Stop.self], configurations: ModelConfiguration(url: url))
            let context = ModelContext(container)
            let journey = BetaJourneys.Journey(name: "Summer")
            journey.stops = [BetaJourneys.Stop(title: "Dijon")]
            context.insert(object: journey)
            try await context.save()
            context.delete(journey)
            try await context.save()
            #expect(try await context.fetchCount(FetchDescriptor<BetaJourneys.Stop>()) == 0)
            await container.close()
        }
    }
}
