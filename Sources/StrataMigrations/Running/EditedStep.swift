/// A step that is no longer what it was when it was run or begun.
package struct EditedStep: Hashable, Sendable {
    package var stage: StageName
    /// `2.1`
    package var step: String
    /// What happened to it, in one line.
    package var text: String
    /// What was removed (`- …`) and added (`+ …`), a part each; empty where nobody has written down what it was.
    package var difference: [String]

    /// The lines for a message.
    package var places: [String] { [text] + difference.map { "  " + $0 } }
}

extension EditedStep {
    init(_ step: MigrationStep, of stage: StageName, recorded: [String]?) {
        self.init(
            stage: stage, step: step.id, text: "step \(step.id) of \(stage): \(step.title)",
            difference: recorded.map { Self.difference(from: $0, to: step.content) } ?? [])
    }

    private static func difference(from old: [String], to new: [String]) -> [String] {
        new.map(Part.init).difference(from: old.map(Part.init)).map { change in
            switch change {
            case .remove(_, let part, _): "- " + part.text.beginning(200)
            case .insert(_, let part, _): "+ " + part.text.beginning(200)
            }
        }
    }

    /// Compared by what it says.
    private struct Part: Equatable {
        let text: String
        private let checksum: String

        init(_ text: String) {
            self.text = text
            var digest = TokenDigest()
            digest.add(sql: text)
            checksum = digest.hex
        }

        static func == (one: Part, other: Part) -> Bool { one.checksum == other.checksum }
    }
}
