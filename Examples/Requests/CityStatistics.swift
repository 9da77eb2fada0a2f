import Foundation
import SampleTripsModels
import Strata

/// What the trips to a city come to: the rows of a view.
@Model final class CityStatistics: DatabaseView {
    static let definition: SQLStatement = """
        SELECT min(\(\Trip.persistentModelID)) AS \(column: \CityStatistics.persistentModelID),
            \(\Trip.destination) AS \(column: \CityStatistics.city),
            count(*) AS \(column: \CityStatistics.trips),
            min(\(\Trip.persistentModelID)) AS \(column: \CityStatistics.firstTrip)
        FROM \(Trip.self) GROUP BY \(\Trip.destination)
        """
    var city: String
    var trips: Int
    var firstTrip: Trip?
}

/// The cities to which several trips lead.
func busyCities(_ context: ModelContext) async throws -> [CityStatistics] {
    let busy = FetchDescriptor<CityStatistics>(
        predicate: #Predicate { $0.trips > 1 }, sortBy: [SortDescriptor(\.city)])
    let cities = try await context.fetch(busy)
    return cities
}
