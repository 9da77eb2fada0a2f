import Foundation
import StrataMigrationTool
import StrataMigrations
import StrataModels
import StrataTestSupport
import Testing

@Suite("Commands: history")
struct HistoryCommandTests {
    @Model final class Item {
        var name = ""
        init() {}
    }

    private let folder: ProjectFolder
    private let project: MigrationProject

    init() throws {
        let frozen = try FrozenSchema(freezing: Schema([Item.self]))
        let chain = MigrationChain(versions: [frozen], stages: [])
        folder = try ProjectFolder(chain.scripts(in: "public"), versions: [frozen])
        project = MigrationProject(chain: { chain })
    }

    private func tool(_ arguments: String..., on database: TestDatabase) -> ToolRun {
        ToolRun(arguments + ["--database-url", database.url], project: project, directory: folder.path)
    }

    @Test("status counts what there is; a disabled trigger is drift, and sync mends it")
    func statusAndSync() async throws {
        try await withTestDatabase { database in
            #expect(tool("history", "status", on: database).output.contains("History    none"))
            #expect(tool("apply", on: database).exitCode == 0)
            try await database.execute(
                "INSERT INTO item (pk, name) VALUES (1, 'a'), (2, 'b')", "UPDATE item SET name = 'c' WHERE pk = 1")
            let status = tool("history", "status", on: database)
            #expect(status.exitCode == 0, "\(status.output) \(status.errors)")
            #expect(status.output.contains("3 changes in 2 transactions"))
            #expect(status.output.contains("what is older than 30d: 0 changes in 0 transactions"))
            #expect(status.output.contains("Everything is recorded."))

            try await database.execute("ALTER TABLE item DISABLE TRIGGER strata_history_update")
            for command in [["drift"], ["status"], ["history", "status"]] {
                let run = ToolRun(
                    command + ["--database-url", database.url], project: project, directory: folder.path)
                #expect(run.exitCode == 4, "\(command)")
                #expect(run.output.contains("trigger item.strata_history_update is disabled"), "\(run.output)")
            }
            let sync = tool("history", "sync", "--format", "json", on: database)
            #expect(sync.exitCode == 0, "\(sync.errors)")
            let json = try sync.json()
            #expect(json["command"] as? String == "history sync")
            #expect((json["done"] as? [String])?.count == 1)
            #expect(tool("drift", on: database).exitCode == 0)
            #expect(tool("history", "sync", on: database).output.contains("Nothing to mend."))
        }
    }

