import Foundation
import StrataMigrationFiles
import StrataMigrations

/// A folder of migrations that goes when the value goes.
final class FolderFixture {
    let path: String
    var folder: MigrationFolder { MigrationFolder(path: path) }

    init(
        path: String = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)").path
    ) {
        self.path = path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }

    func write(_ text: String, to name: String) throws {
        let file = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    func edit(_ name: String, _ change: (String) -> String) throws { try write(change(try text(name)), to: name) }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }

    func copy(_ name: String, to other: String) throws { try write(try text(name), to: other) }

    /// All files, sorted.
    var names: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.contains(".") }.sorted()
        }
    }

    /// All files with their texts.
    var texts: [String: String] {
        get throws {
            var texts: [String: String] = [:]
            for name in try names { texts[name] = try text(name) }
            return texts
        }
    }

    /// What a merge in git makes of two folders: files of both, with marks where both have another text.
    static func merge(_ ours: FolderFixture, _ theirs: FolderFixture) throws -> FolderFixture {
        let merged = FolderFixture()
        let (left, right) = (try ours.texts, try theirs.texts)
        for (name, text) in left.merging(right, uniquingKeysWith: { one, _ in one }) {
            guard let one = left[name], let other = right[name], one != other else {
                try merged.write(text, to: name)
                continue
            }
            try merged.write("<<<<<<< HEAD\n\(one)=======\n\(other)>>>>>>> branch\n", to: name)
        }
        return merged
    }
}
