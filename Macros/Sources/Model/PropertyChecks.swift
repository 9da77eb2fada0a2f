import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// What is wrong with one variable of a model class, its attributes' arguments aside (``AttributeChecks``).
struct PropertyChecks {
    let variable: VariableDeclSyntax

    /// The first thing that is wrong: the next ones would follow from it.
    func diagnostics() -> [ModelDiagnostic] {
        let checks =
            isTransient
            ? [transientValue]
            : [
                bindings, pattern, modifiers, foreignAttributes, conditionalAttributes, reservedName, constant,
            ]
        guard !variable.isTypeMember, !isComputed else { return [] }
        for check in checks {
            if let diagnostic = check() { return [diagnostic] }
        }
        return []
    }

    private var isTransient: Bool { variable.attributes.contains(named: "Transient") }

    /// A getter or more; observers alone leave a variable stored.
    private var isComputed: Bool {
        variable.bindings.contains { !($0.accessorBlock?.observesOnly ?? true) }
    }

    // MARK: Checks

    private func bindings() -> ModelDiagnostic? {
        guard variable.bindings.count > 1, let second = variable.bindings.dropFirst().first else { return nil }
        // A constant with a value is not persisted, so it may share its declaration.
        if isConstant, variable.bindings.allSatisfy({ $0.initializer != nil }) { return nil }
        return ModelDiagnostic(
            second.pattern, "declare each persisted property by itself",
            fixIts: [
                ModelFixIt.replace(
                    variable, with: DeclSyntax(stringLiteral: separateDeclarations),
                    "split into \(variable.bindings.count) declarations")
            ]
        )
    }

    private var separateDeclarations: String {
        let start = "\(variable.attributes)\(variable.modifiers)\(variable.bindingSpecifier)"
            .trimmingPrefix(while: \.isWhitespace)
        let indentation =
            variable.leadingTrivia.description.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
        // `var a, b: Int`: the annotation is that of the next binding that has one.
        var annotation: TypeAnnotationSyntax?
        let declarations = variable.bindings.reversed().map { binding in
            annotation = binding.typeAnnotation ?? (binding.initializer == nil ? annotation : nil)
            let type = annotation.map { "\($0.trimmed)" } ?? ""
            let value = binding.initializer.map { " \($0.trimmed)" } ?? ""
            return "\(start)\(binding.pattern.trimmed)\(type)\(value)"
        }
        return declarations.reversed().joined(separator: "\n\(indentation)")
    }

    private func pattern() -> ModelDiagnostic? {
        guard let binding = variable.bindings.first, binding.pattern.is(TuplePatternSyntax.self) else { return nil }
        if isConstant, binding.initializer != nil { return nil }
        return ModelDiagnostic(
            binding.pattern, "a persisted property cannot be declared with a tuple; declare each property by itself")
    }

