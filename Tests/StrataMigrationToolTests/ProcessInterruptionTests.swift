import Foundation
import StrataClient
import StrataTestSupport
import Testing

@Suite("The tool, interrupted", .timeLimit(.minutes(3)))
struct ProcessInterruptionTests {
    private static let build = """
        -- step 4.0 phase=backfill tx=none lock=ShareUpdateExclusive tables=probe lock_timeout=none timeout=none index=probe_value_idx
        --   index probe.value
        -- done: SELECT to_regclass('public.probe_value_idx') IS NOT NULL
        CREATE INDEX CONCURRENTLY "probe_value_idx" ON "public"."probe" ("value");

        """

    @Test("killed while an index is built concurrently: the server ends the build, and the index is built again")
    func killedInBuild() async throws {
        try await withTestDatabase(template: SampleFolder.database) { database in
            let folder = try SampleFolder(step: Self.build)
            let reader = try await database.connect()
            defer { reader.close() }
            try await reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            try await reader.execute("SELECT count(*) FROM public.trip")
            let tool = try RunningTool("apply", "--database-url", database.url, directory: folder.directory)
            try await tool.wait(for: "4.0  waiting for a lock (blocked by pid \(reader.backendID)")
            tool.kill()
            #expect(try await tool.finish() == SIGKILL)

            // The reader is still there: what ends the build is that the server misses its client.
            while try await !database.texts(Self.builders).isEmpty { try await Task.sleep(for: .milliseconds(50)) }
            let validity = try await database.texts(
                "SELECT indisvalid::text FROM pg_index WHERE indexrelid = 'public.probe_value_idx'::regclass")
            #expect(validity == ["false"])
            let status = try await folder.run("status", "--format", "json", on: database)
            #expect(status.exitCode == 3)
            #expect(status.output.contains(#""id" : "4.0""#))

            try await reader.execute("ROLLBACK")
            let apply = try await folder.run("apply", on: database)
            #expect(apply.output.contains("4.0  dropped invalid index probe_value_idx, left by an interrupted build"))
            try await folder.bringHome(database)
            let rebuilt = try await database.texts(
                "SELECT indisvalid::text FROM pg_index WHERE indexrelid = 'public.probe_value_idx'::regclass")
            #expect(rebuilt == ["true"])
        }
    }

    private static let builders = """
        SELECT pid::text FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONC%' \
        AND state = 'active'
        """

    @Test("killed in the middle of a backfill: it goes on behind the last batch, and no row is changed twice")
    func killedInBatches() async throws {
        try await withTestDatabase(template: SampleFolder.database) { database in
            let folder = try SampleFolder(
                step: """
                    -- step 4.0 phase=backfill tx=batches(probe,pk,10) lock=RowExclusive tables=probe lock_timeout=2s timeout=60s
                    --   count up probe.value
                    UPDATE "public"."probe" SET "value" = "value" + 1
                    WHERE "pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint;

                    """)
            try await database.execute("ANALYZE public.probe")
            let plan = try await folder.run("plan", on: database)
            #expect(plan.output.contains("about 10 batches of 10, resumable"))
            #expect(plan.output.contains("ROW EXCLUSIVE probe, reads and writes go on"))
            #expect(plan.output.contains("est. rows: probe 100"))
            // The second batch, of keys 33 to 60, waits for a row: the first is all there is when the tool is killed.
            let holder = try await database.connect()
            defer { holder.close() }
            try await holder.execute("BEGIN")
            try await holder.execute("UPDATE public.probe SET value = value WHERE pk = 45")
            let tool = try RunningTool("apply", "--database-url", database.url, directory: folder.directory)
            try await tool.wait(for: "4.0  10%  10 rows")
            tool.kill()
            #expect(try await tool.finish() == SIGKILL)
            try await holder.execute("ROLLBACK")
            let status = try await folder.run("status", on: database)
            #expect(status.exitCode == 3)
            #expect(status.output.contains("0004_v3_v4 in progress"))
            #expect(status.output.contains("of 100 rows"))

            try await folder.bringHome(database)
            let values = try await database.texts("SELECT value || ': ' || count(*) FROM public.probe GROUP BY value")
            #expect(values == ["1: 100"])
        }
    }

    @Test("two at once: the second names the first and ends with 8; later it finds all done")
    func twoRunners() async throws {
        try await withTestDatabase(template: SampleFolder.database) { database in
            let folder = try SampleFolder(step: ProcessFailureTests.addColumn)
            let holder = try await database.connect()
            defer { holder.close() }
            try await holder.execute("BEGIN")
            try await holder.execute("LOCK TABLE public.probe IN ACCESS SHARE MODE")
            let first = try RunningTool(
                "apply", "--retries", "1000", "--database-url", database.url, directory: folder.directory)
            try await first.wait(for: "4.0  retry 1/1000")

            let second = try await folder.run("apply", "--lock-wait", "0s", on: database)
            #expect(second.exitCode == 8)
            #expect(second.errors.contains("error[runner_locked]: Another runner is at work on the schema \"public\"."))
            let session = try #require(first.output.firstMatch(of: /acquired \(session (\d+)\)/)).1
            #expect(second.errors.contains("  --> held by pid \(session) ("))
            #expect(second.errors.contains("fix: wait until it has ended"))

            try await holder.execute("ROLLBACK")
            #expect(try await first.finish() == 0)
            let third = try await folder.run("apply", on: database)
            #expect(third.output.contains("Nothing to do"))
            try await folder.bringHome(database)
        }
    }
}
