import SwiftSyntax

/// What is wrong with `#PrimaryKey`, `#Unique`, `#Index`, `#Check`, `#Partition` and `#Generated` in a model class.
struct ConstraintChecks {
    let model: ModelDeclaration
    let declaration: ClassDeclSyntax

    /// All that is wrong, in the order of the source.
    func diagnostics() -> [ModelDiagnostic] {
        model.constraints.flatMap(diagnostics)
    }

    private func diagnostics(of constraint: ConstraintDeclaration) -> [ModelDiagnostic] {
        var all = target(constraint)
        all += emptiness(constraint)
        all += keyPaths(constraint)
        all += checkName(constraint)
        all += relationName(constraint)
        all += key(constraint)
        all += generated(constraint)
        all += PartitionChecks(partition: constraint, model: model, unstored: unstored).diagnostics()
        if let condition = constraint.condition {
            all += ConditionChecks(condition: condition, constraint: constraint).diagnostics()
        }
        return all
    }

    private func target(_ constraint: ConstraintDeclaration) -> [ModelDiagnostic] {
        guard let target = constraint.target, let name = target.lastToken(viewMode: .sourceAccurate),
            name.text != model.name
        else { return [] }
        return [
            ModelDiagnostic(
                target,
                "'#\(constraint.kind.rawValue)' in '\(model.name)' must name '\(model.name)', not '\(target.trimmed)'",
                fixIts: [
                    ModelFixIt.replace(
                        target, with: IdentifierTypeSyntax(name: .identifier(model.name)), "write '\(model.name)'")
                ]
            )
        ]
    }

    private func emptiness(_ constraint: ConstraintDeclaration) -> [ModelDiagnostic] {
        if [.check, .partition, .generated].contains(constraint.kind) { return [] }
        let message = "'#\(constraint.kind.rawValue)' needs at least one key path, as in [\\.name]"
        if constraint.syntax.arguments.isEmpty { return [ModelDiagnostic(constraint.syntax.macroName, message)] }
        return constraint.lists.filter(\.elements.isEmpty).map { ModelDiagnostic($0, message) }
    }

    private func keyPaths(_ constraint: ConstraintDeclaration) -> [ModelDiagnostic] {
        constraint.lists.flatMap { list -> [ModelDiagnostic] in
            var seen: Set<String> = []
            return list.elements.compactMap { element in
                guard let keyPath = element.keyPath,
                    let property = keyPath.components.first?.component.as(KeyPathPropertyComponentSyntax.self)
                else { return nil }
                let name = property.declName.baseName.text
                if unstored.contains(name) {
                    return ModelDiagnostic(
                        keyPath, "'\(name)' is not stored, so it cannot be in '#\(constraint.kind.rawValue)'")
                }
                // A path of several parts (`\.address.city`) may begin like another one.
                guard seen.insert(keyPath.components.trimmedDescription).inserted else {
                    return ModelDiagnostic(keyPath, "'\(name)' is in this list twice")
                }
                return nil
            }
        }
    }

    /// A check is told by its name: in errors, and in the database.
    private func checkName(_ constraint: ConstraintDeclaration) -> [ModelDiagnostic] {
        guard constraint.kind == .check, let argument = constraint.syntax.arguments.first?.expression else { return [] }
        guard let name = Self.text(of: argument), name.wholeMatch(of: /[a-zA-Z][a-zA-Z0-9]*/) != nil else {
            return [
                ModelDiagnostic(
                    argument, "'#Check' needs a name such as a property has, written in place, as in \"positivePrice\"")
            ]
        }
        let earlier = model.constraints.prefix { $0.syntax.id != constraint.syntax.id }
        let isTaken = earlier.contains { other in
            other.kind == .check && other.syntax.arguments.first.flatMap { Self.text(of: $0.expression) } == name
        }
        return isTaken ? [ModelDiagnostic(argument, "'\(model.name)' has a '#Check' of this name")] : []
    }

    /// What the database calls a constraint or an index, which is one.
    private func relationName(_ constraint: ConstraintDeclaration) -> [ModelDiagnostic] {
        guard let argument = constraint.syntax.arguments.first(where: { $0.label?.text == "name" })?.expression,
            !argument.is(NilLiteralExprSyntax.self)
        else { return [] }
        let named =
            constraint.kind == .check
            ? NameChecks.Named(thing: "constraint", example: "users_grown")
            : NameChecks.Named(thing: "index", example: "users_by_email")
        if let problem = NameChecks.problem(of: argument, "name", named) {
            return [ModelDiagnostic(argument, problem)]
        }
        guard constraint.arguments.count(where: { $0.label == nil }) > 1 else { return [] }
        return [
            ModelDiagnostic(
                argument,
                "'#\(constraint.kind.rawValue)' names one and has several lists; write '#\(constraint.kind.rawValue)' once for each"
            )
        ]
    }

