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
    static func main() async throws {
        let container = try await ModelContainer(for: Trip.self)
        let context = ModelContext(container)
        context.insert(Trip(name: "Client visit", destination: "Paris", startDate: .now))
        context.insert(Trip(name: "Spring in Kyoto", destination: "Kyoto", startDate: .now.addingTimeInterval(86_400)))
        try await context.save()

        let city = "Paris"
        let inParis = #Predicate<Trip> { $0.destination == city && $0.name.localizedStandardContains("visit") }
        let trips = try await context.fetch(FetchDescriptor(predicate: inParis, sortBy: [SortDescriptor(\.startDate)]))
        for trip in trips {
            print(trip.name, trip.startDate.formatted(.iso8601))
        }
        await container.close()
    }
}
