import Foundation
import Observation
import SampleTripsModels
import Strata

/// The trips by destination, as they are now: stored by whomever, or not stored yet.
actor TripBoard {
    private let context: ModelContext
    private var observer: ResultsObserver<Trip, String>?

    init(_ container: ModelContainer) {
        context = ModelContext(container)
    }

    func open() async throws {
        observer = try await ResultsObserver(
            sortBy: [SortDescriptor(\.startDate)], sectionBy: \.destination, modelContext: context)
    }

    var lines: [String] {
        (observer?.sections).map { $0.map { "\($0.title): \($0.map(\.name).joined(separator: ", "))" } } ?? []
    }

    /// Returns the lines that fit, as soon as there are such.
    func next(where fits: @Sendable ([String]) -> Bool) async -> [String] {
        for await lines in Observations({ self.lines }) where fits(lines) { return lines }
        return []
    }

    func plan(_ name: String, to destination: String) {
        context.insert(Trip(name: name, destination: destination, startDate: day(2030, 1, 1), endDate: day(2030, 1, 4)))
    }

    func forget() { context.rollback() }
}
