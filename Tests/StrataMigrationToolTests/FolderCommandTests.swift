import Foundation
import StrataMigrationTool
import StrataMigrations
import Testing

@Suite("Commands on the folder of migrations")
struct FolderCommandTests {
    private let project = MigrationProject(chain: {
        MigrationChain(versions: [WrittenStages.first, WrittenStages.second], stages: [.init()])
    })

    @Test("generate --check ends with 3 until generate has written the files")
    func generate() throws {
        let folder = try ProjectFolder()
        let check = folder.run("generate", "--check", "--dir", "db", project: project)
        #expect(check.exitCode == 3)
        #expect(check.errors.contains("--> db/0001_v1.sql\n"))
        let generate = folder.run("generate", "--dir", "db", project: project)
        #expect(generate.exitCode == 0, "\(generate.errors)")
        #expect(
            generate.output == """
                wrote db/schema/V1.json
                wrote db/schema/V2.json
                wrote db/0001_v1.sql
                wrote db/0002_v1_v2.sql
                wrote db/0002_v1_v2.down.sql
                wrote db/0002_v1_v2.checks.sql
                wrote db/migrations.sum

                """)
        #expect(folder.run("generate", "--check", "--dir", "db", project: project).exitCode == 0)
        #expect(folder.run("generate", "--dir", "db", project: project).output == "All files are there.\n")
        for command in ["rebase", "hash"] {
            let run = folder.run(command, "--dir", "db", project: project)
            #expect(run.exitCode == 0)
            #expect(run.output.hasPrefix("All "))
        }
        #expect(
            folder.run("squash", "--dir", "db", project: project).output
                == "wrote db/0002_squashed_v2.sql\nwrote db/migrations.sum\n")
        #expect(folder.run("squash", "--dir", "db", project: project).output == "Nothing to shorten.\n")
    }

    @Test("missing files stop apply before it looks for a server")
    func missingFiles() throws {
        let folder = try WrittenStages.folder()
        let project = MigrationProject(chain: {
            MigrationChain(
                versions: [WrittenStages.first, WrittenStages.second, Self.third], stages: [.init(), .init()])
        })
        let run = folder.run("generate", "--check", project: project)
        #expect(run.exitCode == 3)
        #expect(run.errors.contains("migrations/0003_v2_v3.sql"))
    }

    @Test("a stage whose changes were edited ends with 5 until generate --rewrite, which never runs with --check")
    func rewrite() throws {
        let folder = try ProjectFolder()
        #expect(folder.run("generate", project: project).exitCode == 0)
        let changed = MigrationProject(chain: {
            MigrationChain(
                versions: [WrittenStages.first, WrittenStages.second],
                stages: [.init(changes: [.sql("ANALYZE trip", phase: .contract)])])
        })
        for arguments in [["generate"], ["generate", "--check"], ["apply", "--local"], ["status", "--local"]] {
            // Files come first: no server is started.
            let run = ToolRun(arguments, project: changed, directory: folder.path)
            #expect(run.exitCode == 5, "\(arguments)")
            #expect(run.errors.contains("--> migrations/0002_v1_v2.sql:1\n"), "\(run.errors)")
            #expect(
                run.errors.contains(
                    "fix: undo the edit of the plan; or, if no database has version 2.0.0 yet, run generate --rewrite"))
        }
        let both = folder.run("generate", "--check", "--rewrite", project: changed)
        #expect(both.exitCode == 2)
        let rewrite = folder.run("generate", "--rewrite", project: changed)
        #expect(rewrite.exitCode == 0, "\(rewrite.errors)")
        #expect(rewrite.output.hasPrefix("wrote migrations/0002_v1_v2.sql\n"), "\(rewrite.output)")
        #expect(folder.run("generate", "--check", project: changed).exitCode == 0)
        #expect(folder.run("generate", "--rewrite", project: changed).output == "All files are there.\n")
    }

    @Test("lint of a folder without files is not a success")
    func noFiles() throws {
        let folder = try ProjectFolder()
        let run = folder.run("lint", "--dir", "migration", project: project)
        #expect(run.exitCode == 3)
        #expect(run.errors.contains("There are no migration files in migration."))
        #expect(run.errors.contains("fix: run generate, or name the folder with --dir"))
    }

    private static let third = FrozenSchema(
        version: .init(3, 0, 0), entities: [], database: WrittenStages.second.database)

    @Test("an edited file, an edited version and marks of a merge end with 5 and the line")
    func integrity() throws {
        let folder = try WrittenStages.folder()
        try folder.edit("migrations/0002_v1_v2.sql") { $0.replacing("rating bigint", with: "rating text") }
        let edited = folder.run("generate", "--check", "--format", "github", project: project)
        #expect(edited.exitCode == 5)
        #expect(edited.output.hasPrefix("::error file=migrations/0002_v1_v2.sql,line=1,"), "\(edited.output)")
        let hash = folder.run("hash", project: project)
        #expect(hash.output == "0002_v1_v2.sql was edited\n")

        let version = MigrationProject(chain: {
            var second = WrittenStages.second
            second.database.tables[0].columns[2].isNullable = false
            return MigrationChain(versions: [WrittenStages.first, second], stages: [.init()])
        })
        let changed = folder.run("generate", "--check", project: version)
        #expect(changed.exitCode == 5)
        #expect(changed.errors.contains("--> migrations/schema/V2.json:1\n"))
        #expect(changed.errors.contains("column trip.rating: isNullable true → false"), "\(changed.errors)")

        try folder.edit("migrations/migrations.sum") { "\n<<<<<<< HEAD\n" + $0 + "=======\n>>>>>>> main\n" }
        for command in ["generate", "lint", "hash"] {
            let conflict = folder.run(command, project: project)
            #expect(conflict.exitCode == 5)
            #expect(conflict.errors.contains("--> migrations/migrations.sum:2\n"))
            #expect(conflict.errors.contains("run rebase"))
        }
        #expect(folder.run("rebase", project: project).output == "wrote migrations.sum\n")
        #expect(folder.run("generate", "--check", project: project).exitCode == 0)
    }
}
