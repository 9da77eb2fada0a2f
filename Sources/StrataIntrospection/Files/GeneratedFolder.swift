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
        /// Files that somebody else has written.
        package var foreign: [String] = []
        /// Files of an earlier run that were edited since.
        package var edited: [String] = []

        package var description: String {
            func said(_ files: [String], _ what: String) -> String? {
                files.isEmpty ? nil : "\(files.joined(separator: ", ")) \(files.count == 1 ? "was" : "were") \(what)"
            }
            return [
                said(foreign, "not written by strata introspect"),
                said(edited, "edited since strata introspect wrote \(edited.count == 1 ? "it" : "them")"),
            ]
            .compactMap { $0 }.joined(separator: ", and ")
        }
    }

    private let url: URL

    package init(_ url: URL) {
        self.url = url
    }

    /// Makes the folder hold these files, all or none of them. Each says in its second line what it was made as, so that an edit is seen.
    ///
    /// - Parameter overwriting: whether files of others and edited ones give way too, where one of these has their name, and files of earlier runs go that are
    ///   not among these. A file does not say whether its table is gone, or was not read this time.
    /// - Throws: ``Refusal`` when one of the names is that of a file that somebody else has written or edited; what the file system says.
    package func write(_ files: [String: String], overwriting: Bool = false) throws -> Changes {
        let manager = FileManager.default
        var (changes, refusal, texts) = (Changes(), Refusal(), [String: String]())
        for (name, text) in files.mapValues(GeneratedText.sealed).sorted(by: { $0.key < $1.key }) {
            guard let existing = manager.contents(atPath: url.appendingPathComponent(name).path) else {
                texts[name] = text
                continue
            }
            if existing == Data(text.utf8) {
                changes.unchanged += 1
            } else if overwriting {
                texts[name] = text
            } else if !Self.isOurs(existing) {
                refusal.foreign.append(name)
            } else if GeneratedText.isEdited(existing) {
                refusal.edited.append(name)
            } else {
                texts[name] = text
            }
        }
        guard refusal == Refusal() else { throw refusal }
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