    @Test("repair mends what somebody has dropped")
    func repair() async throws {
        try await withTestDatabase { database in
            #expect(tool("apply", on: database).exitCode == 0)
            try await database.execute("DROP TRIGGER strata_history_delete ON item")
            let run = tool("repair", on: database)
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.output.contains("item.strata_history_delete is missing"))
            #expect(tool("drift", on: database).exitCode == 0)
        }
    }

    @Test("prune deletes in slices, by number, by age and by size, and tells what it did")
    func prune() async throws {
        try await withTestDatabase { database in
            #expect(tool("apply", on: database).exitCode == 0)
            for key in 1...6 { try await database.execute("INSERT INTO item (pk, name) VALUES (\(key), 'a')") }
            try await database.waitForOlderTransactions()
            #expect(tool("history", "prune", on: database).exitCode == 2)
            #expect(
                tool("history", "prune", "--older-than", "1h", on: database).output.contains("Nothing to delete."))
            let run = tool(
                "history", "prune", "--keep", "2", "--slice", "3", "--pause", "1ms", "--format", "json", on: database)
            #expect(run.exitCode == 0, "\(run.errors)")
            let json = try run.json()
            #expect(json["changes"] as? Int == 4)
            #expect(json["transactions"] as? Int == 4)
            #expect(json["slices"] as? Int == 2)
            try await database.execute("UPDATE strata.history_transaction SET at = at - interval '40 days'")
            #expect(tool("history", "status", on: database).output.contains("older than 30d: 2 changes in 2"))
            try await database.waitForOlderTransactions()
            let aged = tool("history", "prune", "--older-than", "30d", "--max-size", "1GB", on: database)
            #expect(aged.output.contains("2 changes in 2 transactions deleted, 1 slice"), "\(aged.output)")
            let unknown = tool("history", "prune", "--older-than", "30d", "--schema", "typo", on: database)
            #expect(unknown.exitCode == 3 && unknown.errors.contains("no history of the PostgreSQL schema \"typo\""))
        }
    }

    @Test("partition divides the history, status shows the parts, prune drops what is old as a whole")
    func partition() async throws {
        try await withTestDatabase { database in
            #expect(tool("history", "partition", "--every", "7d", on: database).errors.contains("no history"))
            #expect(tool("apply", on: database).exitCode == 0)
            for key in 1...3 { try await database.execute("INSERT INTO item (pk, name) VALUES (\(key), 'a')") }
            #expect(!tool("history", "status", on: database).output.contains("Partition"))
            #expect(tool("history", "partition", on: database).exitCode == 2)
            #expect(tool("history", "partition", "--every", "0h", on: database).exitCode == 2)
            // A week has no more transactions than there were.
            try await database.execute(
                """
                UPDATE strata.history_transaction SET at = now() - interval '7 days' * greatest(1,
                    (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - xid::text::bigint) / 10000)
                """)
            let run = tool("history", "partition", "--every", "7d", on: database)
            #expect(run.output.contains("history_change is partitioned"), "\(run.output) \(run.errors)")
            #expect(tool("history", "partition", "--every", "7d", on: database).output.contains("is partitioned."))
            let status = tool("history", "status", on: database)
            #expect(status.output.split(separator: "Partition  ").count >= 5, "\(status.output)")
            #expect(status.output.contains("3 changes in 3 transactions"))
            #expect(status.output.contains("Partition  what no other one is for, "))
            try await database.execute(
                """
                DO $$ BEGIN
                    CREATE TEMPORARY TABLE number (i integer);
                    FOR i IN 1..10000 LOOP
                        BEGIN INSERT INTO number VALUES (i); EXCEPTION WHEN OTHERS THEN NULL; END;
                    END LOOP;
                END $$
                """)
            try await database.execute("INSERT INTO item (pk, name) VALUES (4, 'a')")
            try await database.waitForOlderTransactions()
            let prune = tool("history", "prune", "--older-than", "1h", "--format", "json", on: database)
            let json = try prune.json()
            #expect(json["partitions"] as? Int == 1 && json["transactions"] as? Int == 0, "\(prune.output)")
            #expect(tool("history", "status", on: database).output.contains("1 change in 1 transaction,"))
            // With the partition, if others have used up its numbers; else by itself.
            let rest = tool("history", "prune", "--keep", "0", on: database)
            #expect(rest.output.contains("Done: 1 "), "\(rest.output) \(rest.errors)")
            #expect(tool("history", "status", on: database).output.contains("0 changes in 0 transactions,"))
            #expect(tool("drift", on: database).exitCode == 0)
        }
    }

    @Test("grant gives a role what it is named for")
    func grant() async throws {
        try await withTestDatabase { database in
            #expect(tool("apply", on: database).exitCode == 0)
            let role = "strata_reader_\(UInt32.random(in: 0 ... .max))"
            try await database.execute("CREATE ROLE \(role)")
            #expect(tool("history", "grant", role, on: database).exitCode == 2)
            let run = tool("history", "grant", role, "--read", "--prune", on: database)
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.output.contains("\(role) reads the history"))
            let rights = try await database.texts(
                """
                SELECT has_table_privilege('\(role)', 'strata.history_change', 'SELECT')::text \
                || has_table_privilege('\(role)', 'strata.history_change', 'DELETE')::text
                """)
            #expect(rights == ["truefalse"])
            #expect(tool("history", "grant", "nobody_of_this_name", "--read", on: database).exitCode != 0)
            try await database.execute("DROP OWNED BY \(role)", "DROP ROLE \(role)")
        }
    }

    @Test("baseline begins the history")
    func baseline() async throws {
        try await withTestDatabase { database in
            #expect(tool("apply", on: database).exitCode == 0)
            try await database.execute(
                "DROP SCHEMA strata CASCADE", "DROP TRIGGER strata_history_insert ON item")
            let run = tool("baseline", on: database)
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(tool("drift", on: database).exitCode == 0, "\(tool("drift", on: database).output)")
            try await database.execute("INSERT INTO item (pk, name) VALUES (1, 'a')")
            #expect(try await database.texts("SELECT count(*)::text FROM strata.history_change") == ["1"])
        }
    }
}
