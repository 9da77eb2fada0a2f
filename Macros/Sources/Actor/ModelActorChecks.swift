import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// What is wrong with a declaration that has `@ModelActor` attached.
struct ModelActorChecks<Declaration: DeclGroupSyntax> {
    let declaration: Declaration

    func diagnostics() -> [ModelDiagnostic] {
        guard declaration.is(ActorDeclSyntax.self) else { return [notAnActor()] }
        return takenNames() + unassigned()
    }

    /// Whether the actor makes its executor itself.
    var hasInitializer: Bool {
        declaration.memberBlock.members.contains {
            guard let initializer = $0.decl.as(InitializerDeclSyntax.self) else { return false }
            return !initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
        }
    }

    private func notAnActor() -> ModelDiagnostic {
        let keyword = declaration.introducer
        let canBecomeActor = declaration.is(ClassDeclSyntax.self)
        return ModelDiagnostic(
            keyword, "'@ModelActor' needs an actor: its isolation is that of the context it holds",
            fixIts: [
                canBecomeActor ? ModelFixIt.replace(keyword, with: TokenSyntax.keyword(.actor), "write 'actor'") : nil
            ])
    }

    private func takenNames() -> [ModelDiagnostic] {
        variables.flatMap(\.bindings).compactMap { binding in
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
                ["modelContext", "modelExecutor", "modelContainer"].contains(name.text)
            else { return nil }
            return ModelDiagnostic(
                name, "'\(name.text)' is a member that '@ModelActor' adds; give this property another name")
        }
    }

    /// The generated initializer knows values only for what it generates.
    private func unassigned() -> [ModelDiagnostic] {
        guard !hasInitializer else { return [] }
        return variables.compactMap { variable in
            guard !variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.static) }),
                let binding = variable.bindings.last, binding.initializer == nil, binding.accessorBlock == nil,
                variable.bindingSpecifier.tokenKind == .keyword(.let) || !binding.isOptional,
                !variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.lazy) })
            else { return nil }
            let name = binding.pattern.trimmed.description
            return ModelDiagnostic(
                binding.pattern,
                "'\(name)' has no value of its own: give it one, or write an initializer that assigns 'modelContainer', and "
                    + "'modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(modelContainer))'")
        }
    }

    private var variables: [VariableDeclSyntax] {
        declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
    }
}

extension PatternBindingSyntax {
    fileprivate var isOptional: Bool {
        guard let type = typeAnnotation?.type else { return false }
        return type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    }
}
