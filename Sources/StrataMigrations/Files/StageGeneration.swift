/// What the files of a stage were generated from, and whether they are still what was generated.
///
/// It stands in the header, so that an edit of the plan and an edit of the files are told apart, and neither from what a
/// later library would write: `-- generated: <what the plan declared> <checksum of the texts>`.
package struct StageGeneration: Hashable, Sendable {
    /// Over what the plan declared for the stage; ``nothing`` where that was nothing.
    package var changes: String
    /// Whether somebody has edited the files since. A comment counts, too: writing them anew would lose it.
    package var isEdited: Bool

    static let nothing = "none"
    private static let prefix = "-- \(FileDirective.Key.generated.rawValue): "

    init(of stage: MigrationChain.Stage) {
        changes = stage.declaration
        isEdited = false
    }

    /// Reads the entry of a header; `nil` for one that cannot be read.
    init?(entry: String, up: String, down: String?, checks: String?) {
        let words = entry.split(whereSeparator: \.isWhitespace)
        guard words.count == 2 else { return nil }
        changes = String(words[0])
        isEdited = words[1] != Self.checksum(up: up, down: down, checks: checks)
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

extension MigrationChain.Stage {
    /// Over what the stage declares, closures left out; lower-case hexadecimal, or ``StageGeneration/nothing``.
    ///
    /// The order of declarations says nothing, but that of statements among themselves does. Texts count by their tokens.
    var declaration: String {
        guard !changes.isEmpty else { return StageGeneration.nothing }
        var digest = TokenDigest()
        digest.add(changes.filter { !$0.isStatement }.map(\.digest).sorted())
        digest.add(changes.filter(\.isStatement).map(\.digest))
        return digest.hex
    }
}

extension SchemaChange {
    fileprivate var isStatement: Bool { if case .sql = kind { true } else { false } }

    fileprivate var digest: String {
        let (words, text): ([String], String?) =
            switch kind {
            case .renamed(let old, let new): (["renamed", "\(old)", "\(new)"], nil)
            case .dropped(let old): (["dropped", "\(old)"], nil)
            case .consumed(let old): (["consumed", "\(old)"], nil)
            case .split(let new, let condition): (["split", new], condition)
            case .merged(let old, let remaining): (["merged", old, remaining], nil)
            case .converted(let new, let expression): (["converted", "\(new)"], expression)
            case .filled(let new, let expression): (["filled", "\(new)"], expression)
            case .sideBySide(let new): (["sideBySide", "\(new)"], nil)
            case .sql(let statement, let phase): (["sql", phase.rawValue], statement)
            }
        var digest = TokenDigest()
        digest.add(words)
        if let text { digest.add(sql: text) }
        return digest.hex
    }
}
