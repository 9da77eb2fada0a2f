import Foundation
import SampleTripsModels
import Strata

/// Several saves as one, with a savepoint.
struct TransactionSection {
    let container: ModelContainer
    let report: Report

    private struct ChangeOfMind: Error {}

    func run() async throws {
        report.section("Transactions")
        let context = ModelContext(container)
        let trips = try await context.fetch(
            FetchDescriptor<PersonalTrip>(predicate: #Predicate { $0.reason == .wellness }))
        try await keepSome(of: trips[0], context)
        try await keepNothing(of: trips[0], context)
        undo(a: trips[0], context)
    }

    private func keepSome(of trip: PersonalTrip, _ context: ModelContext) async throws {
        try await context.transaction {
            trip.destination = "Hévíz"
            try await context.save()
            do {
                try await context.transaction {
                    trip.destination = "Vienna"
                    try await context.save()
                    throw ChangeOfMind()
                }
            } catch is ChangeOfMind {
                report.expect(trip.destination == "Hévíz", "an inner transaction is a savepoint")
            }
        }
        report.expect(try await stored() == ["Hévíz"], "the outer one was committed")
    }

    private func keepNothing(of trip: PersonalTrip, _ context: ModelContext) async throws {
        do {
            try await context.transaction {
                trip.destination = "Vienna"
                try await context.save()
                throw ChangeOfMind()
            }
        } catch is ChangeOfMind {
            report.expect(trip.destination == "Hévíz", "an error rolls everything back, in memory")
        }
        report.expect(try await stored() == ["Hévíz"], "and in the store")
    }

    private func undo(a trip: PersonalTrip, _ context: ModelContext) {
        context.undoManager = ModelUndoManager()
        trip.destination = "Vienna"
        trip.bucketList.append(BucketListItem(title: "Hot springs at night"))
        context.undoManager?.undo()
        report.expect(trip.destination == "Hévíz" && !context.hasChanges, "undo takes changes back")
        context.undoManager?.redo()
        report.expect(trip.destination == "Vienna", "redo makes them again")
        context.rollback()
        context.undoManager = nil
    }

    private func stored() async throws -> [String] {
        try await ModelContext(container)
            .fetch(FetchDescriptor<PersonalTrip>(predicate: #Predicate { $0.reason == .wellness }))
            .map(\.destination)
    }
}