    /// A key has several properties, and a class has one key, which the class at the top of its hierarchy declares.
    private func key(_ constraint: ConstraintDeclaration) -> [ModelDiagnostic] {
        guard constraint.kind == .primaryKey else { return [] }
        let others = model.constraints.prefix { $0.syntax.id != constraint.syntax.id }
        if others.contains(where: { $0.kind == .primaryKey }) {
            return [ModelDiagnostic(constraint.syntax.macroName, "'\(model.name)' has a '#PrimaryKey'")]
        }
        if model.isSubclass {
            return [
                ModelDiagnostic(
                    constraint.syntax.macroName,
                    "'#PrimaryKey' belongs into the class at the top of a hierarchy, whose key '\(model.name)' has")
            ]
        }
        guard let list = constraint.lists.first, list.elements.count == 1, let element = list.elements.first,
            let property = model.properties.first(where: { $0.name == element.propertyName })
        else { return [] }
        // Of other types, which may have names of their own, the schema's validation knows more.
        if property.relationship != nil {
            return [
                ModelDiagnostic(
                    element,
                    "a relationship is no key by itself: let a property have the key, '@Attribute(.primaryKey) var id', and the relationship the column "
                        + "of it, '@Relationship(columns: [\"id\"])'")
            ]
        }
        guard Self.isKeyByItself(property) else { return [] }
        return [
            ModelDiagnostic(
                element,
                "a key of one property is '@Attribute(.primaryKey)' in front of it; '#PrimaryKey' takes several, or one that is a String, Date, "
                    + "CalendarDate or Data, in tables of others")
        ]
    }

    /// Whether a property is of a type that `.primaryKey` takes and no other column has.
    private static func isKeyByItself(_ property: PersistedProperty) -> Bool {
        if let type = property.type { return ["Int", "Int64", "UUID"].contains(type.trimmedDescription) }
        guard let value = property.initialValue else { return false }
        return value.is(IntegerLiteralExprSyntax.self) || value.trimmedDescription.hasPrefix("UUID")
    }

    /// What is computed is a property of the class that has no setter, and is computed in one way.
    private func generated(_ constraint: ConstraintDeclaration) -> [ModelDiagnostic] {
        guard constraint.kind == .generated else { return [] }
        guard let keyPath = constraint.generatedProperty, let name = keyPath.propertyName, keyPath.components.count == 1
        else {
            let place = constraint.syntax.arguments.first.map { Syntax($0.expression) }
            return [
                ModelDiagnostic(
                    place ?? Syntax(constraint.syntax.macroName),
                    "'#Generated' begins with the property that is computed, as in \\.fullName")
            ]
        }
        guard model.properties.contains(where: { $0.name == name && $0.isGenerated }) else {
            return [
                ModelDiagnostic(
                    keyPath,
                    "'\(name)' is computed: declare it in '\(model.name)' as '@Attribute(.generated) var \(name)'")
            ]
        }
        let earlier = model.constraints.prefix { $0.syntax.id != constraint.syntax.id }
        let isTaken = earlier.contains { $0.generatedProperty?.propertyName == name }
        return (isTaken ? [ModelDiagnostic(keyPath, "'\(name)' has a '#Generated'")] : [])
            + (constraint.condition.map { generatedProperties(in: Syntax($0)) } ?? [])
    }

    /// PostgreSQL lets no generated column name another (manual, 5.3), and two that do would compute each other in memory without end.
    private func generatedProperties(in syntax: Syntax) -> [ModelDiagnostic] {
        if let member = syntax.as(MemberAccessExprSyntax.self), let base = member.base {
            let name = member.declName.baseName.text
            // `$0.total`, or `line.total` in `{ line in … }`: what stands behind a property is a part of its value.
            let owner = base.as(DeclReferenceExprSyntax.self)?.baseName.text
            let isOfObject = owner.map { $0.first?.isUppercase == false } ?? false
            if isOfObject, model.properties.contains(where: { $0.name == name && $0.isGenerated }) {
                return [
                    ModelDiagnostic(
                        member,
                        "'\(name)' is computed itself, and no generated column names another: write what it is computed by"
                    )
                ]
            }
            return generatedProperties(in: Syntax(base))
        }
        return syntax.children(viewMode: .sourceAccurate).flatMap { generatedProperties(in: $0) }
    }

    /// What a literal says; `nil` for anything else.
    private static func text(of expression: ExprSyntax) -> String? {
        expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }

    /// The class's own variables that have no column.
    private var unstored: Set<String> {
        var names: Set<String> = []
        for member in declaration.memberBlock.members {
            guard let variable = member.decl.as(VariableDeclSyntax.self), !variable.isTypeMember else { continue }
            if let property = PersistedProperty(variable), !property.isEphemeral { continue }
            for binding in variable.bindings {
                if let pattern = binding.pattern.as(IdentifierPatternSyntax.self) {
                    names.insert(pattern.identifier.text)
                }
            }
        }
        return names
    }
}
