package import StrataMigrations

/// `migrations.sum`: a line for each file, each bound to the lines before it, so that two branches that both add a file
/// cannot be merged without somebody looking.
package struct SumFile: Hashable, Sendable {
    package static let name = "migrations.sum"

    package struct Line: Hashable, Sendable {
        /// Below the folder: `0004_v3_v4.sql`, `schema/V4.json`.
        package let file: String
        /// Over what the file says; white space and comments do not count.
        package let checksum: String
        /// Over this line and all before it.
        package let chain: String
    }

    package let lines: [Line]

    /// The lines for files in their order.
    package init(_ files: [(name: String, checksum: String)]) {
        var lines: [Line] = []
        for file in files {
            var digest = TokenDigest()
            digest.add([lines.last?.chain ?? "", file.name, file.checksum])
            lines.append(Line(file: file.name, checksum: file.checksum, chain: digest.hex))
        }
        self.lines = lines
    }

    package var text: String {
        "# Written by the migration tool. On a merge conflict take either side, then run rebase.\n"
            + lines.map { "\($0.file) \($0.checksum) \($0.chain)\n" }.joined()
    }

    /// Reads the file.
    ///
    /// Throws ``MigrationError`` with the code `integrity` and a line for a line that is none, or whose chain is broken.
    package init(text: String) throws(MigrationError) {
        var files: [(name: String, checksum: String)] = []
        var found: [(line: Int, chain: Substring)] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            guard words.count == 3 else { throw Self.broken("is no line of a sum file", index + 1) }
            files.append((String(words[0]), String(words[1])))
            found.append((index + 1, words[2]))
        }
        self.init(files)
        for (line, found) in zip(lines, found) where line.chain != found.chain {
            throw Self.broken("does not follow from the lines before it", found.line)
        }
    }

    private static func broken(_ what: String, _ line: Int) -> MigrationError {
        MigrationError(
            .integrity, "Line \(line) of \(name) \(what).", places: ["\(name):\(line)"],
            remedy: "take the file from version control, or run rebase after a merge")
    }
}
