import Foundation
import SampleTripsModels
import Strata

/// Errors say what failed, where, and what to do.
struct ErrorSection {
    let container: ModelContainer
    let report: Report

    func run() async {
        report.section("Errors")
        let context = ModelContext(container)
        await report.expect(.unsupportedPredicate, "a predicate that SQL cannot express, before anything is sent") {
            _ = try await context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name.count > 5 }))
        }
        await report.expect(.unknownSchema, "a class that is not in the schema") {
            _ = try await context.fetch(FetchDescriptor<Guide>())
        }
        await report.expect(.modelNotFound, "an identifier without a row") {
            let trip = Trip(name: "Gone", destination: "Nowhere", startDate: .now, endDate: .now)
            context.insert(trip)
            _ = try await ModelContext(container).model(for: trip.persistentModelID)
        }
        await report.expect(.invalidIdentifier, "a path that is no identifier of a trip") {
            _ = try await trip(at: "BucketListItem.7.nowhere")
        }
        await report.expect(.loadIssueModelContainer, "a server that is not there; the password is not shown") {
            guard let url = URL(string: "postgres://app:secret@127.0.0.1:1/trips") else { return }
            _ = try await ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))
        }
    }

    /// The trip that a path names, such as `Trip.17.6f9619ff-8b86-d011-b42d-00cf4fc964ff`.
    private func trip(at component: String) async throws -> Trip? {
        let id = try PersistentIdentifier(urlPathComponent: component, of: Trip.self)
        return try await ModelContext(container).existingModel(for: id)
    }
}
