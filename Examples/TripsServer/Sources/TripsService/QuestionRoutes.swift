import Foundation
import Hummingbird
import SampleTripsModels
import Strata
import StrataHummingbird

extension TripsService {
    /// A search and a report.
    static func addQuestions(to router: Router<BasicStrataRequestContext>) {
        router.get("search") { request, context in
            let asked = request.uri.queryParameters[values: "q"]
            guard asked.count == 1, let words = asked.first.map(String.init), !words.isEmpty else {
                throw Problem(.badRequest, detail: "Say with one ?q= what to look for.")
            }
            return try await context.read { models in
                let descriptor = FetchDescriptor<Trip>(
                    predicate: #Predicate {
                        $0.name.localizedStandardContains(words) || $0.destination.localizedStandardContains(words)
                    }, sortBy: [SortDescriptor(\.startDate)])
                models.rowLimit = 50
                do {
                    return try await models.snapshots(of: descriptor, only: \.name, \.destination, \.startDate)
                } catch SwiftDataError.rowLimitExceeded {
                    throw Problem(.unprocessableContent, detail: "Too many trips fit. Ask for more letters.")
                }
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
