import Foundation
import SampleTripsModels
import Strata

/// Shows what Strata does, step by step, and checks each result: the exit code is 1 when one is not as expected.
///
/// With `DATABASE_URL` or `PG*` set it uses that server, otherwise a private one with its data in `.strata/`. All tables lie
/// in a PostgreSQL schema of its own, `sample_trips`.
@main
struct SampleTrips {
    static func main() async throws {
        let report = Report()
        let container = try await open()
        if CommandLine.arguments.contains(Colleague.argument) {
            try await Colleague.work(container)
            return await container.close()
        }
        report.section("A container")
        report.show("\(container.configurations.map(\.description).joined())")
        report.show("entities: \(container.schema.entities.map(\.name).joined(separator: ", "))")

        try await CreatingSection(container: container, report: report).run()
        try await FetchingSection(container: container, report: report).run()
        try await PredicateSection(container: container, report: report).run()
        try await QuerySection(container: container, report: report).run()
        try await LoadingSection(container: container, report: report).run()
        try await RequestSection(container: container, report: report).run()
        try await RelationshipSection(container: container, report: report).run()
        try await SavingSection(container: container, report: report).run()
        try await UniquenessSection(container: container, report: report).run()
        try await TransactionSection(container: container, report: report).run()
        try await SQLSection(container: container, report: report).run()
        try await UpdatingSection(container: container, report: report).run()
        try await InsertingRowsSection(container: container, report: report).run()
        try await DeletingSection(container: container, report: report).run()
        try await ConfigurationSection(container: container, report: report).run()
        try await HistorySection(container: container, report: report).run()
        try await ConcurrencySection(container: container, report: report).run()
        try await ClassChangeSection(container: container, report: report).run()
        try await ObservingSection(container: container, report: report).run()
        try await AttributeSection(report: report).run()
        try await NamesSection(report: report).run()
        try await AbstractBaseSection(report: report).run()
        try await OrderSection(report: report).run()
        try await ImportSection(report: report).run()
        try await SearchSection(report: report).run()
        try await TreeSection(report: report).run()
        try await ViewSection(report: report).run()
        await ErrorSection(container: container, report: report).run()
        await container.close()

        report.write("\n\(report.checks - report.failures.count) of \(report.checks) checks passed.")
        if !report.failures.isEmpty {
            report.write("Not as expected:\n\(report.failures.map { "  \($0)" }.joined(separator: "\n"))")
            exit(1)
        }
    }

    private static func open() async throws -> ModelContainer {
        var configuration = ModelConfiguration("trips")
        configuration.postgresSchema = "sample_trips"
        return try await ModelContainer(
            for: Trip.self, BusinessTrip.self, PersonalTrip.self,
            configurations: configuration)
    }
}

/// Midnight of a day, in UTC.
func day(_ year: Int, _ month: Int, _ day: Int) -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: DateComponents(year: year, month: month, day: day)) ?? .distantPast
}
