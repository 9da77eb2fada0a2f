import Foundation
import Strata

/// Names that the database has, and that Swift does not see.
struct NamesSection {
    let report: Report

    private typealias Member = Association.Member

    func run() async throws {
        report.section("Names of the database's own")
        let container = try await ModelContainer(
            for: Association.Member.self, Association.Employee.self, Association.Club.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let ada = Association.Employee(address: "ada@example.com", name: "Ada")
        ada.start = .now
        let bo = Member(address: "bo@example.com", name: "Bo")
        bo.sponsor = ada
        bo.clubs = [Association.Club(title: "Chess")]
        context.insert(bo)
        try await context.save()
        try await read(ModelContext(container))
        await container.close()
    }

    private func read(_ context: ModelContext) async throws {
        let found = try await context.fetch(
            FetchDescriptor<Member>(predicate: #Predicate { $0.sponsor?.name == "Ada" && $0.clubs.count == 1 }))
        report.expect(found.map(\.name) == ["Bo"], "a predicate has the names of properties")
        let rows = try await context.fetch(
            String.self, sql: "SELECT first_name || ' ' || user_type FROM users JOIN staff USING (id)")
        report.expect(rows == ["Ada Employee"], "and the tables have theirs")
    }
}
