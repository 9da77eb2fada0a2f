import Foundation
import Observation
import SampleTripsModels
import Strata

/// Living on the history: results that come again, an index that is brought up to date, a consumer with a place of its own.
struct ObservingSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Observing")
        try await results()
        try await board()
        try await news()
        try await index()
        try await merge()
        try await consumer()
        try await retention()
    }

    private func results() async throws {
        let context = ModelContext(container)
        let descriptor = FetchDescriptor<Trip>(
            predicate: #Predicate { $0.destination == "Lisbon" }, sortBy: [SortDescriptor(\.name)])
        var count = 0
        for try await trips in container.results(of: descriptor) {
            report.show("to Lisbon: \(trips.map(\.name))")
            count += 1
            guard trips.isEmpty else { break }
            context.insert(
                Trip(name: "Lisbon in May", destination: "Lisbon", startDate: day(2028, 5, 1), endDate: day(2028, 5, 4))
            )
            try await context.save()
        }
        report.expect(count == 2, "a result comes again when somebody has changed it")
    }

    private func board() async throws {
        let board = TripBoard(container)
        try await board.open()
        await board.plan("Winter light", to: "Tromsø")
        let planned = await board.next { $0.contains { $0 == "Tromsø: Winter light" } }
        report.expect(!planned.isEmpty, "an observer shows what is unsaved in its context, in sections")
        await board.forget()
        let forgotten = await board.next { !$0.contains { $0.hasPrefix("Tromsø") } }
        report.expect(!forgotten.isEmpty, "and what is taken back")
        try await container.withContext { context in
            context.insert(
                Trip(name: "Malmö", destination: "Malmö", startDate: day(2030, 2, 1), endDate: day(2030, 2, 2)))
        }
        let saved = await board.next { $0.contains("Malmö: Malmö") }
        report.expect(!saved.isEmpty, "and what others save")
    }

    private func news() async throws {
        let count = try await Self.countOfNews(container)
        report.expect(count == 1, "a history observer counts what concerns its classes")
    }

    /// On the actor on which the observer moves.
    @MainActor private static func countOfNews(_ container: ModelContainer) async throws -> Int {
        let observer = try await HistoryObserver(observedModels: [Trip.self], modelContainer: container)
        try await container.withContext { context in
            let inMalmo = FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "Malmö" })
            for trip in try await context.fetch(inMalmo) { context.delete(trip) }
        }
        for await counter in Observations({ observer.eventCounter }) where counter > 0 { return counter }
        return 0
    }

    private func index() async throws {
        let context = ModelContext(container)
        let token = try await container.currentHistoryToken()
        context.insert(
            Trip(name: "Turin in March", destination: "Turin", startDate: day(2028, 3, 1), endDate: day(2028, 3, 4)))
        try await context.save()

        var index: [PersistentIdentifier: String] = [:]
        let outcome = try await context.catchUp(from: token) { page in
            for change in page.transactions.flatMap(\.changes) {
                let trip: Trip? = try await context.existingModel(for: change.changedPersistentIdentifier)
                index[change.changedPersistentIdentifier] = trip?.name
            }
        }
        switch outcome {
        case .upToDate:
            report.expect(index.values.contains("Turin in March"), "an index catches up with what happened since")
        case .expired: report.expect(false, "the history since then was deleted: build the index anew")
        }
        report.expect(outcome.token > token, "and keeps the token it was given")
    }

    private func merge() async throws {
        let context = ModelContext(container)
        let token = try await container.currentHistoryToken()
        let lisbon = FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Lisbon in May" })
        let trip = try await context.fetch(lisbon)[0]
        let other = ModelContext(container)
        try await other.fetch(lisbon)[0].destination = "Porto"
        try await other.save()

        let next = try await context.mergeHistory(after: token)
        report.expect(trip.destination == "Porto", "a context takes in what others have changed")
        report.expect(next > token, "up to a token")
    }

    private func consumer() async throws {
        let consumer = container.historyConsumer("newsletter", of: Trip.self)
        let handled = try await consumer.catchUp { transactions, context in
            // What is changed in this context is committed together with the consumer's place.
        }
        report.expect(handled > 0, "a consumer keeps its place in the database: \(handled) transactions")
        let again = try await consumer.catchUp { _, _ in }
        report.expect(again == 0, "so that it is given each one once, also after a crash")
    }

    private func retention() async throws {
        try await container.partitionHistory(every: .seconds(7 * 86_400))
        let monthAgo = Date.now.addingTimeInterval(-30 * 86_400)
        let pruned = try await container.pruneHistory(olderThan: monthAgo, keepingAtMost: 10_000_000)
        report.show("deleted \(pruned.transactions) transactions, the longest slice took \(pruned.longestSlice)")
        report.expect(!pruned.wasLeftToAnother, "what is too old or too much is deleted in slices")
    }
}
