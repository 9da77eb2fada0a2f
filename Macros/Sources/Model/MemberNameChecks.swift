import SwiftSyntax

/// Members of a model class whose names collide with those that `@Model` adds.
struct MemberNameChecks {
    let model: ModelDeclaration
    let declaration: ClassDeclSyntax

    /// All collisions, in the order of the source.
    func diagnostics() -> [ModelDiagnostic] {
        let storages = Dictionary(
            model.properties.map { ("_\($0.name)", $0.name) }, uniquingKeysWith: { first, _ in first })
        return declaration.memberBlock.members.flatMap { names(declaredBy: $0.decl) }.compactMap { token in
            let name = token.text.filter { $0 != "`" }
            if let property = storages[name] {
                return ModelDiagnostic(
                    token, "'\(name)' is the name of the storage of '\(property)'; choose another name")
            }
            // Persisted properties have a message of their own.
            if name.hasPrefix("_$"), !model.properties.contains(where: { $0.name == name }) {
                return ModelDiagnostic(token, "names that begin with '_$' belong to '@Model'; choose another name")
            }
            return nil
        }
    }

    private func names(declaredBy member: DeclSyntax) -> [TokenSyntax] {
        if let variable = member.as(VariableDeclSyntax.self) {
            return variable.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier }
        }
        // Functions are told apart by their arguments, so only one without any could collide.
        if let function = member.as(FunctionDeclSyntax.self), function.signature.parameterClause.parameters.isEmpty {
            return [function.name]
        }
        return []
    }
}
