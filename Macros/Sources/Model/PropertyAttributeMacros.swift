import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute`, `@Relationship` and `@Transient`: they add nothing, `@Model` reads them. Here is checked that there is a
/// `@Model` to read them.
protocol PropertyAttributeMacro: PeerMacro {}

extension PropertyAttributeMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if let diagnostic = PlaceChecks(attribute: node, surroundings: context.lexicalContext).diagnostic(
            on: declaration)
        {
            context.diagnose(diagnostic.diagnostic)
        }
        return []
    }
}

/// `@Attribute`.
struct AttributeMacro: PropertyAttributeMacro {}

/// `@Relationship`.
struct RelationshipMacro: PropertyAttributeMacro {}

/// `@Transient`.
struct TransientMacro: PropertyAttributeMacro {}
