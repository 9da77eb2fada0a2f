import Foundation
import Hummingbird
import SampleTripsModels
import Strata
import StrataHummingbird

extension TripsService {
    /// A search and a report.
    static func addQuestions(to router: Router<BasicStrataRequestContext>) {
        router.get("search") { request, context in
            let words = String(request.uri.queryParameters["q"] ?? "")
            guard !words.isEmpty else { throw Problem(.badRequest, detail: "Say with ?q= what to look for.") }
            return try await context.read { models in
                var descriptor = FetchDescriptor<Trip>(
                    predicate: #Predicate {
                        $0.name.localizedStandardContains(words) || $0.destination.localizedStandardContains(words)
                    }, sortBy: [SortDescriptor(\.startDate)])
                descriptor.fetchLimit = 50
                return try await models.snapshots(of: descriptor, only: \.name, \.destination, \.startDate)
            }
        }
        router.get("report") { _, context in
            try await context.read { models in
                try await models.fetch(
                    FetchDescriptor<Trip>(), selecting: .key(\.destination), .count, .maximum(\.startDate),
                    into: CityReport.init)
            }
        }
    }
}

/// What is known of the trips to one place.
struct CityReport: ResponseEncodable, Sendable {
    let destination: String
    let trips: Int
    let lastStart: Date?
}
