/// What the comment of a view, or of a column that the server computes, says: by it a database is known to have been given a definition.
package struct DefinitionMark: Hashable, Sendable, CustomStringConvertible {
    private static let beginning = "strata "
    private let digest: String

    /// - Parameter text: the definition.
    init(of text: String) { digest = String(SHA256.hexadecimal(of: Array(text.utf8)).prefix(16)) }

    /// Reads a comment; `nil` for one that this library has not made.
    package init?(comment: String) {
        guard comment.hasPrefix(Self.beginning) else { return nil }
        digest = String(comment.dropFirst(Self.beginning.count))
    }

    /// A condition on a comment that this library has not made.
    package static func isNone(_ comment: String) -> String {
        "NOT starts_with(\(comment), \(SQLFragment.literal(beginning)))"
    }

    /// The comment.
    package var description: String { Self.beginning + digest }
}
