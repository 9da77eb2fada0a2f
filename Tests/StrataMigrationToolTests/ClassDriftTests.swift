import SampleTripsModels
import Strata
import StrataMigrationTool
import StrataMigrations
import StrataTestSupport
import Testing

/// Rows of a hierarchy that say one class and lie in the tables of another, and tables of another owner.
@Suite("Drift of rows and owners") struct ClassDriftTests {
    private static let project = MigrationProject(plan: SampleTripsMigrationPlan.self)
    private static let template = TestTemplate("sample at version 4") { database in
        let run = try await SampleTripsProcess.run("apply", "--database-url", database.url)
        guard run.exitCode == 0 else { throw RunningTool.Ended(text: run.errors) }
        try await database.execute(
            """
            INSERT INTO trip (pk, class, name, destination, start_date, end_date)
            SELECT n, 'BusinessTrip', 'Trip ' || n, 'there', now(), now() FROM generate_series(1, 6) AS n
            """, "INSERT INTO business_trip (pk, perdiem) SELECT n, 1 FROM generate_series(1, 6) AS n")
    }

    private func tool(_ arguments: String..., on database: TestDatabase) -> ToolRun {
        ToolRun(
            arguments + ["--database-url", database.url], project: Self.project,
            directory: SampleTripsProcess.directory.path)
    }

    @Test("rows whose class and parts agree are no drift")
    func whole() async throws {
        try await withTestDatabase(template: Self.template) { database in
            let run = tool("drift", on: database)
            #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
            #expect(tool("status", on: database).exitCode == 0)
        }
    }

    @Test("a row without its part, a part of another class, and a class that is none are named with a few keys")
    func disagreeing() async throws {
        try await withTestDatabase(template: Self.template) { database in
            try await database.execute(
                "DELETE FROM business_trip WHERE pk BETWEEN 1 AND 4",
                "UPDATE trip SET class = 'PersonalTrip' WHERE pk = 5",
                "ALTER TABLE trip DROP CONSTRAINT trip_class_check",
                "UPDATE trip SET class = 'Cruise' WHERE pk = 6",
                "ALTER TABLE trip ADD CONSTRAINT trip_class_check CHECK (class IN ('Trip', 'BusinessTrip', 'PersonalTrip')) NOT VALID"
            )
            let run = tool("drift", on: database)
            #expect(run.exitCode == 4, "\(run.errors)")
            for line in [
                "~ rows of trip: 4 are of class BusinessTrip, and have no row in business_trip: pk 1, 2, 3, …",
                "~ rows of trip: 1 is of class PersonalTrip, and has no row in personal_trip: pk 5",
                "~ rows of trip: 1 is of class PersonalTrip, and has a row in business_trip: pk 5",
                "~ rows of trip: 1 is of class Cruise, which is none: pk 6",
                "~ rows of trip: 1 is of class Cruise, and has a row in business_trip: pk 6",
            ] { #expect(run.output.contains("  " + line + "\n"), "\(run.output)") }
            let status = tool("status", on: database)
            #expect(status.exitCode == 4)
            #expect(status.output.contains("which is none: pk 6"))
        }
    }

    @Test("a table of another owner than the rest is drift")
    func owner() async throws {
        try await withTestDatabase(template: Self.template) { database in
            let role = "owner_\(database.name.suffix(12))".lowercased().filter {
                $0.isLetter || $0.isNumber || $0 == "_"
            }
            try await database.execute("CREATE ROLE \(role)", "ALTER TABLE personal_trip OWNER TO \(role)")
            let run = tool("drift", on: database)
            try await database.execute("REASSIGN OWNED BY \(role) TO CURRENT_USER", "DROP ROLE \(role)")
            #expect(run.exitCode == 4)
            #expect(run.output.contains("~ table personal_trip: the owner is \(role), that of the others is "))
            #expect(tool("drift", on: database).exitCode == 0)
        }
    }
}
