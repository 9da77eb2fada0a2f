import SwiftSyntax

// What the macros write is text, and the compiler parses it. A tree that is parsed and formatted here first would be printed into
// the same text, and took three quarters of the time of an expansion (Documentation/Decisions/0014-compiling-models.md). So each
// node here is one token that holds all of the text; the macros that use them ask for no formatting.

extension DeclSyntax {
    /// Declarations, given as text.
    init(text: String) {
        self.init(MissingDeclSyntax(placeholder: .identifier(text)))
    }
}

extension AccessorDeclSyntax {
    /// Accessors, given as text.
    init(text: String) {
        self.init(accessorSpecifier: .identifier(text))
    }
}

extension AttributeSyntax {
    /// An attribute, given as text without its at sign.
    init(text: String) {
        self.init(attributeName: IdentifierTypeSyntax(name: .identifier(text)))
    }
}

extension ExtensionDeclSyntax {
    /// Extensions, given as text.
    init(text: String) {
        self.init(
            extensionKeyword: .identifier(text),
            extendedType: MissingTypeSyntax(placeholder: .identifier("")),
            memberBlock: MemberBlockSyntax(
                leftBrace: .leftBraceToken(presence: .missing), members: [],
                rightBrace: .rightBraceToken(presence: .missing)))
    }
}

extension String {
    /// Each line one level deeper. Not for text that may hold a literal of several lines.
    var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
            .joined(separator: "\n")
    }
}

extension [String] {
    /// One line each, one level deep.
    var indented: String { map { "    \($0)" }.joined(separator: "\n") }
}
