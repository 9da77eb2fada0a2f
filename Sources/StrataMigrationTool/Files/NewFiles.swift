import Foundation
import StrataMigrations

/// The files of a folder that a branch does not have, asked of git.
struct NewFiles {
    /// Without folders.
    let names: Set<String>

    /// - Throws: `MigrationError` with the code `usage` where git does not know the branch.
    init(since base: String, in folder: String) throws {
        let added = try Self.git(
            ["diff", "--name-only", "--diff-filter=A", "--end-of-options", "\(base)...", "--", "."], in: folder)
        let untracked = try Self.git(["ls-files", "--others", "--exclude-standard", "--", "."], in: folder)
        names = Set((added + untracked).map { $0.split(separator: "/").last.map(String.init) ?? $0 })
    }

    private static func git(_ arguments: [String], in folder: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", folder] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw MigrationError(
                .usage, "git could not compare \(folder): git \(arguments.joined(separator: " ")).",
                remedy: "name a branch that is there, and fetch it first")
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
