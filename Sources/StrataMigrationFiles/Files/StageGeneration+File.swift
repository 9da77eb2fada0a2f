import StrataMigrations

extension StageGeneration {
    private static let prefix = "-- \(FileDirective.Key.generated.rawValue): "

    /// Reads the entry of a header; `nil` for one that cannot be read.
    init?(entry: String, up: String, down: String?, checks: String?) {
        let words = entry.split(whereSeparator: \.isWhitespace)
        guard words.count == 2 else { return nil }
        self.init(
            changes: String(words[0]), isEdited: words[1] != Self.checksum(up: up, down: down, checks: checks))
    }

    /// The text of a stage's main file with its line, behind the one that names the checks.
    func written(into up: String, down: String?, checks: String?) -> String {
        var lines = up.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let place = lines.firstIndex { $0.hasPrefix("-- checks: ") } ?? 0
        lines.insert(Self.prefix + changes + " " + Self.checksum(up: up, down: down, checks: checks), at: place + 1)
        return lines.joined(separator: "\n")
    }

    private static func checksum(up: String, down: String?, checks: String?) -> String {
        var lines = plain(up).split(separator: "\n", omittingEmptySubsequences: false)
        if let own = lines.firstIndex(where: { $0.hasPrefix(prefix) }) { lines.remove(at: own) }
        var digest = TokenDigest()
        digest.add([lines.joined(separator: "\n"), plain(down ?? ""), plain(checks ?? "")])
        return digest.hex
    }

    /// Without the line ends that version control may have made, and without the lines that name operations: those tell
    /// themselves whether they fit, and files of an earlier release have none.
    private static func plain(_ text: String) -> String {
        OperationDirective.removed(from: text.replacing("\r\n", with: "\n"))
    }
}
