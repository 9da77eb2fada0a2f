import Foundation
import StrataMigrations

extension MigrationFolder {
    /// Writes and removes files, the sum file last. A crash leaves the folder as it was or without the sums of what is new,
    /// which the next call of the same command completes.
    func write(
        _ files: [(name: String, text: String)], removing removed: [String], sums: SumFile
    ) throws(MigrationError) {
        do {
            try removeLeftovers()
            // All of them are on the disk before the first gets its name.
            for file in files { try prepare(file.text, for: file.name) }
            for file in files { try install(file.name) }
            for name in removed { try FileManager.default.removeItem(atPath: path + "/" + name) }
            try prepare(sums.text, for: SumFile.name)
            try install(SumFile.name)
        } catch {
            throw MigrationError(
                .unexpected, "The folder of migrations cannot be written.", places: [path],
                remedy: "make it writable, then run the command again", underlying: error)
        }
    }

    private func prepare(_ text: String, for name: String) throws {
        let file = temporary(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.synchronize()
        try handle.close()
    }

    private func install(_ name: String) throws {
        guard rename(temporary(name).path, path + "/" + name) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path + "/" + name])
        }
    }

    /// Files that begin with a dot are none of the folder's.
    private func temporary(_ name: String) -> URL {
        let file = URL(fileURLWithPath: path + "/" + name)
        return file.deletingLastPathComponent().appendingPathComponent("." + file.lastPathComponent + Self.suffix)
    }

    private static let suffix = ".unfinished"

    private func removeLeftovers() throws {
        for folder in [path, path + "/schema"] where FileManager.default.fileExists(atPath: folder) {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder)
            where name.hasPrefix(".") && name.hasSuffix(Self.suffix) {
                try FileManager.default.removeItem(atPath: folder + "/" + name)
            }
        }
    }
}
