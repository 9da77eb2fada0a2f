import Testing

@testable import StrataMigrations

extension MigrationChain {
    /// The scripts, of which it is shown that in a tenant's schema they are what is planned for that schema: every test that plans something
    /// shows it for what it plans.
    func scriptsThatCanBeMoved(sourceLocation: SourceLocation = #_sourceLocation) throws -> [StageScript] {
        let scripts = try scripts(in: "public")
        for (script, planned) in zip(scripts, try self.scripts(in: "tenant_a-1")) {
            let moved = try script.moved(to: "tenant_a-1")
            // Whatever the lines are broken like. A statement of a test's own names the schema by hand.
            func isByHand(_ step: MigrationStep) -> Bool { step.operation == .runStatement }
            let pairs = zip(moved.steps, planned.steps).filter { !isByHand($0.0) }
            #expect(pairs.allSatisfy { $0.checksum == $1.checksum }, sourceLocation: sourceLocation)
            #expect(moved.steps.count == planned.steps.count, sourceLocation: sourceLocation)
            #expect(moved.schemaName == planned.schemaName, sourceLocation: sourceLocation)
            guard !moved.steps.contains(where: isByHand) else { continue }
            #expect(moved.checksum == planned.checksum, sourceLocation: sourceLocation)
        }
        return scripts
    }
}

@Suite("Putting one schema in the place of another")
struct SchemaExchangeTests {
    private func exchanged(_ sql: String, from old: String = "public") throws -> String {
        try SchemaExchange(old, by: "tenant_a-1").text(of: sql)
    }

    @Test(
        "Names with the schema change, whatever way they are written",
        arguments: [
            (#"ALTER TABLE "public"."trip" ADD "a" int"#, #"ALTER TABLE "tenant_a-1"."trip" ADD "a" int"#),
            (
                "SELECT 1 FROM public.trip AS t, Public.item",
                #"SELECT 1 FROM "tenant_a-1".trip AS t, "tenant_a-1".item"#
            ),
            ("SELECT public -- public.x\n. trip", "SELECT \"tenant_a-1\" -- public.x\n. trip"),
            (#"CREATE SCHEMA IF NOT EXISTS "public""#, #"CREATE SCHEMA IF NOT EXISTS "tenant_a-1""#),
            ("DROP SCHEMA public", #"DROP SCHEMA "tenant_a-1""#),
            ("DROP SCHEMA IF EXISTS public CASCADE", #"DROP SCHEMA IF EXISTS "tenant_a-1" CASCADE"#),
            (#"SELECT to_regclass('"public"."trip"') IS NULL"#, #"SELECT to_regclass('"tenant_a-1"."trip"') IS NULL"#),
            (
                "CREATE FUNCTION public.f() RETURNS trigger AS $f$ BEGIN UPDATE public.trip SET a = 'public'; END $f$",
                #"CREATE FUNCTION "tenant_a-1".f() RETURNS trigger AS $f$ BEGIN UPDATE "tenant_a-1".trip SET a = 'public'; END $f$"#
            ),
        ])
    func names(pair: (String, String)) throws {
        #expect(try exchanged(pair.0) == pair.1)
    }

    @Test("What the library is told changes")
    func told() throws {
        #expect(
            try exchanged(#"SELECT "strata"."history_describe"('public', $history${"a": "public.b"}$history$)"#)
                == #"SELECT "strata"."history_describe"('tenant_a-1', $history${"a": "public.b"}$history$)"#)
        #expect(
            try exchanged(#"INSERT INTO "strata"."schema_version" (schema_name, version) VALUES ('public', 'public')"#)
                == #"INSERT INTO "strata"."schema_version" (schema_name, version) VALUES ('tenant_a-1', 'public')"#)
        #expect(
            try exchanged("SELECT 1 FROM strata.schema_version WHERE schema_name = 'public' ORDER BY 1")
                == "SELECT 1 FROM strata.schema_version WHERE schema_name = 'tenant_a-1' ORDER BY 1")
    }

    @Test(
        "Values, aliases, columns and other schemas stay",
        arguments: [
            "UPDATE trip SET visibility = 'public' WHERE note IN ('public', 'the public beach')",
            "INSERT INTO trip (visibility) VALUES ('public')", "SELECT t.public FROM x AS t", "SELECT other.public.x",
            "SELECT a AS public FROM trip", "GRANT SELECT ON TABLE trip TO PUBLIC",
            "SELECT '\"publican\".\"x\"', \"publican\".x",
            "DO $$ BEGIN RAISE NOTICE 'public'; END $$", "SELECT E'\\'public'",
        ])
    func others(sql: String) throws {
        #expect(try exchanged(sql) == sql)
    }

    @Test(
        "What nobody can tell is refused, and the statement is named",
        arguments: [
            "SELECT setval('public.trip_no', 1)", "SELECT 'public.trip'::regclass", "SELECT to_regclass('PUBLIC.trip')",
            "SET search_path TO public", "SET search_path = other, public",
            "SELECT set_config('search_path', 'public', false)",
            "CREATE FUNCTION f() RETURNS void SET search_path = public AS $$ SELECT 1 $$ LANGUAGE sql",
            "CREATE FUNCTION f() RETURNS void AS 'UPDATE public.trip SET a = 1' LANGUAGE sql",
            "DO 'BEGIN DELETE FROM public.trip; END'", "DO $$ BEGIN EXECUTE 'DROP SCHEMA public CASCADE'; END $$",
            "DO $$ BEGIN PERFORM 1 WHERE note = 'not ended; END $$", "UPDATE page SET body = $$see public.html$$",
            "GRANT SELECT ON ALL TABLES IN SCHEMA other, public TO reader", "SELECT U&\"pub\\006cic\".trip",
            "SELECT 1 FROM pg_tables WHERE schemaname = 'public'", "SELECT '\"public\".\"a\" public.b'",
            "SELECT 'not ended",
        ])
    func refused(sql: String) throws {
        let error = try #require(throws: MigrationError.self) { try exchanged(sql) }
        #expect(error.code == .usage)
        #expect(error.places.contains { $0.hasPrefix("statement: ") }, "\(error.places)")
    }

    @Test("A schema with a name that needs quotes")
    func quoted() throws {
        #expect(
            try exchanged(#"SELECT "my app".x, 'my app', '"my app"."x"'"#, from: "my app")
                == #"SELECT "tenant_a-1".x, 'my app', '"tenant_a-1"."x"'"#)
    }
}
