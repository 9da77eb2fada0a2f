import Foundation
import SampleTripsModels
import Strata

/// A second process that works on the same trips: this program with an argument.
enum Colleague {
    static let argument = "colleague"

    static func start() throws -> Process {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [argument]
        try process.run()
        return process
    }

    /// What the second process does.
    static func work(_ container: ModelContainer) async throws {
        let context = ModelContext(container)
        context.author = "colleague"
        let trips = try await context.fetch(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Autumn in Vienna" }))
        trips[0].destination = "Salzburg"
        try await context.save()
    }
}
