import Foundation
import StrataTestSupport
import Testing

@Suite("The configuration file")
struct ConfigurationFileTests {
    private func run(_ json: String?, name: String = "strata.json", _ arguments: String...) throws -> ToolRun {
        let folder = try WrittenStages.folder()
        if let json { try folder.write(json, to: name) }
        return ToolRun(arguments, project: WrittenStages.project, directory: folder.path)
    }

    private static let none = "postgres://127.0.0.1:1/none"

    @Test("its values hold where no flag says otherwise; those of the environment before those for all")
    func precedence() async throws {
        try await withTestDatabase { database in
            try await database.execute("CREATE TABLE legacy_order (pk bigint)")
            let file = """
                {"databaseURL": "\(Self.none)", "ignore": ["legacy_*"],
                 "environments": {"test": {"databaseURL": "\(database.url)"}, "other": {"schema": "elsewhere"}}}
                """
            #expect(try run(file, "status").exitCode == 12)
            let named = try run(file, "status", "--env", "test", "--format", "json")
            #expect(named.exitCode == 3)
            #expect(try (named.json()["database"] as? [String: Any])?["schema"] as? String == "public")
            #expect(try run(file, "status", "--env", "test", "--database-url", Self.none).exitCode == 12)
            let other = try run(file, "status", "--env", "other", "--database-url", database.url, "--format", "json")
            #expect(try (other.json()["database"] as? [String: Any])?["schema"] as? String == "elsewhere")
            let flag = try run(
                file, "status", "--env", "other", "--schema", "third", "--database-url", database.url, "--format",
                "json")
            #expect(try (flag.json()["database"] as? [String: Any])?["schema"] as? String == "third")
        }
    }

    @Test("tables that are to be ignored are no drift")
    func ignoredTables() async throws {
        try await withTestDatabase { database in
            let url = ["--database-url", database.url]
            #expect(ToolRun(["apply"] + url, project: WrittenStages.project).exitCode == 0)
            try await database.execute("CREATE TABLE legacy_order (pk bigint)")
            #expect(try run("{}", "status", "--database-url", database.url).exitCode == 4)
            #expect(try run("{}", "status", "--ignore", "legacy_*", "--database-url", database.url).exitCode == 0)
            let file = #"{"ignore": ["legacy_*"]}"#
            #expect(try run(file, "status", "--database-url", database.url).exitCode == 0)
            #expect(try run(file, "drift", "--database-url", database.url).exitCode == 0)
        }
    }

    @Test("tables that are to be ignored do not keep a schema from being the tool's")
    func ignoredTablesBefore() async throws {
        try await withTestDatabase { database in
            try await database.execute("CREATE TABLE legacy_order (pk bigint)")
            #expect(try run("{}", "apply", "--database-url", database.url).exitCode == 4)
            let file = #"{"ignore": ["legacy_*"]}"#
            #expect(try run(file, "plan", "--database-url", database.url).exitCode == 3)
            #expect(try run(file, "apply", "--database-url", database.url).exitCode == 0)
        }
    }

    @Test("another file by its name; a file that is named must be there")
    func otherFile() throws {
        let file = #"{"databaseURL": "\#(Self.none)"}"#
        #expect(try run(file, name: "own.json", "status", "--config", "own.json").exitCode == 12)
        #expect(try run(file, name: "own.json", "status").exitCode == 2)
        #expect(try run(nil, "status", "--config", "own.json").exitCode == 2)
        #expect(try run(nil, "status", "--env", "production").errors.contains("there is no strata.json"))
    }

    @Test(
        "mistakes are wrong usage and are named",
        arguments: [
            (#"{"databaseURl": "x"}"#, "a key that means nothing: databaseURl"),
            (#"{"environments": {"a": {"environments": {}}}}"#, "a has a key that means nothing: environments"),
            (#"{"environments": {"b": {}}}"#, "has no environment a"),
            (#"{"environments": ["a"]}"#, "environments must be an object"),
            (#"{"schema": 5}"#, "schema of the file must be a text"),
            (#"{"ignore": "legacy"}"#, "ignore of the file must be a list"),
            ("{,}", "is no JSON"),
        ])
    func mistakes(file: String, message: String) throws {
        let run = try run(file, "status", "--env", "a", "--database-url", Self.none)
        #expect(run.exitCode == 2)
        #expect(run.errors.contains(message), "\(run.errors)")
    }
}
