import StrataMigrations

/// What a merge has left in a folder, taken apart: all files as one branch has them, and as the other.
struct MergeSides {
    /// One element without marks, else two.
    let texts: [[String: String]]

    /// Throws ``MigrationError`` with the code `integrity` for marks that do not belong together.
    init(_ merged: [String: String]) throws(MigrationError) {
        var ours = merged
        var theirs = merged
        var isMarked = false
        for (name, text) in merged.sorted(by: { $0.key < $1.key }) {
            guard let line = Self.firstMark(in: text) else { continue }
            guard let sides = Self.sides(of: text) else {
                throw MigrationError(
                    .integrity, "The marks of a merge in \(name) do not belong together.", places: ["\(name):\(line)"],
                    remedy: "take the whole file of either side, then run rebase")
            }
            (ours[name], theirs[name]) = sides
            isMarked = true
        }
        texts = isMarked ? [ours, theirs] : [merged]
    }

    /// The line of the first mark, from 1.
    static func firstMark(in text: String) -> Int? {
        guard text.contains("<<<<<<< ") || text.contains(">>>>>>> ") else { return nil }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.firstIndex { $0.hasPrefix("<<<<<<< ") || $0.hasPrefix(">>>>>>> ") }.map { $0 + 1 }
    }

    private static func sides(of text: String) -> (ours: String, theirs: String)? {
        enum Part { case both, ours, base, theirs }
        var part = Part.both
        var ours: [Substring] = []
        var theirs: [Substring] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            switch (part, line) {
            case (.both, let line) where line.hasPrefix("<<<<<<< "): part = .ours
            case (.ours, let line) where line.hasPrefix("||||||| "): part = .base
            case (.ours, "======="), (.base, "======="): part = .theirs
            case (.theirs, let line) where line.hasPrefix(">>>>>>> "): part = .both
            case (.both, let line):
                if line.hasPrefix(">>>>>>> ") { return nil }
                ours.append(line)
                theirs.append(line)
            case (.ours, let line): ours.append(line)
            case (.theirs, let line): theirs.append(line)
            case (.base, _): break
            }
        }
        guard part == .both else { return nil }
        return (ours.joined(separator: "\n"), theirs.joined(separator: "\n"))
    }
}
