package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@ModelActor`: the executor with its context, the container, an initializer unless the actor has one of its own, and the
/// conformance.
///
/// The macro's type itself is in the compiler plugin and says only that it is one of these.
package protocol ModelActorMacroExpansion: MemberMacro, ExtensionMacro {}

extension ModelActorMacroExpansion {
    package static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let checks = ModelActorChecks(declaration: declaration)
        for diagnostic in checks.diagnostics() { context.diagnose(diagnostic.diagnostic) }
        guard let actor = declaration.as(ActorDeclSyntax.self) else { return [] }
        let access = ModelAccess(of: actor.modifiers).member
        var members: [DeclSyntax] = [
            "\(raw: access)nonisolated let modelExecutor: any StrataContext.ModelExecutor",
            "\(raw: access)nonisolated let modelContainer: StrataContext.ModelContainer",
        ]
        if !checks.hasInitializer {
            members.append(
                """
                \(raw: access)init(modelContainer: StrataContext.ModelContainer) {
                    self.modelExecutor = StrataContext.DefaultSerialModelExecutor(modelContext: StrataContext.ModelContext(modelContainer))
                    self.modelContainer = modelContainer
                }
                """)
        }
        return members
    }

    package static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard declaration.is(ActorDeclSyntax.self), !protocols.isEmpty else { return [] }
        let conformance: DeclSyntax = "extension \(type.trimmed): StrataContext.ModelActor {}"
        return [conformance].compactMap { $0.as(ExtensionDeclSyntax.self) }
    }
}
