import Foundation
import StrataClient
import StrataMigrations
import StrataTestSupport
import Testing

/// Old code must be able to write while new tables come, and what it writes must not get lost.
@Suite("Evolution: what old code may do meanwhile") struct OldCodeTests {
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

    @Test func `new code may make objects of the subclass that the rule would not take`() async throws {
        let scripts = try Evolution(
            [Trips.Flat.Trip.self], [Trips.Split.Trip.self, Trips.Split.BusinessTrip.self],
            changes: [.split(Trips.Split.BusinessTrip.self, where: "name = 'business'")]
        ).scripts()
        try await withTestDatabase("rule") { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply(scripts, through: .backfill) }
            try await blocking { try runner.apply(scripts, through: .backfill) }
            try await database.execute(
                "INSERT INTO trip (pk, class, name) VALUES (1, 'BusinessTrip', 'leisure')",
                "INSERT INTO business_trip (pk, perdiem) VALUES (1, 5)")
            try await blocking { try runner.apply(scripts) }
            try await database.execute(
                "DO $$ BEGIN ASSERT (SELECT perdiem FROM business_trip WHERE pk = 1) = 5; END $$")
        }
    }

    @Test func `what old code gives a row that the rule does not take is found before contract drops it`() async throws
    {
        let scripts = try Evolution(
            [Trips.Flat.Trip.self], [Trips.Split.Trip.self, Trips.Split.BusinessTrip.self],
            changes: [.split(Trips.Split.BusinessTrip.self, where: "name = 'business'")]
        ).scripts()
        try await withTestDatabase("rule") { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply(scripts, through: .backfill) }
            try await blocking { try runner.apply(scripts, through: .backfill) }
            try await database.execute("INSERT INTO trip (pk, name, perdiem) VALUES (1, 'leisure', 5)")
            let error = await #expect(throws: MigrationError.self) { try await blocking { try runner.apply(scripts) } }
            #expect(error?.code == .stepRolledBack)
            #expect(
                error?.remedy == "correct the rows and run apply again, or accept what was found with --allow M101; "
                    + "or take the stage back with rollback")
        }
    }
}
