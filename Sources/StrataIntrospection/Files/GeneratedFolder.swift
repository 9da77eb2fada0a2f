package import Foundation

/// A folder of generated files: writes what has changed, removes what is no more where it may, and touches nothing that somebody else has
/// written.
package struct GeneratedFolder {
    /// What was done, by file name in order.
    package struct Changes: Hashable, Sendable {
        package var written: [String] = []
        package var removed: [String] = []
        /// Files of other runs that this one has nothing for: of tables that are gone, or that it did not read.
        package var left: [String] = []
        package var unchanged = 0

        package init(written: [String] = [], removed: [String] = [], left: [String] = [], unchanged: Int = 0) {
            (self.written, self.removed, self.left, self.unchanged) = (written, removed, left, unchanged)
        }
    }

    /// Why nothing was written.
    package struct Refusal: Error, Hashable, CustomStringConvertible {
        package let files: [String]
        package var description: String {
            "\(files.joined(separator: ", ")) \(files.count == 1 ? "was" : "were") not written by strata introspect"
        }
    }

    private let url: URL

    package init(_ url: URL) {
        self.url = url
    }

    /// Makes the folder hold these files, all or none of them.
    ///
    /// - Parameter overwriting: whether files of others give way too, where one of these has their name, and files of earlier runs go that are
    ///   not among these. A file does not say whether its table is gone, or was not read this time.
    /// - Throws: ``Refusal`` when one of the names is that of a file that somebody else has written; what the file system says.
    package func write(_ files: [String: String], overwriting: Bool = false) throws -> Changes {
        let manager = FileManager.default
        var (changes, foreign, texts) = (Changes(), [String](), [String: String]())
        for (name, text) in files.sorted(by: { $0.key < $1.key }) {
            guard let existing = manager.contents(atPath: url.appendingPathComponent(name).path) else {
                texts[name] = text
                continue
            }
            if existing == Data(text.utf8) {
                changes.unchanged += 1
            } else if overwriting || Self.isOurs(existing) {
                texts[name] = text
            } else {
                foreign.append(name)
            }
        }
        guard foreign.isEmpty else { throw Refusal(files: foreign) }
        let present = try? manager.contentsOfDirectory(atPath: url.path)
        let left = (present ?? []).filter { name in
            name.hasSuffix(".swift") && files[name] == nil
                && manager.contents(atPath: url.appendingPathComponent(name).path).map(Self.isOurs) == true
        }
        try manager.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in texts { try Data(text.utf8).write(to: url.appendingPathComponent(name), options: .atomic) }
        if overwriting { for name in left { try manager.removeItem(at: url.appendingPathComponent(name)) } }
        changes.written = texts.keys.sorted()
        (changes.removed, changes.left) = overwriting ? (left.sorted(), []) : ([], left.sorted())
        return changes
    }

    private static func isOurs(_ content: Data) -> Bool { content.starts(with: Data(ModelSource.mark.utf8)) }
}
