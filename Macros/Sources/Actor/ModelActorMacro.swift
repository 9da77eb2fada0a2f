import SwiftSyntax
import SwiftSyntaxMacros

/// `@ModelActor`: the executor with its context, the container, an initializer unless the actor has one of its own, and the
/// conformance.
struct ModelActorMacro: MemberMacro, ExtensionMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let checks = ModelActorChecks(declaration: declaration)
        for diagnostic in checks.diagnostics() { context.diagnose(diagnostic.diagnostic) }
        guard let actor = declaration.as(ActorDeclSyntax.self) else { return [] }
        let access = ModelAccess(of: actor.modifiers).member
        var members = [
            "\(access)nonisolated let modelExecutor: any StrataContext.ModelExecutor",
            "\(access)nonisolated let modelContainer: StrataContext.ModelContainer",
        ]
        if !checks.hasInitializer {
            members.append(
                """
                \(access)init(modelContainer: StrataContext.ModelContainer) {
                    self.modelExecutor = StrataContext.DefaultSerialModelExecutor(modelContext: StrataContext.ModelContext(modelContainer))
                    self.modelContainer = modelContainer
                }
                """)
        }
        return members.map(DeclSyntax.init)
    }

    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard declaration.is(ActorDeclSyntax.self), !protocols.isEmpty else { return [] }
        return [ExtensionDeclSyntax(text: "extension \(type.trimmedDescription): StrataContext.ModelActor {}")]
    }
}
