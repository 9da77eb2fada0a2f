import SwiftSyntax

/// Whether `@Attribute`, `@Relationship` or `@Transient` is attached to something it means something for.
struct PlaceChecks {
    let attribute: AttributeSyntax
    /// The declarations around the one the attribute is attached to, innermost first.
    let surroundings: [Syntax]

    /// What is wrong with the place, if it is.
    func diagnostic(on declaration: some DeclSyntaxProtocol) -> ModelDiagnostic? {
        let name = attribute.baseName
        let remove = ModelFixIt.remove(attribute, "remove '@\(name)'")
        guard let variable = declaration.as(VariableDeclSyntax.self) else {
            return ModelDiagnostic(attribute, "'@\(name)' needs a property", fixIts: [remove])
        }
        guard surroundings.isDirectlyInModel else {
            return ModelDiagnostic(attribute, "'@\(name)' belongs on a property of a '@Model' class", fixIts: [remove])
        }
        if variable.isTypeMember {
            let word = variable.hasModifier(.static) ? "static" : "class"
            return ModelDiagnostic(
                attribute, "'@\(name)' has no effect on a \(word) property: it belongs to no object", fixIts: [remove])
        }
        guard name != "Transient" else { return nil }
        if variable.attributes.contains(named: "Transient") {
            return ModelDiagnostic(
                attribute, "a '@Transient' property is not persisted, so '@\(name)' has no effect on it",
                fixIts: [remove])
        }
        if variable.bindings.contains(where: { !($0.accessorBlock?.observesOnly ?? true) }) {
            return ModelDiagnostic(
                attribute, "'@\(name)' needs a stored property; a computed one has no column", fixIts: [remove])
        }
        return nil
    }
}

extension [Syntax] {
    /// Whether the innermost declaration around is a class with `@Model`.
    var isDirectlyInModel: Bool {
        first?.as(ClassDeclSyntax.self)?.attributes.contains(named: "Model") ?? false
    }
}
