import Foundation
import StrataMigrationFiles
import StrataMigrationTool
import StrataMigrations

/// A directory of its own in which a project's migrations lie; it goes when the value goes.
final class ProjectFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("strata-tool-\(UUID().uuidString)").path

    /// With the files of stages that were written by hand.
    init(_ scripts: [StageScript] = [], versions: [FrozenSchema] = []) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for version in versions {
            try write(version.canonicalJSON, to: "migrations/" + MigrationFolder.frozenName(version.version))
        }
        for script in scripts {
            for file in try MigrationFile(script).files { try write(file.text, to: "migrations/" + file.name) }
        }
        try MigrationFolder(path: path + "/migrations").hash()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
        let file = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    func edit(_ name: String, _ change: (String) -> String) throws {
        try write(change(try String(contentsOfFile: path + "/" + name, encoding: .utf8)), to: name)
    }

    /// Runs the tool in the directory.
    func run(_ arguments: String..., project: MigrationProject) -> ToolRun {
        ToolRun(arguments, project: project, directory: path)
    }
}
