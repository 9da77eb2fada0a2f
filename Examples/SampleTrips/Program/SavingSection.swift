import Foundation
import SampleTripsModels
import Strata

/// Changes, conflicts between two contexts, rollback.
struct SavingSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Changing and conflicts")
        try await change()
        try await differentProperties()
        try await sameProperty()
        try await policies()
        try await retry()
        try await rollback()
    }

    /// The conference, in a context of its own.
    private func conference(in context: ModelContext) async throws -> BusinessTrip {
        var descriptor = FetchDescriptor<BusinessTrip>(predicate: #Predicate { $0.perdiem >= 120 })
        descriptor.fetchLimit = 1
        guard let trip = try await context.fetch(descriptor).first else {
            throw SwiftDataError(.modelNotFound, "The conference is missing: run the program from its start.")
        }
        return trip
    }

    private func change() async throws {
        let context = ModelContext(container)
        let trip = try await conference(in: context)
        trip.perdiem += 10
        report.expect(trip.hasChanges && context.changedModelsArray.count == 1, "a change is noted")
        try await context.save()
        report.expect(try await conference(in: ModelContext(container)).perdiem == 130, "and saved")
    }

    private func differentProperties() async throws {
        let (first, second) = (ModelContext(container), ModelContext(container))
        let mine = try await conference(in: first)
        let theirs = try await conference(in: second)
        mine.destination = "Lisbon"
        theirs.perdiem = 140
        try await first.save()
        try await second.save()
        let saved = try await conference(in: ModelContext(container))
        report.expect(
            saved.destination == "Lisbon" && saved.perdiem == 140, "changes of different properties do not collide")
    }

    private func sameProperty() async throws {
        let (first, second) = (ModelContext(container), ModelContext(container))
        let mine = try await conference(in: first)
        let theirs = try await conference(in: second)
        mine.destination = "Porto"
        theirs.destination = "Madrid"
        try await first.save()
        do {
            try await second.save()
            report.expect(false, "changes of the same property are a conflict")
        } catch let error as SwiftDataError where error == .conflict {
            report.expect(second.hasChanges, "changes of the same property are a conflict; the change is still there")
            for conflict in error.conflicts {
                if let city = conflict.values(of: \BusinessTrip.destination) {
                    report.show("\(conflict.entityName): \(city.before) became \(city.theirs), not \(city.mine)")
                }
            }
            report.expect(error.conflicts.map(\.propertyName) == ["destination"], "the error has the values as data")
            second.rollback()
            try await second.refresh([theirs])
            report.expect(theirs.destination == "Porto", "read again, it shows what the other one wrote")
        }
    }

    private func policies() async throws {
        for (policy, city) in [("overwrite", "Madrid"), ("keepStore", "Faro")] {
            let (first, second) = (ModelContext(container), ModelContext(container))
            second.conflictPolicy = policy == "overwrite" ? .overwrite : .keepStore
            let mine = try await conference(in: first)
            let theirs = try await conference(in: second)
            mine.destination = "Faro"
            theirs.destination = "Madrid"
            try await first.save()
            try await second.save()
            report.expect(theirs.destination == city, "conflictPolicy .\(policy): \(city)")
            let other = ModelContext(container)
            let saved = try await conference(in: other)
            report.expect(saved.destination == city, "in the store too")
            saved.destination = "London"
            try await other.save()
        }
    }

    private func retry() async throws {
        var attempts = 0
        try await container.withContext(attempts: 3) { context in
            attempts += 1
            let trip = try await conference(in: context)
            if attempts == 1 { try await raisePerdiem() }
            trip.perdiem += 1
        }
        let saved = try await conference(in: ModelContext(container))
        report.expect(attempts == 2 && saved.perdiem == 151, "work that met a conflict is done again from its start")
    }

    /// What somebody else does at the same time.
    private func raisePerdiem() async throws {
        let context = ModelContext(container)
        try await conference(in: context).perdiem = 150
        try await context.save()
    }

    private func rollback() async throws {
        let context = ModelContext(container)
        let trip = try await conference(in: context)
        trip.name = "Cancelled"
        context.insert(
            Trip(name: "Mistake", destination: "Nowhere", startDate: day(2027, 1, 1), endDate: day(2027, 1, 2)))
        let pending = try await context.fetchCount(FetchDescriptor<Trip>())
        report.expect(pending == 7, "fetches take unsaved objects into account")
        context.rollback()
        report.expect(!context.hasChanges && trip.name == "Server-side conference", "rollback forgets all of it")
    }
}
