import Foundation
import SampleTripsModels
import Strata

/// Who changed what: transactions and their changes, tombstones, and what another process does, as it happens.
struct HistorySection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("History")
        try await verify()
        try await who()
        try await what()
        try await sinceLastTime()
        try await tombstone()
        try await live()
    }

    private func verify() async throws {
        // Tables that are older than their history get its triggers only when somebody says so: that stops their writers for a
        // moment.
        for finding in try await container.verifyHistory() { report.show("\(finding)") }
        try await container.repairHistory()
        report.expect(
            try await container.verifyHistory().isEmpty, "every table has its triggers, and they are switched on")
    }

    private func who() async throws {
        let context = ModelContext(container)
        context.author = "Ada"
        context.historyContext = ["request": "4711"]
        context.insert(
            Trip(
                name: "Autumn in Vienna", destination: "Vienna", startDate: day(2027, 10, 2), endDate: day(2027, 10, 5))
        )
        try await context.save()

        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        descriptor.sortBy = [.init(\.transactionIdentifier, order: .reverse)]
        descriptor.fetchLimit = 1
        let newest = try await context.fetchHistory(descriptor)[0]
        report.expect(newest.author == "Ada", "the newest transaction says who made it")
        report.expect(newest.context["request"] == "4711", "and what the application noted")
        report.expect(
            newest.processIdentifier == container.processIdentifier, "and which process: \(newest.processIdentifier)")
        report.expect(try await isEnd(newest.token, in: context), "and its token is where to go on")
    }

    private func isEnd(_ token: DefaultHistoryToken, in context: ModelContext) async throws -> Bool {
        try await context.fetchHistory(after: token, limit: 1).transactions.isEmpty
    }

    private func what() async throws {
        let context = ModelContext(container)
        let token = try await container.currentHistoryToken()
        let trips = try await context.fetch(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Autumn in Vienna" }))
        trips[0].destination = "Graz"
        try await context.save()

        let transactions = try await context.fetchHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
        for change in transactions.flatMap(\.changes) {
            switch change {
            case .insert(let insert): report.show("new: \(insert.changedPersistentIdentifier.entityName)")
            case .update(let update as DefaultHistoryUpdate<Trip>):
                report.expect(
                    update.updatedPropertyNames == ["destination"], "an update names what was changed, without values")
            case .update(let update): report.show("changed: \(update.changedPersistentIdentifier.entityName)")
            case .delete(let delete): report.show("gone: \(delete.changedPersistentIdentifier.entityName)")
            }
        }
        report.expect(transactions.count == 1, "after a token comes what was committed since, and nothing twice")
    }

    private func sinceLastTime() async throws {
        let context = ModelContext(container)
        let historyToken = try await container.currentHistoryToken()
        let trip = Trip(
            name: "Winter in Oslo", destination: "Oslo", startDate: day(2028, 1, 8), endDate: day(2028, 1, 12))
        context.insert(trip)
        try await context.save()
        trip.bucketList.append(
            BucketListItem(title: "Fram", details: "The ship", hasReservation: false, isInPlan: true))
        try await context.save()

        let tokenPredicate = #Predicate<DefaultHistoryTransaction> { $0.token > historyToken }
        let entityNames = ["LivingAccommodation", "BucketListItem"]
        let changesPredicate = #Predicate<DefaultHistoryTransaction> {
            $0.changes.contains { change in
                entityNames.contains(change.changedPersistentIdentifier.entityName)
            }
        }
        let fullPredicate = #Predicate<DefaultHistoryTransaction> {
            tokenPredicate.evaluate($0)
                && changesPredicate.evaluate($0)
        }
        let historyDesc = HistoryDescriptor<DefaultHistoryTransaction>(predicate: fullPredicate)
        let transactions = try await context.fetchHistory(historyDesc)
        report.expect(transactions.count == 1, "a predicate keeps to the entities one cares for")
    }

    private func tombstone() async throws {
        let context = ModelContext(container)
        context.author = "Grace"
        let token = try await container.currentHistoryToken()
        let trips = try await context.fetch(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Winter in Oslo" }))
        context.delete(trips[0])
        try await context.save()

        let transactions = try await context.fetchHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(
                predicate: #Predicate { $0.token > token && $0.author == "Grace" }))
        for change in transactions[0].changes {
            guard case .delete(let deletion as DefaultHistoryDelete<Trip>) = change else { continue }
            report.expect(
                deletion.tombstone[\.name] as? String == "Winter in Oslo",
                "the tombstone of a deleted trip has its name")
            report.expect(deletion.tombstone[\.startDate] as? Date == day(2028, 1, 8), "and its first day")
        }
        report.expect(
            transactions[0].changes.count == 2, "what the rule .cascade took along is in the same transaction")
    }

    private func live() async throws {
        let context = ModelContext(container)
        let token = try await container.currentHistoryToken()
        let colleague = try Colleague.start()
        for try await transaction in container.history(
            after: token, of: Trip.self, authors: ["colleague"], origin: .remote)
        {
            let changed = transaction.changes.map(\.changedPersistentIdentifier)
            let trip: Trip? = try await context.existingModel(for: changed[0])
            print("  \(transaction.processIdentifier) has changed \(trip?.name ?? "a trip that is gone")")
            break
        }
        colleague.waitUntilExit()
        let seen = try await context.fetchHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(
                predicate: #Predicate { $0.token > token && $0.author == "colleague" }))
        report.expect(
            !seen.isEmpty && seen.allSatisfy { $0.processIdentifier != container.processIdentifier },
            "another process's change arrives as it is committed")
        let salzburg = #Predicate<Trip> { $0.destination == "Salzburg" }
        let count = try await context.fetchCount(FetchDescriptor(predicate: salzburg))
        report.expect(count == 1, "and can be fetched")
    }
}
