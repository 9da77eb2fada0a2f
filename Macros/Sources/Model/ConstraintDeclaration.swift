import SwiftSyntax

/// A `#PrimaryKey<Trip>(…)`, `#Unique<Trip>(…)`, `#Index<Trip>(…)`, `#Check<Trip>(…)`, `#Partition<Trip>(…)` or
/// `#Generated<Trip, Int>(…)` in the body of a model.
struct ConstraintDeclaration {
    enum Kind: String {
        case primaryKey = "PrimaryKey"
        case unique = "Unique"
        case index = "Index"
        case check = "Check"
        case partition = "Partition"
        case generated = "Generated"
    }

    let kind: Kind
    let syntax: MacroExpansionDeclSyntax

    /// Reads a macro expansion, or gives `nil` for any other macro.
    init?(_ syntax: MacroExpansionDeclSyntax) {
        guard let kind = Kind(rawValue: syntax.macroName.text) else { return nil }
        self.kind = kind
        self.syntax = syntax
    }

    /// The type in angle brackets.
    var target: TypeSyntax? {
        guard case .type(let type) = syntax.genericArgumentClause?.arguments.first?.argument else { return nil }
        return type
    }

    /// The lists of key paths: the arguments themselves, or the arrays within `.binary([…], including: […])` and the like.
    var lists: [ArrayExprSyntax] {
        syntax.arguments.flatMap { argument in
            guard let call = argument.expression.as(FunctionCallExprSyntax.self) else {
                return [argument.expression].compactMap { $0.as(ArrayExprSyntax.self) }
            }
            let lists = call.arguments.filter { $0.label == nil || $0.label?.text == "including" }
            return lists.compactMap { $0.expression.as(ArrayExprSyntax.self) }
        }
    }

    /// The property whose value says in which partition a row is: behind `by:`.
    var partitionKey: KeyPathExprSyntax? {
        guard kind == .partition else { return nil }
        return syntax.arguments.first { $0.label?.text == "by" }?.expression.as(KeyPathExprSyntax.self)
    }

    /// The property that the database computes, of a `#Generated`.
    var generatedProperty: KeyPathExprSyntax? {
        guard kind == .generated else { return nil }
        return syntax.arguments.first?.expression.as(KeyPathExprSyntax.self)
    }

    /// What the condition is called where something is said about it.
    var conditionWord: String { kind == .generated ? "expression" : "condition" }

    /// What stands where a condition is asked for: behind all else, or behind `where:`, the name of a check or a generated property.
    var condition: ExprSyntax? {
        syntax.trailingClosure.map(ExprSyntax.init) ?? syntax.arguments.first(where: isCondition)?.expression
    }

    /// The arguments without the condition.
    var arguments: [LabeledExprSyntax] { syntax.arguments.filter { !isCondition($0) } }

    private func isCondition(_ argument: LabeledExprSyntax) -> Bool {
        switch kind {
        case .primaryKey, .partition: false
        case .unique, .index: argument.label?.text == "where"
        case .check, .generated: argument.label == nil && argument.id != syntax.arguments.first?.id
        }
    }
}

extension ArrayElementSyntax {
    /// The name of the property, if it is one of the class.
    var propertyName: String? { keyPath?.propertyName }

    /// The key path that it is, or that it is made of: `\.name`, `.key(\.name, order: .reverse)`.
    var keyPath: KeyPathExprSyntax? {
        let call = expression.as(FunctionCallExprSyntax.self)
        return (call?.arguments.first?.expression ?? expression).as(KeyPathExprSyntax.self)
    }
}

extension KeyPathExprSyntax {
    /// The name of the property that it names, or that it begins with.
    var propertyName: String? {
        components.first?.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName.text
    }
}
