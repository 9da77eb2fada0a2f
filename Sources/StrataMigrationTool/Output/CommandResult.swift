package import StrataMigrations

/// What a command has found or done, before it is written in one of the formats.
///
/// The properties are the JSON document; `code` and `command` are added to it.
package protocol CommandResult: Encodable, Sendable {
    /// What the process ends with; `nil` when all is well.
    var code: MigrationError.Code? { get }
    func text(_ style: TextStyle) -> [String]
    /// Whether it says no more than that what was asked for is done: `--quiet` leaves it out.
    var isConfirmation: Bool { get }
    /// What continuous integration shows beside a line of a file.
    var annotations: [Annotation] { get }
}

extension CommandResult {
    package var code: MigrationError.Code? { nil }
    package var isConfirmation: Bool { false }
    package var annotations: [Annotation] { [] }
}

/// A line in a file that continuous integration should point to.
package struct Annotation: Hashable, Sendable {
    package enum Level: String, Sendable {
        case error, warning, notice
    }

    package var level: Level
    package var file: String?
    package var line: Int?
    package var title: String
    package var message: String

    package init(_ level: Level, file: String? = nil, line: Int? = nil, title: String, message: String) {
        self.level = level
        self.file = file
        self.line = line
        self.title = title
        self.message = message
    }
}
