import SwiftSyntax

/// Whether `@Attribute`, `@Relationship` or `@Transient` is attached to something it means something for.
///
/// Where it does not, SwiftData says nothing. Here it is a warning, so that source written for SwiftData compiles.
struct PlaceChecks {
    let attribute: AttributeSyntax
    /// The declarations around the one the attribute is attached to, innermost first.
    let surroundings: [Syntax]

    /// What is wrong with the place, if it is.
    func diagnostic(on declaration: some DeclSyntaxProtocol) -> ModelDiagnostic? {
        guard let reason = reason(declaration) else { return nil }
        var diagnostic = ModelDiagnostic(
            attribute, reason, fixIts: [ModelFixIt.remove(attribute, "remove '@\(attribute.baseName)'")])
        diagnostic.severity = .warning
        return diagnostic
    }

    private func reason(_ declaration: some DeclSyntaxProtocol) -> String? {
        let name = attribute.baseName
        guard let variable = declaration.as(VariableDeclSyntax.self) else {
            return "'@\(name)' has no effect here: it needs a property"
        }
        let isComputed = variable.bindings.contains { !($0.accessorBlock?.observesOnly ?? true) }
        // A computed property is not stored anyway, in an extension of a model as in the class.
        if name == "Transient", isComputed { return nil }
        guard surroundings.isDirectlyInModel else {
            return "'@\(name)' has no effect here: it belongs on a stored property in the body of a '@Model' class"
        }
        if variable.isTypeMember {
            let word = variable.hasModifier(.static) ? "static" : "class"
            return "'@\(name)' has no effect on a \(word) property: it belongs to no object"
        }
        guard name != "Transient" else { return nil }
        if variable.attributes.contains(named: "Transient") {
            return "a '@Transient' property is not persisted, so '@\(name)' has no effect on it"
        }
        return isComputed ? "'@\(name)' has no effect on a computed property: it has no column" : nil
    }
}

extension [Syntax] {
    /// Whether the innermost declaration around is a class with `@Model`.
    var isDirectlyInModel: Bool {
        first?.as(ClassDeclSyntax.self)?.attributes.contains(named: "Model") ?? false
    }
}
