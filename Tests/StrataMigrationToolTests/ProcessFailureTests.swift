import Foundation
import StrataClient
import StrataTestSupport
import Testing

@Suite("The tool, when a step fails", .timeLimit(.minutes(3)))
struct ProcessFailureTests {
    static let addColumn = """
        -- step 4.0 phase=expand tx=own lock=AccessExclusive tables=probe lock_timeout=2s timeout=60s
        --   add column probe.extra
        ALTER TABLE "public"."probe" ADD COLUMN "extra" bigint;

        """

    @Test("a table that somebody holds: 9, and who it is; nothing is changed, and later it succeeds")
    func tableLocked() async throws {
        try await withTestDatabase(template: SampleFolder.database) { database in
            let folder = try SampleFolder(step: Self.addColumn)
            let holder = try await database.connect()
            defer { holder.close() }
            try await holder.execute("BEGIN")
            try await holder.execute("SELECT count(*) FROM public.probe")
            let run = try await folder.run("apply", "--retries", "2", "--lock-timeout", "100ms", on: database)
            #expect(run.exitCode == 9)
            #expect(run.output.contains("4.0  retry 1/2: "))
            #expect(run.output.contains("(blocked by pid \(holder.backendID) ("))
            #expect(run.errors.contains("error[lock_not_available]: Step 4.0 of 0004_v3_v4 did not get its lock"))
            #expect(run.errors.contains("  --> in the way: pid \(holder.backendID) ("))
            #expect(run.errors.contains("idle in transaction for "))
            #expect(run.errors.contains("fix: wait for the sessions that are in the way"))
            #expect(run.errors.contains("running it again is safe (exit 9)"))
            try await holder.execute("ROLLBACK")
            try await folder.bringHome(database)
        }
    }

    @Test("a step that fails in its transaction: 10, and the database is as before it")
    func rolledBack() async throws {
        try await withTestDatabase(template: SampleFolder.database) { database in
            let folder = try SampleFolder(
                step: """
                    -- step 4.0 phase=expand tx=own lock=RowExclusive tables=probe lock_timeout=2s timeout=60s
                    --   divide
                    UPDATE "public"."probe" SET "value" = 7;
                    UPDATE "public"."probe" SET "value" = 1 / ("pk" - 300);

                    """)
            let run = try await folder.run("apply", on: database)
            #expect(run.exitCode == 10)
            #expect(run.errors.contains("error[step_rolled_back]: Step 4.0 failed with SQLSTATE 22012"))
            #expect(run.errors.contains("  --> step 4.0 of 0004_v3_v4, phase expand: divide"))
            #expect(run.errors.contains(#"  --> statement: UPDATE "public"."probe" SET "value" = 1 / ("pk" - 300)"#))
            #expect(run.errors.contains("the database is as it was before it (exit 10)"))
            #expect(try await database.texts("SELECT DISTINCT value::text FROM public.probe") == ["0"])
            try await database.execute("DELETE FROM public.probe WHERE pk = 300")
            try await folder.bringHome(database)
        }
    }

    @Test("a step that fails outside a transaction: 11, nothing invalid is left, and it goes on with that step")
    func failedAlone() async throws {
        try await withTestDatabase(template: SampleFolder.database) { database in
            let folder = try SampleFolder(
                step: """
                    -- step 4.0 phase=backfill tx=none lock=ShareUpdateExclusive tables=probe lock_timeout=none timeout=none index=probe_value_key
                    --   unique index probe.value
                    CREATE UNIQUE INDEX CONCURRENTLY "probe_value_key" ON "public"."probe" ("value");

                    """)
            let run = try await folder.run("apply", "--format", "json", on: database)
            #expect(run.exitCode == 11)
            #expect(run.output.contains(#""code" : "step_failed""#))
            #expect(run.output.contains(#""sqlState" : "23505""#))
            #expect(run.output.contains("it goes on with this step"))
            #expect(
                try await database.texts("SELECT coalesce(to_regclass('public.probe_value_key')::text, 'none')")
                    == ["none"])
            try await database.execute("UPDATE public.probe SET value = pk")
            try await folder.bringHome(database)
        }
    }

    @Test(
        "a full disk: 10 in a transaction, 11 for a build outside; with more room it goes on",
        .enabled(if: TinyDisk.isPossible, "mounting a disk of one megabyte needs root"), arguments: [10, 11])
    func fullDisk(code: Int32) async throws {
        let disk = try TinyDisk()
        defer { disk.remove() }
        try await withTestDatabase(template: SampleFolder.database) { database in
            let name = disk.tablespace
            try await database.execute("CREATE TABLESPACE \(name) LOCATION '\(disk.path)'")
            let step: String
            if code == 10 {
                try await database.execute("ALTER TABLE public.probe SET TABLESPACE \(name)")
                step = """
                    -- step 4.0 phase=expand tx=own lock=RowExclusive tables=probe lock_timeout=2s timeout=60s
                    --   fill probe
                    INSERT INTO "public"."probe" SELECT n, 0 FROM generate_series(1001, 61000) AS n;

                    """
            } else {
                try await database.execute(
                    "INSERT INTO public.probe SELECT n, 0 FROM generate_series(1001, 61000) AS n")
                step = """
                    -- step 4.0 phase=backfill tx=none lock=ShareUpdateExclusive tables=probe lock_timeout=none timeout=none index=probe_both_idx
                    --   index probe
                    CREATE INDEX CONCURRENTLY "probe_both_idx" ON "public"."probe" ("pk", "value") TABLESPACE "\(name)";

                    """
            }
            let folder = try SampleFolder(step: step)
            let run = try await folder.run("apply", on: database)
            #expect(run.exitCode == code)
            #expect(run.errors.contains("SQLSTATE 53100"))
            #expect(run.errors.contains("No space left on device"))
            #expect(run.errors.contains("fix: "))
            try disk.grow()
            try await folder.bringHome(database)
            try await database.execute("DROP TABLE public.probe", "DROP TABLESPACE \(name)")
        }
    }
}
