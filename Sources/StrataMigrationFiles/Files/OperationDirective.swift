import StrataMigrations

/// The line that names a step's operation: `-- operation: add-column 3f9a2c1e`, or `-- operation: verify-again M401 0b7755d2`.
///
/// The digits are over what the step runs and how. Where somebody has edited the step they do not fit any more, and the step is
/// ``MigrationOperation/custom``; so is one without this line, in a file of an earlier release or by hand.
struct OperationDirective {
    private let operation: MigrationOperation
    private let repeatedCheck: String?
    private let signature: String

    /// `nil` for an entry that names no operation.
    private init?(_ entry: String) {
        let words = DirectiveWord.split(entry) { $0 == " " }
        guard words.count == 2 || words.count == 3, let operation = MigrationOperation(rawValue: words[0]) else {
            return nil
        }
        self.operation = operation
        repeatedCheck = words.count == 3 ? DirectiveWord.value(words[1]) : nil
        signature = words[words.count - 1]
    }

    /// `nil` for a step of nobody's planning.
    static func text(_ step: MigrationStep) -> String? {
        guard step.operation != .custom else { return nil }
        let code = step.repeatedCheck.map { [DirectiveWord.text($0)] } ?? []
        return prefix + ([step.operation.rawValue] + code + [signature(of: step)]).joined(separator: " ")
    }

    /// The step as the entries of its section name it.
    static func named(_ step: MigrationStep, by section: FileSection) -> MigrationStep {
        var step = step
        guard let directive = section.entries(.operation).first.flatMap(OperationDirective.init) else {
            step.repeatedCheck = section.entries(.note).lazy.compactMap(formerRepetition).first
            return step
        }
        // An edited query asks for the same thing still: what was accepted stays so.
        step.repeatedCheck = directive.repeatedCheck
        step.operation = directive.operation
        if signature(of: step) != directive.signature { step.operation = .custom }
        return step
    }

    /// A text without such lines, as an earlier release wrote it.
    static func removed(from text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.filter { !$0.hasPrefix(prefix) }.joined(separator: "\n")
    }

    private static let prefix = "-- \(FileDirective.Key.operation.rawValue): "

    private static func signature(of step: MigrationStep) -> String {
        var digest = TokenDigest()
        digest.add([step.operation.rawValue, step.repeatedCheck ?? "", step.checksum])
        return String(digest.hex.prefix(8))
    }

    /// The check that a verification asks once more, as files of earlier releases say it: in a note.
    private static func formerRepetition(_ note: String) -> String? {
        let words = note.split(separator: " ")
        return words.count == 3 && words.starts(with: ["repeats", "check"]) ? String(words[2]) : nil
    }
}
