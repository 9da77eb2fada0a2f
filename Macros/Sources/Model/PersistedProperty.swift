import SwiftSyntax

/// A stored property of a model class that goes to the database: a `var`, or a `let` that initializers assign.
struct PersistedProperty {
    /// How the storage keeps the value.
    enum Form {
        /// As the type itself says: a value, a model, an array of models.
        case inferred
        /// `@Attribute(.codable)`: encoded as one value.
        case codable
        /// `@Attribute(.transformable(by: X.self))`: through the transformer, given as it is written.
        case transformed(by: String)
        /// `@Attribute(.transformable(by: "X"))`: through the transformer that is registered under this name, a literal.
        case named(String)
    }

    /// The name without backticks.
    let name: String
    /// The name as it is written in the class.
    let reference: String
    /// The declared type; `nil` when it is inferred from the initial value.
    let type: TypeSyntax?
    /// The initial value.
    let initialValue: ExprSyntax?
    /// All `@Attribute` of the property: their arguments count together.
    let attributes: [AttributeSyntax]
    let relationship: AttributeSyntax?
    let form: Form
    /// Whether the property is tracked but has no column (`@Attribute(.ephemeral)`).
    let isEphemeral: Bool
    /// Whether the database computes the value (`@Attribute(.generated)`): the property has no setter.
    let isGenerated: Bool
    /// `willSet` and `didSet`, which the setter calls.
    let observers: [PropertyObserver]

    /// Reads a variable, or gives `nil` when `@Model` leaves it as it is: computed, static, transient, a constant with a
    /// value, or of a kind that ``PropertyChecks`` reports.
    init?(_ variable: VariableDeclSyntax) {
        guard variable.isStoredVariable, !variable.attributes.contains(named: "Transient"),
            !variable.hasModifier(.lazy, .weak, .unowned, .override),
            let binding = variable.bindings.first, variable.bindings.count == 1,
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
        else { return nil }
        reference = pattern.identifier.text
        name = pattern.identifier.text.filter { $0 != "`" }
        type = binding.typeAnnotation?.type.trimmed
        initialValue = binding.initializer?.value.trimmed
        attributes = variable.attributes.all(named: "Attribute")
        relationship = variable.attributes.first(named: "Relationship")
        let options = attributes.flatMap(PropertyOption.all)
        isEphemeral = options.contains { $0.name == "ephemeral" }
        isGenerated = options.contains { $0.name == "generated" }
        form = Self.form(from: options)
        observers = binding.accessorBlock.map(PropertyObserver.all) ?? []
    }

    private static func form(from options: [PropertyOption]) -> Form {
        if options.contains(where: { $0.name == "codable" }) { return .codable }
        if let transformer = options.first(where: { $0.name == "transformable" })?.arguments.first {
            let text = transformer.expression.trimmedDescription
            return transformer.expression.is(StringLiteralExprSyntax.self) ? .named(text) : .transformed(by: text)
        }
        return .inferred
    }
}

extension PersistedProperty {
    /// The stored property behind the computed one.
    var storage: String { identifier("_\(name)") }

    /// The stored property of no size that tells Swift whether an initializer has assigned the property.
    var marker: String { identifier("_$assigned_\(name)") }

    /// The type that stands for the property's transformer; there where the property names one.
    var transformer: String { identifier("_$transformer_\(name)") }

    /// The constant with what the property is computed by; there where memory computes it.
    var expression: String { identifier("_$generated_\(name)") }

    /// The function that makes it.
    var makingExpression: String { identifier("_$makeGenerated_\(name)") }

    /// The stored property that is `true` while an observer runs; there where the property has observers.
    var observing: String { identifier("_$observing_\(name)") }

    /// Whether an initializer must assign the property: it has neither an initial value nor an optional's implicit one.
    var needsAssignment: Bool {
        guard initialValue == nil, !isGenerated, let type else { return false }
        return !type.isOptionalSugar
    }

    /// The end of the names of the functions that read and write the property: empty for those that do with any type.
    var scalarSuffix: String {
        guard case .inferred = form else { return "" }
        return (type.map { ScalarType($0) } ?? initialValue.flatMap { ScalarType(of: $0) })?.suffix ?? ""
    }

    /// The declared type as the operand of `.self`.
    var metatype: String? {
        guard let type else { return nil }
        // `String!` is no type of its own: what it stores is `String?`.
        let text = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self).map { "\($0.wrappedType.trimmed)?" } ?? "\(type)"
        return type.needsParentheses ? "(\(text)).self" : "\(text).self"
    }

    private func identifier(_ text: String) -> String {
        text.allSatisfy { $0 == "_" || $0 == "$" || $0.isLetter || $0.isNumber } ? text : "`\(text)`"
    }
}

extension TypeSyntax {
    var isOptionalSugar: Bool {
        self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    }

    fileprivate var needsParentheses: Bool {
        self.is(SomeOrAnyTypeSyntax.self) || self.is(FunctionTypeSyntax.self) || self.is(CompositionTypeSyntax.self)
            || self.is(AttributedTypeSyntax.self)
    }
}

extension AttributeListSyntax {
    func contains(named name: String) -> Bool { first(named: name) != nil }
}

extension VariableDeclSyntax {
    /// Whether this is a `var` of the instance with storage of its own, or a `let` to which initializers give a value.
    var isStoredVariable: Bool {
        guard !isTypeMember, bindings.allSatisfy({ $0.accessorBlock?.observesOnly ?? true }) else { return false }
        return bindingSpecifier.tokenKind == .keyword(.var) || isAssignedConstant
    }

    /// Whether this is a `let` without a value.
    var isAssignedConstant: Bool {
        bindingSpecifier.tokenKind == .keyword(.let) && bindings.allSatisfy { $0.initializer == nil }
    }

    /// Whether this is a `static` or `class` variable.
    var isTypeMember: Bool { hasModifier(.static, .class) }

    func hasModifier(_ keywords: Keyword...) -> Bool {
        modifiers.contains { modifier in keywords.contains { modifier.name.tokenKind == .keyword($0) } }
    }
}
