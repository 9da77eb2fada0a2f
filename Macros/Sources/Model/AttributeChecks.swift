import SwiftSyntax
import SwiftSyntaxBuilder

/// What is wrong with the arguments of `@Attribute` and `@Relationship` on a persisted property, and with their combination.
struct AttributeChecks {
    let property: PersistedProperty
    let variable: VariableDeclSyntax
    /// Whether a `#Generated` of the class says what it is computed by.
    let isComputed: Bool

    /// All that is wrong, in the order of the source.
    func diagnostics() -> [ModelDiagnostic] {
        combination() + repetition() + attributeArguments() + relationshipArguments()
    }

    // MARK: Combination

    private func combination() -> [ModelDiagnostic] {
        guard !property.attributes.isEmpty, let relationship = property.relationship else { return [] }
        return [
            ModelDiagnostic(
                relationship, "a property is an attribute or a relationship, not both",
                fixIts: [ModelFixIt.remove(relationship, "remove '@Relationship'")]
            )
        ]
    }

    private func repetition() -> [ModelDiagnostic] {
        variable.attributes.all(named: "Relationship").dropFirst().map {
            ModelDiagnostic(
                $0, "'@Relationship' is given twice; put all options into one",
                fixIts: [ModelFixIt.remove($0, "remove the second '@Relationship'")])
        }
    }

    // MARK: @Attribute

    private func attributeArguments() -> [ModelDiagnostic] {
        let options = property.attributes.flatMap(PropertyOption.all)
        return property.attributes.flatMap { duplicates(PropertyOption.all(of: $0), in: $0) } + contradictions()
            + options.flatMap(transformer) + exclusions(options) + deletionDate(options) + ephemeral(options)
            + annotation(options) + generated(options)
            + property.attributes.flatMap(originalName)
            + property.attributes.flatMap { NameChecks(attribute: $0).diagnostics() }
    }

    /// Several `@Attribute` may say the same, and each something else, but not different things of the same.
    private func contradictions() -> [ModelDiagnostic] {
        var said: [String: String] = [:]
        return property.attributes.flatMap(\.argumentList).compactMap { argument in
            let option = argument.expression.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription
            guard let subject = argument.label?.text ?? option else { return nil }
            let value = argument.expression.trimmedDescription
            guard let other = said.updateValue(value, forKey: subject), other != value else { return nil }
            return ModelDiagnostic(
                argument.expression, "'\(subject)' is given twice, as \(other) and as \(value); leave out one of them")
        }
    }

    /// `.transformable(by:)` and the names it had in betas.
    private func transformer(_ option: PropertyOption) -> [ModelDiagnostic] {
        if option.name == "transform" {
            let replacement: ExprSyntax = ".transformable(by: <#transformer#>.self)"
            return [
                ModelDiagnostic(
                    option.element.expression, "'.transform' is now '.transformable(by:)'",
                    fixIts: [
                        ModelFixIt.replace(
                            option.element.expression, with: replacement, "write '.transformable(by:)'")
                    ]
                )
            ]
        }
        return []
    }

    private func exclusions(_ options: [PropertyOption]) -> [ModelDiagnostic] {
        guard options.contains(where: { $0.name == "codable" }),
            let transformable = options.first(where: { $0.name == "transformable" })
        else { return [] }
        return [
            ModelDiagnostic(
                transformable.element.expression,
                "'.codable' and '.transformable' exclude each other: each says how the value is stored")
        ]
    }

    /// The date is `nil` while the object is there.
    private func deletionDate(_ options: [PropertyOption]) -> [ModelDiagnostic] {
        guard let option = options.first(where: { $0.name == "deletionDate" }),
            let type = variable.bindings.first?.typeAnnotation?.type, type.trimmedDescription == "Date"
        else { return [] }
        return [
            ModelDiagnostic(
                option.element.expression,
                "a property with '.deletionDate' is nil until its object is deleted",
                fixIts: [ModelFixIt.replace(type, with: "Date?" as TypeSyntax, "write 'Date?'")]
            )
        ]
    }

