package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@Attribute`, `@Relationship` and `@Transient`: they add nothing, `@Model` reads them. Here is checked that there is a
/// `@Model` to read them.
package protocol PropertyAttributeMacroExpansion: PeerMacro {}

extension PropertyAttributeMacroExpansion {
    package static func expansion(
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

/// `#Unique` and `#Index`: they add nothing, `@Model` reads them.
package protocol ConstraintMacroExpansion: DeclarationMacro {}

extension ConstraintMacroExpansion {
    package static func expansion(
        of node: some FreestandingMacroExpansionSyntax,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if !context.lexicalContext.isDirectlyInModel {
            let message = "'#\(node.macroName.text)' belongs into the body of a '@Model' class"
            context.diagnose(ModelDiagnostic(node.macroName, message).diagnostic)
        }
        return []
    }
}
