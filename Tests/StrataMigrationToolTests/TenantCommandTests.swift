import Foundation
import StrataMigrationTool
import StrataMigrations
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataMigrationTool

/// Commands over the tenants of a database.
@Suite(.timeLimit(.minutes(3))) struct TenantCommandTests {
    private let folder: ProjectFolder

    init() throws { folder = try WrittenStages.folder() }

    private func tool(_ arguments: String..., on database: TestDatabase) -> ToolRun {
        ToolRun(
            arguments + ["--database-url", database.url], project: WrittenStages.project, directory: folder.path)
    }

    /// A tenant at the first version.
    private func create(_ tenant: String, on database: TestDatabase) throws {
        try MigrationRunner(configuration: database.configuration, schemaName: "tenant_" + tenant)
            .create(WrittenStages.first, recordsHistory: false)
    }

    @Test func `tenants are created at the newest version, and listed`() async throws {
        try await withTestDatabase { database in
            #expect(tool("tenants", "list", on: database).output == "There are no tenants.\n")
            let creation = tool("tenants", "create", "beta", "acme", on: database)
            #expect(creation.exitCode == 0, "\(creation.errors)\(creation.output)")
            #expect(creation.output.contains("acme  Created: schema tenant_acme, version 2.0.0."))
            #expect(creation.output.contains("2 of 2 tenants: created, all well."))
            #expect(tool("tenants", "list", on: database).output == "acme\nbeta\n")
            let list = try tool("tenants", "list", "--format", "json", on: database).json()
            #expect(list["tenants"] as? [String] == ["acme", "beta"])
            #expect(list["command"] as? String == "tenants list")
            #expect(tool("status", "--tenants", "all", on: database).exitCode == 0)
            #expect(tool("drift", "--tenants", "acme,beta", on: database).exitCode == 0)

            let again = tool("tenants", "create", "acme", "gamma", "--format", "json", on: database)
            #expect(again.exitCode == MigrationError.Code.usage.exitCode)
            let tenants = try #require(try again.json()["tenants"] as? [[String: Any]])
            #expect(tenants.map { $0["code"] as? String } == ["usage", "ok"])
            #expect(tenants[1]["schema"] as? String == "tenant_gamma")
            #expect(tool("tenants", "create", "Acme", "delta", on: database).exitCode == 2)
            #expect(tool("tenants", "list", on: database).output == "acme\nbeta\ngamma\n")
        }
    }

    @Test func `apply brings all tenants to the newest version, and a second one has nothing to do`() async throws {
        try await withTestDatabase { database in
            for number in 0..<10 { try create("t\(number)", on: database) }
            #expect(tool("status", "--tenants", "all", on: database).exitCode == 3)
            // Those of the files' own schema are not touched.
            let run = tool("apply", "--tenants", "all", "--parallel", "3", on: database)
            #expect(run.exitCode == 0, "\(run.errors)\(run.output)")
            #expect(run.output.contains("t7  2.1  done"), "\(run.output)")
            #expect(run.output.contains("10 of 10 tenants: applied to, all well."))
            #expect(
                try await database.texts("SELECT count(*)::text FROM pg_tables WHERE schemaname = 'public'") == ["0"])
            let columns =
                "SELECT count(*)::text FROM pg_attribute WHERE attname = 'rating' AND attrelid::regclass::text LIKE 'tenant_t%'"
            #expect(try await database.texts(columns) == ["10"])
            let again = tool("apply", "--tenants", "all", "--format", "json", on: database)
            #expect(again.exitCode == 0)
            let tenants = try #require(try again.json()["tenants"] as? [[String: Any]])
            #expect(tenants.map { $0["tenant"] as? String } == (0..<10).map { "t\($0)" })
            #expect(tenants.allSatisfy { $0["current"] as? String == "2.0.0" && $0["from"] as? String == "2.0.0" })
            #expect(tool("status", "--tenants", "all", on: database).exitCode == 0)
            #expect(tool("status", "--tenants", "t1,t3", "--quiet", on: database).output.contains("2 of 2 tenants"))
        }
    }

    @Test
    func `a tenant that cannot be migrated keeps none of the others, is named, and goes on when its cause is gone`()
        async throws
    {
        try await withTestDatabase { database in
            for name in ["a", "b", "c", "d"] { try create(name, on: database) }
            try await database.execute(
                "INSERT INTO tenant_b.trip VALUES (1, '')", "INSERT INTO tenant_c.trip VALUES (1, 'good')")
            let run = tool("apply", "--tenants", "all", on: database)
            #expect(run.exitCode == MigrationError.Code.preflightRefused.exitCode, "\(run.output)\(run.errors)")
            #expect(run.output.contains("b  error[preflight_refused]"), "\(run.output)")
            #expect(run.output.contains("3 of 4 tenants are well; not well: b."), "\(run.output)")
            #expect(run.output.contains("--tenants b takes these alone"))
            let json = try tool("apply", "--tenants", "all", "--format", "json", on: database).json()
            #expect(json["code"] as? String == "preflight_refused")
            let tenants = try #require(json["tenants"] as? [[String: Any]])
            #expect(tenants.map { $0["code"] as? String } == ["ok", "preflight_refused", "ok", "ok"])
            #expect((tenants[1]["places"] as? [String])?.isEmpty == false)
            try await database.execute("UPDATE tenant_b.trip SET name = 'better'")
            #expect(tool("apply", "--tenants", "b", on: database).exitCode == 0)
            #expect(tool("status", "--tenants", "all", on: database).exitCode == 0)
        }
    }

    @Test func `drift names the tenant whose tables differ`() async throws {
        try await withTestDatabase { database in
            #expect(tool("tenants", "create", "a", "b", "c", on: database).exitCode == 0)
            try await database.execute("ALTER TABLE tenant_b.trip ADD COLUMN extra text")
            let run = tool("drift", "--tenants", "all", on: database)
            #expect(run.exitCode == MigrationError.Code.drift.exitCode)
            #expect(run.output.contains("2 of 3 tenants are well; not well: b."), "\(run.output)")
            #expect(run.output.contains("extra"), "\(run.output)")
            let github = tool("drift", "--tenants", "all", "--format", "github", on: database)
            #expect(github.output.contains("title=b%3A drift from version 2.0.0"), "\(github.output)")
            #expect(tool("status", "--tenants", "a,c", on: database).exitCode == 0)
        }
    }

    @Test func `the worst code is the exit code`() async throws {
        try await withTestDatabase { database in
            try create("a", on: database)
            #expect(tool("tenants", "create", "b", on: database).exitCode == 0)
            try await database.execute("ALTER TABLE tenant_b.trip ADD COLUMN extra text")
            #expect(tool("status", "--tenants", "a", on: database).exitCode == 3)
            #expect(tool("status", "--tenants", "all", on: database).exitCode == 4)
        }
    }

    @Test func `a schema with tables or a record is not handed over`() async throws {
        try await withTestDatabase { database in
            #expect(tool("tenants", "create", "a", on: database).exitCode == 0)
            try await database.execute("DELETE FROM strata.schema_version WHERE schema_name = 'tenant_a'")
            let again = tool("tenants", "create", "a", on: database)
            #expect(again.exitCode == 2, "\(again.output)\(again.errors)")
            #expect(again.output.contains("baseline --schema tenant_a"), "\(again.output)")
            try await database.execute(
                "CREATE SCHEMA tenant_b", "CREATE TABLE tenant_b.other (a integer)", "CREATE SCHEMA tenant_c")
            #expect(tool("tenants", "create", "b", on: database).exitCode == 2)
            // Without tables there is nothing that could be somebody's.
            #expect(tool("tenants", "create", "c", on: database).exitCode == 0)
            try await database.execute("DROP SCHEMA tenant_c CASCADE")
            #expect(tool("tenants", "create", "c", on: database).exitCode == 2)
            let baseline = tool("baseline", "--schema", "tenant_a", on: database)
            #expect(baseline.exitCode == 0, "\(baseline.output)\(baseline.errors)")
            #expect(tool("status", "--tenants", "a", on: database).exitCode == 0)
        }
    }

    @Test func `wrong names and prefixes are refused before anything is done`() async throws {
        try await withTestDatabase { database in
            #expect(tool("tenants", "create", "a", "--tenant-prefix", "shop_", on: database).exitCode == 0)
            #expect(tool("tenants", "list", on: database).output == "There are no tenants.\n")
            #expect(tool("tenants", "list", "--tenant-prefix", "shop_", on: database).output == "a\n")
            let unknown = tool("apply", "--tenants", "a,zz", "--tenant-prefix", "shop_", on: database)
            #expect(unknown.exitCode == 2)
            #expect(unknown.errors.contains("There is no tenant zz."))
            #expect(tool("apply", "--tenants", "A", on: database).exitCode == 2)
            #expect(tool("apply", "--tenants", "", on: database).exitCode == 2)
            #expect(tool("apply", "--tenants", "all", "--parallel", "0", on: database).exitCode == 2)
            let nobody = tool("status", "--tenants", "all", on: database)
            #expect(nobody.exitCode == 2)
            #expect(nobody.errors.contains("There are no tenants whose PostgreSQL schemas begin with \"tenant_\""))
            for names in ["a, b", "a b", "a,", "all,a", " all"] {
                #expect(
                    tool("apply", "--tenants", names, "--tenant-prefix", "shop_", on: database).exitCode == 2,
                    "\(names)")
            }
            #expect(tool("apply", "--parallel", "2", on: database).exitCode == 2)
            #expect(tool("status", "--tenant-prefix", "shop_", on: database).exitCode == 2)
            #expect(tool("tenants", "list", "--tenant-prefix", "", on: database).exitCode == 2)
            #expect(tool("tenants", "create", "all", on: database).exitCode == 2)
            try folder.write(#"{"tenantPrefix": "shop_"}"#, to: "strata.json")
            #expect(tool("tenants", "list", on: database).output == "a\n")
        }
    }

    /// The sample's program, killed in the middle: a second run goes on, and every tenant ends at the newest version.
    @Test func `an apply that was killed goes on where each tenant was`() async throws {
        try await withTestDatabase { database in
            let tenants = (0..<8).map { "t\($0)" }
            let v1 = try await SampleTripsProcess.run("tenants", "list", "--database-url", database.url)
            #expect(v1.exitCode == 0, "\(v1.errors)")
            let folder = try SampleFolder()
            let chain = try SampleChain.chain()
            for tenant in tenants {
                try MigrationRunner(configuration: database.configuration, schemaName: "tenant_" + tenant)
                    .create(chain.versions[0], recordsHistory: chain.recordsHistory)
                try await database.execute(
                    "INSERT INTO tenant_\(tenant).trip (name, destination, start_date, end_date) "
                        + "SELECT 'n' || g, 'Rome', now(), now() FROM generate_series(1, 50) AS g")
            }
            // One tenant waits for a reader, so that the run is not over when it is killed, and the others go past it.
            let reader = try await database.connect()
            defer { reader.close() }
            try await reader.execute("BEGIN")
            try await reader.execute("LOCK TABLE tenant_t1.trip IN ACCESS SHARE MODE")
            let program = try RunningTool(
                "apply", "--tenants", "all", "--parallel", "2", "--database-url", database.url,
                directory: folder.directory)
            let newest = try #require(chain.versions.last).version.description
            let finished = "(SELECT schema_name FROM strata.schema_version WHERE version = '\(newest)')"
            try await waitUntil {
                try await database.texts("SELECT count(*)::text FROM \(finished) AS f").first.flatMap { Int($0) } ?? 0
                    >= 2
            }
            program.kill()
            #expect(try await program.finish() == SIGKILL)
            try await reader.execute("ROLLBACK")
            let done = try await database.texts("SELECT schema_name FROM \(finished) AS f ORDER BY 1")
            #expect(!done.contains("tenant_t1") && done.count < tenants.count, "\(done)")
            // What of the records of those that were finished is another one afterwards was done again.
            let names = done.map { "'\($0)'" }.joined(separator: ", ")
            func records() async throws -> [String] {
                try await database.texts(
                    "SELECT v::text || v.xmin FROM strata.schema_version AS v WHERE schema_name IN (\(names)) "
                        + "UNION ALL SELECT s::text || s.xmin FROM strata.migration_step AS s WHERE schema_name IN (\(names)) ORDER BY 1"
                )
            }
            let before = try await records()
            let rest = try await folder.run("apply", "--tenants", "all", "--lock-wait", "30s", on: database)
            #expect(rest.exitCode == 0, "\(rest.output)\(rest.errors)")
            #expect(try await records() == before)
            for tenant in done.map({ $0.dropFirst("tenant_".count) }) {
                #expect(!rest.output.contains("\(tenant)  stage"), "\(rest.output)")
            }
            for command in ["status", "drift"] {
                let run = try await folder.run(command, "--tenants", "all", on: database)
                #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
            }
            for tenant in tenants {
                #expect(
                    try await database.texts(#"SELECT count(*)::text FROM "tenant_\#(tenant)".trip"#) == ["50"])
            }
        }
    }
}
