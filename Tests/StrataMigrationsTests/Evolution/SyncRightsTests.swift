import Foundation
import StrataClient
import StrataMigrations
import StrataTestSupport
import Testing

/// The application's role has rights on the tables it knows. Old code must be able to write while new tables come.
@Suite("Evolution: rights") struct SyncRightsTests {
    private typealias Trips = HierarchyEvolutionTests

    @Test func `old code writes with its own rights while rows are split off`() async throws {
        let scripts = try Evolution(
            [Trips.Flat.Trip.self], [Trips.Split.Trip.self, Trips.Split.BusinessTrip.self],
            changes: [.split(Trips.Split.BusinessTrip.self, where: "perdiem IS NOT NULL")]
        ).scripts()
        try await withTestDatabase("rights") { database in
            let role = "strata_app_" + UUID().uuidString.prefix(8).lowercased()
            try await database.execute("CREATE ROLE \(role)")
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            do {
                try await blocking { try runner.apply([scripts[0]]) }
                try await database.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON trip TO \(role)")
                try await blocking { try runner.apply(scripts, through: .backfill) }
                try await database.execute(
                    "SET ROLE \(role)", "INSERT INTO trip (pk, name, perdiem) VALUES (1, 'a', 10)", "RESET ROLE")
                try await database.execute(
                    "DO $$ BEGIN ASSERT (SELECT perdiem FROM business_trip WHERE pk = 1) = 10; END $$")
                // The triggers' functions have the owner's rights: nobody else may use them for tables of their own.
                try await database.execute("GRANT CREATE ON SCHEMA public TO \(role)")
                let error = try await #require(throws: PostgresError.self) {
                    try await database.execute(
                        "SET ROLE \(role)", "CREATE TABLE mine (pk bigint)",
                        """
                        DO $$ BEGIN EXECUTE (SELECT format('CREATE TRIGGER t AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION %s()',
                        oid::regproc) FROM pg_proc WHERE proname LIKE 'strata_sync%' LIMIT 1); END $$
                        """)
                }
                #expect(error.sqlState == "42501")
                try await blocking { try runner.apply(scripts) }
            } catch {
                try await database.execute("DROP OWNED BY \(role)", "DROP ROLE \(role)")
                throw error
            }
            try await database.execute("DROP OWNED BY \(role)", "DROP ROLE \(role)")
        }
    }
}
