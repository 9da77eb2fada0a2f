import SwiftSyntax
import SwiftSyntaxMacros

/// `@Model`: the members of a model class, the attribute on each of its persisted properties, and the conformance.
struct ModelMacro: MemberMacro, MemberAttributeMacro, ExtensionMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
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
        return obstacles.isEmpty && !checks.isLocal ? model.members().map(DeclSyntax.init) : []
    }

    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard let variable = member.as(VariableDeclSyntax.self), let property = PersistedProperty(variable),
            let declaration = declaration.as(ClassDeclSyntax.self)
        else { return [] }
        return ModelSlots.of(declaration, within: context.lexicalContext).attribute(of: property).map { [$0] } ?? []
    }

    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else { return [] }
        let model = ModelDeclaration(declaration, isSubclass: protocols.isEmpty)
        guard model.isPossible(declaration, within: context.lexicalContext) else { return [] }
        return model.extensions(of: type.trimmedDescription, conformingTo: protocols).map(ExtensionDeclSyntax.init)
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
                PersistedProperty(variable).map {
                    AttributeChecks(property: $0, variable: variable, isComputed: computes($0)).diagnostics()
                }
                    ?? []
            }
            + ConstraintChecks(model: self, declaration: declaration).diagnostics()
    }

    /// The members in the order in which a reader of the expansion meets them.
    func members() -> [String] {
        state() + storages() + defaultInitializer() + decodingInitializers() + [decode(), encode(), restore()]
            + [propertiesMethod(), schemaMetadata(), constraintsProperty()] + generatedExpressions() + descriptor()
            + slots()
    }
}
