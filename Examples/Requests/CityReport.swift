import SampleTripsModels
import Strata

/// How many trips lead to a city, as it was when somebody last looked.
@Model public final class CityReport: DatabaseView {
    /// The server keeps the rows.
    public static let isMaterialized = true
    /// Counts the trips to each city.
    public static let definition: SQLStatement = """
        SELECT min(\(\Trip.persistentModelID)) AS \(column: \CityReport.persistentModelID),
            \(\Trip.destination) AS \(column: \CityReport.city), count(*) AS \(column: \CityReport.trips)
        FROM \(Trip.self) GROUP BY \(\Trip.destination)
        """
    /// Where the trips lead to.
    public var city: String
    /// How many there are.
    public var trips: Int
}

extension CityReport {
    /// All cities, counted anew.
    public static func renewed(in context: ModelContext) async throws -> [CityReport] {
        try await context.refresh(CityReport.self)
        return try await context.fetch(FetchDescriptor<CityReport>(sortBy: [SortDescriptor(\.city)]))
    }
}
