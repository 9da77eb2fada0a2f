import SwiftSyntax

/// What `@Model` needs to know of a class: every member it emits is written from this value, never from the syntax again.
struct ModelDeclaration {
    /// The class's name as it is written, backticks included.
    let name: String
    /// `public`, `package`, … as the class has it.
    let access: ModelAccess
    let isFinal: Bool
    /// Whether the superclass is a model too: then members override and continue the superclass's.
    let isSubclass: Bool
    /// Whether the class names a superclass or a protocol. Only then can it be a subclass.
    let hasInheritanceClause: Bool
    /// The persisted properties in declaration order; the position is the property's slot within this class.
    let properties: [PersistedProperty]
    /// `#Unique`, `#Index` and their like in declaration order.
    let constraints: [ConstraintDeclaration]
    /// Whether the class has a designated initializer of its own. Without one a subclass inherits all initializers.
    let declaresDesignatedInitializer: Bool
    /// Whether the class says itself whether its history is recorded.
    let declaresRecordsHistory: Bool
    /// Whether the class says itself whether it has objects of its own.
    let declaresIsAbstract: Bool
    /// Whether the class says that its objects are rows of a view.
    let isView: Bool
    /// Whether the class has an `==` of its own.
    let declaresEquality: Bool
    /// Whether the class states `Comparable` and has the `<` of it.
    let declaresOrder: Bool
    /// The arguments of `@Model`, as they are written.
    let names: String
    /// The `@available` attributes, which the extensions must repeat.
    let availability: [AttributeSyntax]

    /// Reads a class.
    ///
    /// - Parameters:
    ///   - declaration: the class `@Model` is attached to.
    ///   - isSubclass: whether its superclass is a model; only the compiler knows.
    init(_ declaration: ClassDeclSyntax, isSubclass: Bool = false) {
        let members = declaration.memberBlock.members.map(\.decl)
        name = declaration.name.trimmedDescription
        access = ModelAccess(of: declaration.modifiers)
        isFinal = declaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) }
        self.isSubclass = isSubclass
        hasInheritanceClause = declaration.inheritanceClause != nil
        properties = members.compactMap { $0.as(VariableDeclSyntax.self).flatMap(PersistedProperty.init) }
        constraints = members.compactMap { $0.as(MacroExpansionDeclSyntax.self).flatMap(ConstraintDeclaration.init) }
        declaresDesignatedInitializer = members.contains {
            $0.as(InitializerDeclSyntax.self)?.isDesignated ?? false
        }
        declaresRecordsHistory = members.contains {
            $0.as(VariableDeclSyntax.self)?.declaresStatic("recordsHistory") ?? false
        }
        declaresIsAbstract = members.contains { $0.as(VariableDeclSyntax.self)?.declaresStatic("isAbstract") ?? false }
        isView = declaration.states("DatabaseView")
        let functions = members.compactMap { $0.as(FunctionDeclSyntax.self)?.name.text }
        declaresEquality = functions.contains("==")
        declaresOrder = functions.contains("<") && declaration.states("Comparable")
        names = declaration.attributes.first(named: "Model")?.argumentList.trimmedDescription ?? ""
        availability = declaration.attributes.all(named: "available")
    }
}

extension ModelDeclaration {
    /// Whether memory computes the property, by what a `#Generated` says, and nothing of it is read or written.
    func computes(_ property: PersistedProperty) -> Bool { expression(of: property) != nil }

    /// The `#Generated` of a property.
    func expression(of property: PersistedProperty) -> ConstraintDeclaration? {
        guard property.isGenerated else { return nil }
        return constraints.first { $0.generatedProperty?.propertyName == property.name }
    }

    /// What the properties are computed by that memory computes, each made once; and the function that makes it, by which the schema's validation sees
    /// whether it says the same each time.
    func generatedExpressions() -> [String] {
        properties.compactMap { property in
            guard let condition = expression(of: property)?.condition, let type = property.type else { return nil }
            let types = "\(name), \(type.trimmedDescription)"
            return """
                private static func \(property.makingExpression)() -> StrataModels.Schema.Generated<\(types)> {
                    StrataModels.Schema.Generated(#Expression<\(types)> \(condition.trimmedDescription))
                }
                private static let \(property.expression): StrataModels.Schema.Generated<\(types)> = \(property.makingExpression)()
                """
        }
    }
}

extension ClassDeclSyntax {
    /// Whether the class names this protocol, with its module or without.
    fileprivate func states(_ name: String) -> Bool {
        inheritanceClause?.inheritedTypes.contains {
            $0.type.lastToken(viewMode: .sourceAccurate)?.text == name
        } ?? false
    }
}

extension VariableDeclSyntax {
    /// A member of the type by that name; of an object it would be a property like any other.
    fileprivate func declaresStatic(_ name: String) -> Bool {
        modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
            && bindings.contains { $0.pattern.trimmedDescription == name }
    }
}

extension InitializerDeclSyntax {
    var isDesignated: Bool {
        !modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
    }
}
