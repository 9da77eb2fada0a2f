import Foundation
import StrataMigrationTool
import StrataTestSupport
import Testing

@Suite("lint")
struct LintCommandTests {
    private func run(_ sql: String, _ arguments: String...) throws -> ToolRun {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lint-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try sql.write(to: folder.appending(path: "own.sql"), atomically: true, encoding: .utf8)
        return ToolRun(["lint", "own.sql"] + arguments, project: DrawnSchema.project, directory: folder.path)
    }

    private static let bad = "\nCREATE INDEX trip_name_idx ON trip (name);\n"

    @Test("an index that blocks writes ends with 6, in every format")
    func finding() throws {
        let text = try run(Self.bad)
        #expect(text.exitCode == 6)
        #expect(text.output.contains("error[L101]"))
        #expect(text.output.contains("own.sql:2"))
        let json = try run(Self.bad, "--format", "json")
        #expect(json.exitCode == 6)
        let document = try json.json()
        #expect(document["code"] as? String == "lint")
        let rules = (document["findings"] as? [[String: Any]] ?? []).compactMap { $0["rule"] as? String }
        #expect(rules.contains("L101"))
        #expect(try run(Self.bad, "--format", "github").output.contains("::error file=own.sql,line=2,title=L101"))
    }

    @Test("nothing to say ends with 0, a missing file with 2")
    func noFinding() throws {
        #expect(try run("SELECT 1;").exitCode == 0)
        #expect(ToolRun(["lint", "nowhere.sql"], project: DrawnSchema.project).exitCode == 2)
    }

    @Test("the server that is aimed at counts: 14 built indexes that could be wrong, until 14.4")
    func targetVersion() throws {
        let sql = "SET statement_timeout = 0;\nCREATE INDEX CONCURRENTLY trip_name_idx ON trip (name);\n"
        func findings(_ version: String) throws -> Int {
            let json = try run(sql, "--format", "json", "--target-version", version).json()
            return (json["findings"] as? [Any] ?? []).count
        }
        #expect(try findings("14") == findings("15") + 1)
    }

    @Test("only files that are new since a branch; a branch that is not there is wrong usage")
    func newFiles() throws {
        let folder = try WrittenStages.folder()
        func git(_ arguments: String...) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["git", "-C", folder.path, "-c", "user.name=t", "-c", "user.email=t@t"] + arguments
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "git \(arguments)")
        }
        func files(_ arguments: String...) throws -> Int? {
            let run = ToolRun(
                ["lint", "--format", "json"] + arguments, project: WrittenStages.project, directory: folder.path)
            return try run.json()["files"] as? Int
        }
        try git("init", "--quiet", "--initial-branch", "main")
        try git("add", "migrations/0001_v1.sql")
        try git("commit", "--quiet", "--message", "first")
        #expect(try files() == 2)
        // Whether it is committed yet or not.
        #expect(try files("--git-base", "main") == 1)
        try git("switch", "--quiet", "--create", "feature")
        try git("add", "migrations")
        try git("commit", "--quiet", "--message", "second")
        #expect(try files("--git-base", "main") == 1)
        #expect(try files("--git-base", "feature") == 0)
        let unknown = folder.run("lint", "--git-base", "nowhere", project: WrittenStages.project)
        #expect(unknown.exitCode == 2)
        #expect(unknown.errors.contains("name a branch that is there"))
    }

    @Test("a small table and a newer server, told by a database, make some findings go")
    func database() async throws {
        try await withTestDatabase { database in
            try await database.execute(
                "CREATE TABLE trip (pk bigint PRIMARY KEY, name text)",
                "INSERT INTO trip SELECT n, n FROM generate_series(1, 50) n", "ANALYZE trip")
            let sql = "\nSET lock_timeout = '1s';\nALTER TABLE trip ALTER COLUMN name TYPE int USING name::int;\n"
            let blind = try run(sql, "--format", "json").json()
            let seeing = try run(sql, "--format", "json", "--database-url", database.url).json()
            func rules(_ json: [String: Any]) -> [String] {
                (json["findings"] as? [[String: Any]] ?? []).compactMap { $0["rule"] as? String }
            }
            #expect(rules(blind).count > rules(seeing).count)
            #expect(try run(sql, "--database-url", "postgres://127.0.0.1:1/none").exitCode == 12)
        }
    }
}