    /// The database computes the value when the row is written: nobody gives one, and until then there is none.
    private func generated(_ options: [PropertyOption]) -> [ModelDiagnostic] {
        guard let option = options.first(where: { $0.name == "generated" }) else { return [] }
        let others: Set = [
            "unique", "primaryKey", "externalStorage", "ephemeral", "creationDate", "modificationDate", "deletionDate",
            "tenant",
        ]
        var diagnostics = options.filter { others.contains($0.name) }.map {
            ModelDiagnostic(
                $0.element.expression,
                "a property with '.generated' is computed by the database, so it cannot be '.\($0.name)'")
        }
        if let initialValue = variable.bindings.first?.initializer?.value {
            diagnostics.append(
                ModelDiagnostic(
                    initialValue, "a property with '.generated' is computed by the database, and is given no value"))
        } else if let observer = property.observers.first, let accessors = variable.bindings.first?.accessorBlock {
            diagnostics.append(
                ModelDiagnostic(
                    accessors,
                    "a property with '.generated' has no setter that '\(observer.isBefore ? "willSet" : "didSet")' could wait for"
                ))
        } else if let type = variable.bindings.first?.typeAnnotation?.type, !type.isOptional, !isComputed {
            diagnostics.append(
                ModelDiagnostic(
                    type,
                    "a property with '.generated' is optional: until its object is saved nobody has computed a value",
                    fixIts: [
                        ModelFixIt.replace(
                            type, with: "\(raw: type.trimmedDescription)?" as TypeSyntax,
                            "write '\(type.trimmedDescription)?'")
                    ]))
        }
        if variable.bindingSpecifier.tokenKind == .keyword(.let) {
            diagnostics.append(
                ModelDiagnostic(option.element.expression, "a property with '.generated' is declared with 'var'"))
        }
        return diagnostics
    }

    private func ephemeral(_ options: [PropertyOption]) -> [ModelDiagnostic] {
        guard property.isEphemeral else { return [] }
        let columnOptions: Set = [
            "unique", "externalStorage", "preserveValueOnDeletion", "spotlight", "allowsCloudEncryption",
            "creationDate",
            "modificationDate", "deletionDate", "tenant",
        ]
        let useless =
            options.filter { columnOptions.contains($0.name) }.map {
                ModelDiagnostic(
                    $0.element.expression, "an ephemeral property has no column, so it cannot be '.\($0.name)'")
            }
            + property.attributes.compactMap { NameChecks(attribute: $0).argument("column") }.map {
                ModelDiagnostic($0, "an ephemeral property has no column, so there is none to be named")
            }
        guard property.needsAssignment, let pattern = variable.bindings.first?.pattern else { return useless }
        return useless + [
            ModelDiagnostic(
                pattern,
                "an ephemeral property needs a value, or an optional type: an object read from the database has nothing to put there"
            )
        ]
    }

    /// The storage's type is found from the annotation; from an initial value only for what Strata knows by itself.
    private func annotation(_ options: [PropertyOption]) -> [ModelDiagnostic] {
        guard property.type == nil, let pattern = variable.bindings.first?.pattern,
            let option = options.first(where: { ["codable", "transformable"].contains($0.name) })
        else { return [] }
        return [ModelDiagnostic(pattern, "a property with '.\(option.name)' needs its type written out")]
    }

    // MARK: @Relationship

    private func relationshipArguments() -> [ModelDiagnostic] {
        guard let relationship = property.relationship else { return [] }
        let options = PropertyOption.all(of: relationship)
        return destination(relationship) + duplicates(options, in: relationship) + uniqueMany(options)
            + orderedOne(options) + counts(relationship) + originalName(relationship)
            + NameChecks(attribute: relationship).diagnostics() + pairsOfOne(relationship)
    }

    private func destination(_ relationship: AttributeSyntax) -> [ModelDiagnostic] {
        guard let type = property.type, let value = ObviousValue.spelling(in: type) else { return [] }
        let attribute: AttributeSyntax = "@Attribute"
        return [
            ModelDiagnostic(
                relationship,
                "'@Relationship' needs a model, an optional model or an array of models; '\(value)' is a value",
                fixIts: [ModelFixIt.replace(relationship, with: attribute, "write '@Attribute'")]
            )
        ]
    }

    private func uniqueMany(_ options: [PropertyOption]) -> [ModelDiagnostic] {
        guard property.type?.isArray ?? false, let unique = options.first(where: { $0.name == "unique" }) else {
            return []
        }
        return [
            ModelDiagnostic(
                unique.element.expression,
                "'.unique' needs a to-one relationship; on a to-many relationship, make the inverse unique or to-one")
        ]
    }

