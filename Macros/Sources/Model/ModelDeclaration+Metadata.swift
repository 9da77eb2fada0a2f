import SwiftSyntax

extension ModelDeclaration {
    /// Describes the properties with key paths of any class in the chain.
    ///
    /// `\Trip.name` and `\BusinessTrip.name` are different key paths, so the class that declares a property must be able to
    /// write both: generic over the class at the end of the chain. One statement a property keeps type checking linear.
    func propertiesMethod() -> String {
        let signature = "func _$properties<_$Root: \(name)>(rootedAt _: _$Root.Type)"
        let inherited = isSubclass ? "super._$properties(rootedAt: _$Root.self)" : "[]"
        guard !properties.isEmpty else {
            return """
                \(access.member)\(sealed)\(signature) -> [StrataModels.Schema.PropertyMetadata] {
                    \(inherited)
                }
                """
        }
        return """
            \(access.member)\(sealed)\(signature) -> [StrataModels.Schema.PropertyMetadata] {
                var _$all: [StrataModels.Schema.PropertyMetadata] = \(inherited)
            \(properties.map { "_$all.append(\($0.metadata(isComputed: computes($0))))" }.indented)
                return _$all
            }
            """
    }

    /// The properties of the class and of its superclasses, root first.
    func schemaMetadata() -> String {
        """
        \(overridingType)var schemaMetadata: [StrataModels.Schema.PropertyMetadata] {
            _$properties(rootedAt: \(name).self)
        }
        """
    }

    /// What `#PrimaryKey`, `#Unique`, `#Index`, `#Check`, `#Partition` and `#Generated` declare here and in the superclasses, root first.
    func constraintsProperty() -> String {
        let own = constraints.map { "    \($0.metadata(of: name))," }.joined(separator: "\n")
        let list = constraints.isEmpty ? "[]" : "[\n\(own)\n]"
        let all = isSubclass ? (constraints.isEmpty ? "super._$constraints" : "super._$constraints + \(list)") : list
        return """
            \(overridingType)var _$constraints: [StrataModels.Schema.ModelConstraint] {
            \(all.split(separator: "\n").map(String.init).indented)
            }
            """
    }

    /// `class`, or `static` where nothing can override; with the modifiers of a member every class in a chain has.
    var overridingType: String { "\(overriding)\(isFinal ? "static" : "class") " }

    /// The modifiers of a member of the type that no subclass overrides.
    private var sealed: String { isFinal ? "static " : "final class " }
}

extension PersistedProperty {
    /// The expression that describes the property.
    fileprivate func metadata(isComputed: Bool) -> String {
        var arguments = ["name: \"\(name)\"", "keypath: \\_$Root.\(reference)", "storage: \\_$Root.\(storage)"]
        if let relationship {
            arguments.append("metadata: .relationship(\(relationship.currentSpelling))")
        } else if !attributes.isEmpty {
            arguments.append("metadata: .\(isComputed ? "computed" : "attribute")(\(attributes.unitedArguments))")
        }
        if let initialValue { arguments.append("defaultValue: { \(initialValue.trimmedDescription) }") }
        return "StrataModels.Schema.PropertyMetadata(\(arguments.joined(separator: ", ")))"
    }
}

extension [AttributeSyntax] {
    /// The arguments of several `@Attribute` in one list: each option and each label once, the options first.
    fileprivate var unitedArguments: String {
        let arguments = flatMap(\.argumentList)
        var seen: Set<String> = []
        let texts = (arguments.filter { $0.label == nil } + arguments.filter { $0.label != nil })
            .map { $0.with(\.trailingComma, nil).trimmedDescription }
        return texts.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }
}

extension AttributeSyntax {
    /// The arguments of `@Relationship`; a delete rule without label, as the first beta had it, gets its label. The
    /// attribute itself is where the deprecation is reported.
    fileprivate var currentSpelling: String {
        let rules: Set = ["noAction", "nullify", "cascade", "deny"]
        let isBeta = PropertyOption.all(of: self).first.map { rules.contains($0.name) } ?? false
        return (isBeta ? "deleteRule: " : "") + argumentList.trimmedDescription
    }
}

extension ConstraintDeclaration {
    /// The expression that describes the constraint.
    fileprivate func metadata(of model: String) -> String {
        let arguments = arguments(of: model)
        return switch kind {
        case .primaryKey: ".primaryKey(StrataModels.Schema.PrimaryKey<\(model)>(\(arguments)))"
        case .unique: ".unique(StrataModels.Schema.Unique<\(model)>(\(arguments)))"
        case .index: ".index(StrataModels.Schema.Index<\(model)>(\(arguments)))"
        case .check: ".check(StrataModels.Schema.Check<\(model)>(\(arguments)))"
        case .partition: ".partition(StrataModels.Schema.Partition<\(model)>(\(arguments)))"
        case .generated: ".generated(\(generatedArguments(of: model)))"
        }
    }

    /// The property, and what the function of ``ModelDeclaration/generatedExpressions()`` makes.
    private func generatedArguments(of model: String) -> String {
        let name = generatedProperty?.propertyName ?? ""
        return "\\\(model).\(name), \(model)._$makeGenerated_\(name)()"
    }

    /// What was written, with the condition as a predicate.
    private func arguments(of model: String) -> String {
        guard let condition else { return syntax.arguments.trimmedDescription }
        let label = kind == .check ? "" : "where: "
        let others = arguments.map { $0.with(\.trailingComma, nil).trimmedDescription }
        return (others + ["\(label)#Predicate<\(model)> \(condition.trimmedDescription)"]).joined(separator: ", ")
    }
}
