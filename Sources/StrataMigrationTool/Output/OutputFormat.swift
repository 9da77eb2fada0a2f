import ArgumentParser
package import StrataMigrations

/// What `--format` can be.
package enum OutputFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
    case text, json, github

    package func rendering(_ style: TextStyle) -> any OutputRendering {
        switch self {
        case .text: TextOutput(style: style)
        case .json: JSONOutput()
        case .github: GitHubOutput()
        }
    }
}

/// One way to write results, errors and progress; each answer is complete lines.
package protocol OutputRendering: Sendable {
    func result(_ result: any CommandResult, of command: String) -> String
    /// - Returns: the text, and whether it belongs to the standard output (where a program reads) or to the errors.
    func failure(_ error: MigrationError, of command: String) -> (text: String, isStandardOutput: Bool)
    /// A line while a command runs; `nil` where that would disturb.
    func progress(_ line: ProgressLine) -> String?
}

/// Something that happens while a command runs.
package struct ProgressLine: Sendable {
    package enum Kind: Sendable {
        case information, success, warning
    }

    package var kind: Kind
    package var text: String
    /// What the line is about, where it is said again and again: outside of a terminal only every ten seconds.
    package var repeats: String?

    package init(_ text: String) {
        self.init(.information, text)
    }

    /// The same with words before it.
    func preceded(by text: String) -> ProgressLine {
        text.isEmpty ? self : ProgressLine(kind, text + self.text, repeats: repeats.map { text + $0 })
    }

    package init(_ kind: Kind = .information, _ text: String, repeats: String? = nil) {
        self.repeats = repeats
        self.kind = kind
        self.text = text
    }
}