    private func orderedOne(_ options: [PropertyOption]) -> [ModelDiagnostic] {
        guard let type = property.type, !type.isArray, let ordered = options.first(where: { $0.name == "ordered" })
        else {
            return []
        }
        return [
            ModelDiagnostic(
                ordered.element.expression,
                "'.ordered' needs an array of models, written out as '[Model]'; a to-one relationship has one object at most"
            )
        ]
    }

    /// Names of a table of pairs on a relationship that can have none.
    private func pairsOfOne(_ relationship: AttributeSyntax) -> [ModelDiagnostic] {
        guard let type = property.type, !type.isArray else { return [] }
        let names = NameChecks(attribute: relationship)
        return ["table", "inverseColumn", "keyConstraint"].compactMap { names.argument($0) }.map {
            ModelDiagnostic(
                $0,
                "'\($0.label?.text ?? "")' is for the table of pairs of a many-to-many relationship; the foreign key of a to-one "
                    + "relationship is named by 'column', and its constraint by 'constraint'")
        }
    }

    private func counts(_ relationship: AttributeSyntax) -> [ModelDiagnostic] {
        let labels = ["minimumModelCount", "maximumModelCount"]
        // `filter` would give the arguments of a list of its own, without a place in the source.
        let negative = relationship.argumentList.first {
            labels.contains($0.label?.text ?? "") && $0.expression.is(PrefixOperatorExprSyntax.self)
        }
        if let negative {
            return [ModelDiagnostic(negative.expression, "a count of models cannot be negative")]
        }
        guard let minimum = relationship.literalCount(labels[0]), let maximum = relationship.literalCount(labels[1]),
            maximum.count > 0, minimum.count > maximum.count
        else { return [] }
        return [
            ModelDiagnostic(
                minimum.expression, "minimumModelCount is greater than maximumModelCount: no object could be saved")
        ]
    }

    // MARK: Both

    private func duplicates(_ options: [PropertyOption], in attribute: AttributeSyntax) -> [ModelDiagnostic] {
        var seen: Set<String> = []
        return options.filter { !seen.insert($0.name).inserted }.map { option in
            ModelDiagnostic(
                option.element.expression, "'.\(option.name)' is given twice",
                fixIts: [
                    ModelFixIt.replace(
                        attribute, with: attribute.removing(option.element), "remove the second '.\(option.name)'")
                ]
            )
        }
    }

    private func originalName(_ attribute: AttributeSyntax) -> [ModelDiagnostic] {
        guard let argument = attribute.argumentList.first(where: { $0.label?.text == "originalName" }),
            !argument.expression.is(NilLiteralExprSyntax.self)
        else { return [] }
        guard let text = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
            return [
                ModelDiagnostic(
                    argument.expression,
                    "originalName must be a string literal, such as \"start_date\": it is part of the schema")
            ]
        }
        guard text.isEmpty else { return [] }
        return [
            ModelDiagnostic(argument.expression, "originalName is empty; leave it out, or give the property's old name")
        ]
    }
}

extension AttributeSyntax {
    /// The count a label has as a literal.
    fileprivate func literalCount(_ label: String) -> (count: Int, expression: ExprSyntax)? {
        guard let expression = argumentList.first(where: { $0.label?.text == label })?.expression,
            let literal = expression.as(IntegerLiteralExprSyntax.self), let count = literal.representedLiteralValue
        else { return nil }
        return (count, expression)
    }

    /// The attribute without one of its arguments.
    fileprivate func removing(_ argument: LabeledExprSyntax) -> AttributeSyntax {
        var remaining: [LabeledExprSyntax] = []
        for element in argumentList where element.position != argument.position { remaining.append(element) }
        if var last = remaining.popLast() {
            last.trailingComma = nil
            last.trailingTrivia = []
            remaining.append(last)
        }
        return with(\.arguments, .argumentList(LabeledExprListSyntax(remaining)))
    }
}

extension TypeSyntax {
    fileprivate var isOptional: Bool {
        isOptionalSugar || self.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
    }

    fileprivate var isArray: Bool {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.isArray }
        return self.is(ArrayTypeSyntax.self) || self.as(IdentifierTypeSyntax.self)?.name.text == "Array"
    }
}