    private func modifiers() -> ModelDiagnostic? {
        for modifier in variable.modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.lazy):
                return ModelDiagnostic(
                    modifier.name,
                    "a lazy property is not persisted: mark it '@Transient', or remove 'lazy' to store it",
                    fixIts: [addTransient(), ModelFixIt.remove(modifier, "remove 'lazy'")]
                )
            case .keyword(.weak), .keyword(.unowned):
                let word = modifier.trimmedDescription
                return ModelDiagnostic(
                    modifier,
                    "a persisted property cannot be \(word): a to-one relationship keeps nothing alive that it has not loaded",
                    fixIts: [ModelFixIt.remove(modifier, "remove '\(word)'"), addTransient()]
                )
            case .keyword(.override):
                return ModelDiagnostic(
                    modifier.name,
                    "a persisted property cannot be overridden: its column belongs to the superclass; give this one another name"
                )
            default: continue
            }
        }
        return nil
    }

    private func constant() -> ModelDiagnostic? {
        guard isConstant, let binding = variable.bindings.first else { return nil }
        let attribute =
            variable.attributes.first(named: "Attribute") ?? variable.attributes.first(named: "Relationship")
        guard binding.initializer == nil || attribute != nil else { return nil }
        let hasAccess = variable.hasModifier(.private, .fileprivate)
        var diagnostic = ModelDiagnostic(
            variable.bindingSpecifier,
            binding.initializer == nil
                ? "Swift 6's language mode does not allow a persisted property to be a constant; it is stored like a variable"
                : "a constant with a value is not persisted, so '@\(attribute?.baseName ?? "Attribute")' has no effect on it",
            fixIts: [
                ModelFixIt.replace(
                    variable.bindingSpecifier,
                    with: TokenSyntax.identifier(hasAccess ? "var" : "private(set) var"),
                    hasAccess ? "write 'var'" : "write 'private(set) var'")
            ]
        )
        // The compiler refuses it itself where it must; SwiftData says nothing.
        diagnostic.severity = .warning
        return diagnostic
    }

    private func foreignAttributes() -> ModelDiagnostic? {
        guard !isConstant || variable.isAssignedConstant else { return nil }
        let attributes = variable.attributes.compactMap { $0.as(AttributeSyntax.self) }
        guard let foreign = attributes.first(where: { !Self.understoodAttributes.contains($0.baseName) }) else {
            return nil
        }
        return ModelDiagnostic(
            foreign,
            "'@\(foreign.attributeName.trimmed)' cannot be combined with a persisted property: '@Model' gives it accessors of "
                + "its own; mark the property '@Transient', or remove the attribute",
            fixIts: [addTransient(), ModelFixIt.remove(foreign, "remove '@\(foreign.attributeName.trimmed)'")]
        )
    }

    private static let understoodAttributes: Set<String> = [
        "Attribute", "Relationship", "Transient", "_PersistedProperty", "available", "objc", "nonobjc",
        "usableFromInline",
        "inlinable", "_spi", "ObservationIgnored", "ObservationTracked",
    ]

    private func conditionalAttributes() -> ModelDiagnostic? {
        guard !isConstant || variable.isAssignedConstant,
            let condition = variable.attributes.lazy.compactMap({ $0.as(IfConfigDeclSyntax.self) }).first
        else { return nil }
        return ModelDiagnostic(
            condition, "attributes of a persisted property cannot be inside '#if': the table is the same in every build"
        )
    }

    private func reservedName() -> ModelDiagnostic? {
        guard let property = PersistedProperty(variable), let binding = variable.bindings.first,
            let reason = ReservedName.reason(property.name)
        else { return nil }
        return ModelDiagnostic(binding.pattern, "a persisted property cannot be called '\(property.name)': \(reason)")
    }

    private func transientValue() -> ModelDiagnostic? {
        let attributes = variable.attributes.compactMap { $0.as(AttributeSyntax.self)?.baseName }
        let hasWrapper = attributes.contains { !Self.understoodAttributes.contains($0) }
        guard let binding = variable.bindings.first(where: { $0.initializer == nil && !$0.hasImplicitValue }),
            !hasWrapper
        else { return nil }
        return ModelDiagnostic(
            binding.pattern,
            "a '@Transient' property needs a value, or an optional type: an object read from the database has nothing to put there"
        )
    }

    private var isConstant: Bool { variable.bindingSpecifier.tokenKind == .keyword(.let) }

    private func addTransient() -> FixIt {
        var marked = variable.trimmed
        marked.attributes.insert(.attribute("@Transient "), at: marked.attributes.startIndex)
        return ModelFixIt.replace(variable, with: marked, "mark it '@Transient'")
    }
}

extension PatternBindingSyntax {
    /// Whether Swift gives the variable `nil` by itself.
    fileprivate var hasImplicitValue: Bool { typeAnnotation?.type.isOptionalSugar ?? false }
}

extension String {
    fileprivate func trimmingPrefix(while isUnwanted: (Character) -> Bool) -> String {
        String(drop(while: isUnwanted))
    }
}
