package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@Model`: the members of a model class, the attribute on each of its persisted properties, and the conformance.
///
/// The macro's type itself is in the compiler plugin and says only that it is one of these.
package protocol ModelMacroExpansion: MemberMacro, MemberAttributeMacro, ExtensionMacro {}

extension ModelMacroExpansion {
    package static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else {
            context.diagnose(ClassChecks.diagnostic(notAClass: declaration).diagnostic)
            return []
        }
        // The compiler lists the conformances that are missing: a model's subclass has inherited all of them.
        let model = ModelDeclaration(declaration, isSubclass: protocols.isEmpty)
        let checks = ClassChecks(model: model, declaration: declaration, surroundings: context.lexicalContext)
        let obstacles = checks.obstacles()
        for diagnostic in obstacles.isEmpty ? model.diagnostics(checks) : obstacles {
            context.diagnose(diagnostic.diagnostic)
        }
        return obstacles.isEmpty && !checks.isLocal ? model.members() : []
    }

    package static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard let declaration = declaration.as(ClassDeclSyntax.self), let variable = member.as(VariableDeclSyntax.self)
        else { return [] }
        let model = ModelDeclaration(declaration)
        guard model.isPossible(declaration, within: context.lexicalContext), let slot = model.slot(of: variable)
        else { return [] }
        return [
            "@_PersistedProperty(\(raw: slot), \"\(raw: model.name)\", isSubclass: \(raw: model.hasInheritanceClause))"
        ]
    }

    package static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else { return [] }
        let model = ModelDeclaration(declaration, isSubclass: protocols.isEmpty)
        guard model.isPossible(declaration, within: context.lexicalContext) else { return [] }
        return model.extensions(of: TypeSyntax(type), conformingTo: protocols)
    }
}

extension ModelDeclaration {
    /// Whether the class can have the members of a model.
    func isPossible(_ declaration: ClassDeclSyntax, within surroundings: [Syntax]) -> Bool {
        // For its members the class is one of the surroundings, for itself it is not.
        let isSurroundedByItself = surroundings.first?.as(ClassDeclSyntax.self)?.name.text == declaration.name.text
        let outside = isSurroundedByItself ? Array(surroundings.dropFirst()) : surroundings
        let checks = ClassChecks(model: self, declaration: declaration, surroundings: outside)
        return checks.obstacles().isEmpty && !checks.isLocal
    }

    /// Everything that is wrong with the class.
    func diagnostics(_ checks: ClassChecks) -> [ModelDiagnostic] {
        let declaration = checks.declaration
        let variables = declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
        return checks.diagnostics()
            + MemberNameChecks(model: self, declaration: declaration).diagnostics()
            + variables.flatMap { PropertyChecks(variable: $0).diagnostics() }
            + variables.flatMap { variable in
                PersistedProperty(variable).map { AttributeChecks(property: $0, variable: variable).diagnostics() }
                    ?? []
            }
            + ConstraintChecks(model: self, declaration: declaration).diagnostics()
    }

    /// The members in the order in which a reader of the expansion meets them.
    func members() -> [DeclSyntax] {
        state() + defaultInitializer() + decodingInitializers() + [decode(), encode(), restore()]
            + [propertiesMethod(), schemaMetadata(), constraintsProperty()] + descriptor() + slots()
    }

    /// The conformances the class does not have yet.
    func extensions(of type: TypeSyntax, conformingTo protocols: [TypeSyntax]) -> [ExtensionDeclSyntax] {
        let missing = Set(protocols.compactMap { $0.lastToken(viewMode: .sourceAccurate)?.text })
        var extensions: [DeclSyntax] = []
        let available = availability.map { "\($0.trimmed)\n" }.joined()
        if missing.contains("PersistentModel") {
            // In a module whose declarations belong to the main actor by default, the extension would too.
            extensions.append(
                "\(raw: available)nonisolated extension \(type.trimmed): StrataModels.PersistentModel {\n}")
        }
        if missing.contains("Sendable") {
            extensions.append(
                """
                @available(*, unavailable, message: "a model stays with its context: send its persistentModelID, or work in a \
                ModelActor")
                extension \(type.trimmed): Swift.Sendable {
                }
                """
            )
        }
        return extensions.compactMap { $0.as(ExtensionDeclSyntax.self) }
    }
}
