import Foundation
import SampleTripsModels
import Strata

/// Changing many objects without loading them.
struct UpdatingSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Updating by predicate")
        let context = ModelContext(container)
        let business = try await context.fetch(FetchDescriptor<BusinessTrip>(sortBy: [SortDescriptor(\.name)]))
        let before = business.map(\.perdiem)

        let update = try context.update(
            model: BusinessTrip.self, where: #Predicate { $0.perdiem < 100 },
            .add(5, to: \.perdiem), .set(\.destination, to: "Budapest"))
        try await context.save()
        report.expect(update.count == before.filter { $0 < 100 }.count, "many objects are changed in one statement")
        report.expect(
            business.map(\.perdiem) == before.map { $0 < 100 ? $0 + 5 : $0 }, "and those in memory read it again")

        try context.update(
            model: BusinessTrip.self,
            .set(\.perdiem, to: #Expression<BusinessTrip, Double> { $0.perdiem * 2 }), .set(\.destination, from: \.name)
        )
        let doubled = try await context.fetchSum(FetchDescriptor<BusinessTrip>(), of: \.perdiem)
        report.expect(doubled == 2 * business.map(\.perdiem).reduce(0, +), "a query sees it before the save")
        context.rollback()
        report.expect(!context.hasChanges, "and a rollback takes it back")

        let back = try context.update(
            model: BusinessTrip.self, where: #Predicate { $0.destination == "Budapest" }, reportsIdentifiers: true,
            .subtract(5, from: \.perdiem))
        try await context.save()
        report.expect(back.identifiers?.count == update.count, "which objects it were is told on request")
        report.expect(business.map(\.perdiem) == before, "and all is as it was")
    }
}
