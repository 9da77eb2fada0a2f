import StrataClient
import StrataMigrationTool
import StrataMigrations
import Testing

@Suite("Tool output")
struct OutputTests {
    private static func failing(_ error: MigrationError) -> MigrationProject {
        MigrationProject(chain: { () throws(MigrationError) in throw error })
    }

    @Test("every kind of failure ends with its own exit code", arguments: MigrationError.Code.allCases)
    func exitCodes(code: MigrationError.Code) throws {
        let project = Self.failing(MigrationError(code, "It failed."))
        #expect(ToolRun(["diagram"], project: project).exitCode == code.exitCode)
        let run = ToolRun(["diagram", "--format", "json"], project: project)
        #expect(run.exitCode == code.exitCode)
        #expect(try run.json()["code"] as? String == code.rawValue)
        #expect(try run.json()["exit"] as? Int == Int(code.exitCode))
    }

    @Test("a failure as text: what, where, what to do, on the standard error")
    func failureText() {
        let error = MigrationError(
            .preflightRefused, "String -> Int would fail for 3 rows", places: ["migrations/0007_v6_v7.sql:14"],
            remedy: "declare a custom stage")
        let run = ToolRun(["diagram"], project: Self.failing(error))
        #expect(run.output == "")
        #expect(
            run.errors == """
                error[preflight_refused]: String -> Int would fail for 3 rows
                  --> migrations/0007_v6_v7.sql:14
                  fix: declare a custom stage
                  no table was changed (exit 7)

                """)
    }

    @Test("a failure for GitHub points to the line of the file")
    func failureForGitHub() {
        let error = MigrationError(.lint, "100% bad,\nreally", places: ["migrations/0007_v6_v7.sql:14 (step 7.1)"])
        let run = ToolRun(["diagram", "--format", "github"], project: Self.failing(error))
        #expect(
            run.output
                == "::error file=migrations/0007_v6_v7.sql,line=14,title=diagram%3A lint::100%25 bad,%0Areally%0A"
                + "  --> migrations/0007_v6_v7.sql:14 (step 7.1)\n")
    }

    @Test("colour only on a terminal, without NO_COLOR and --no-color")
    func color() {
        let project = Self.failing(MigrationError(.usage, "No."))
        #expect(ToolRun(["diagram"], project: project, isTerminal: true).errors.contains("\u{1B}["))
        #expect(!ToolRun(["diagram"], project: project).errors.contains("\u{1B}["))
        #expect(!ToolRun(["diagram", "--no-color"], project: project, isTerminal: true).errors.contains("\u{1B}["))
        let quiet = ToolRun(["diagram"], project: project, isTerminal: true, environment: ["NO_COLOR": "1"])
        #expect(!quiet.errors.contains("\u{1B}["))
    }

    @Test("wrong arguments end with 2, also where JSON was asked for")
    func wrongArguments() throws {
        let run = ToolRun(["diagram", "--knid", "er"], project: DrawnSchema.project)
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("--knid"))
        let json = ToolRun(["diagram", "--format", "json", "--knid"], project: DrawnSchema.project)
        #expect(json.exitCode == 2)
        #expect(try json.json()["code"] as? String == "usage")
        #expect(ToolRun(["nonsense"], project: DrawnSchema.project).exitCode == 2)
    }

    @Test("help is no failure")
    func help() {
        for arguments in [[], ["--help"], ["diagram", "--help"]] {
            let run = ToolRun(arguments, project: DrawnSchema.project)
            #expect(run.exitCode == 0)
            #expect(run.output.contains("USAGE"))
        }
        for arguments in [["diagram", "--help"], ["help", "diagram"], ["diagram", "-h"]] {
            let run = ToolRun(arguments, project: DrawnSchema.project)
            #expect(run.exitCode == 0)
            #expect(run.output.contains("--svg <file>"), "\(arguments)")
        }
    }

    @Test("passwords go from every text: as they are, encoded, and in URLs nobody could read")
    func redaction() throws {
        var redaction = Redaction()
        redaction.add(try PostgresConfiguration(url: "postgres://app:p%40ss%2Fword@db/shop"))
        #expect(redaction("failed: p@ss/word") == "failed: ********")
        #expect(redaction("failed: p%40ss%2Fword") == "failed: ********")
        #expect(redaction("postgras://app:other@db/shop") == "postgras://app:********@db/shop")
        #expect(redaction("postgres://app@db:5432/shop") == "postgres://app@db:5432/shop")
    }

    @Test("times as people write them")
    func times() {
        #expect(TimeSpan(argument: "200ms")?.milliseconds == 200)
        #expect(TimeSpan(argument: "2s")?.milliseconds == 2000)
        #expect(TimeSpan(argument: "60")?.milliseconds == 60_000)
        #expect(TimeSpan(argument: "5min")?.milliseconds == 300_000)
        #expect(TimeSpan(argument: "1h")?.milliseconds == 3_600_000)
        #expect(TimeSpan(argument: "-1s") == nil)
        #expect(TimeSpan(argument: "soon") == nil)
        #expect(TimeSpan.text(milliseconds: 12) == "12 ms")
        #expect(TimeSpan.text(milliseconds: 38_712) == "38.7 s")
    }
}
