import Foundation
import Strata

@Model
final class Trip {
    @Attribute(.unique) var name: String
    var destination: String
    var startDate: Date

    init(name: String, destination: String, startDate: Date) {
        self.name = name
        self.destination = destination
        self.startDate = startDate
    }
}

@main
struct FirstFetch {
    static func main() async {
        do {
            let container = try await ModelContainer(for: Trip.self)
            let context = ModelContext(container)
            try await addTrips(to: context)

            let city = "Paris"
            let inParis = #Predicate<Trip> { $0.destination == city && $0.name.localizedStandardContains("visit") }
            let query = FetchDescriptor(predicate: inParis, sortBy: [SortDescriptor(\.startDate)])
            for trip in try await context.fetch(query) {
                print(trip.name, trip.startDate.formatted(.iso8601))
            }
            await container.close()
        } catch {
            // Thrown from main, it would come with a crash report of Swift's.
            print(error)
            exit(1)
        }
    }

    static func addTrips(to context: ModelContext) async throws {
        context.insert(Trip(name: "Client visit", destination: "Paris", startDate: .now))
        context.insert(Trip(name: "Spring in Kyoto", destination: "Kyoto", startDate: .now.addingTimeInterval(86_400)))
        try await context.save()
    }
}
