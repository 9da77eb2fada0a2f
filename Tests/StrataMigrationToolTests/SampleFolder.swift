import Foundation
import StrataMigrationFiles
import StrataMigrations
import StrataTestSupport
import Testing

/// A copy of the sample's migrations to edit, and databases that lack the last of them.
struct SampleFolder {
    let folder: ProjectFolder

    /// At version 3, with a table of 100 rows that is not the sample's.
    static let database = TestTemplate("sample at version 3") { database in
        let run = try await SampleTripsProcess.run("apply", "--to", "3", "--database-url", database.url)
        guard run.exitCode == 0 else { throw RunningTool.Ended(text: run.errors) }
        try await database.execute(
            "CREATE TABLE public.probe (pk bigint PRIMARY KEY, value bigint NOT NULL)",
            "INSERT INTO public.probe SELECT n * 3, 0 FROM generate_series(1, 100) AS n")
    }

    /// - Parameter step: a directive with its statements, to stand before all others in the last stage.
    init(step: String? = nil) throws {
        folder = try ProjectFolder()
        let copy = folder.path + "/migrations"
        if FileManager.default.fileExists(atPath: copy) { try FileManager.default.removeItem(atPath: copy) }
        try FileManager.default.copyItem(
            atPath: SampleTripsProcess.directory.path + "/migrations", toPath: copy)
        if let step { try edit("0004_v3_v4.sql") { $0.replacing("\n-- step 4.1 ", with: "\n\(step)\n-- step 4.1 ") } }
    }

    var directory: URL { URL(fileURLWithPath: folder.path, isDirectory: true) }

    /// Edits a file and makes the sums fit.
    func edit(_ file: String, _ change: (String) -> String) throws {
        try folder.edit("migrations/" + file, change)
        try hash()
    }

    func hash() throws { try MigrationFolder(path: folder.path + "/migrations").hash() }

    func run(_ arguments: String..., on database: TestDatabase) async throws -> SampleTripsProcess {
        let directory = directory
        let arguments = arguments + ["--database-url", database.url]
        return try await withCheckedThrowingContinuation { continuation in
            Thread {
                continuation.resume(with: Result { try SampleTripsProcess(arguments, directory: directory) })
            }.start()
        }
    }

    /// Applies once more, which must bring the database to the newest version, with tables that are those of it.
    func bringHome(_ database: TestDatabase, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let apply = try await run("apply", on: database)
        #expect(apply.exitCode == 0, "\(apply.output)\(apply.errors)", sourceLocation: sourceLocation)
        let status = try await run("status", "--ignore", "probe", on: database)
        #expect(status.exitCode == 0, "\(status.output)\(status.errors)", sourceLocation: sourceLocation)
        #expect(status.output.contains("Version   4.0.0, target 4.0.0"), sourceLocation: sourceLocation)
    }
}
