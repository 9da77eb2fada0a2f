import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// What is wrong with a class that has `@Model` attached: the class itself, its initializers, its place.
struct ClassChecks {
    let model: ModelDeclaration
    let declaration: ClassDeclSyntax
    /// The declarations around the class, innermost first.
    let surroundings: [Syntax]

    /// All that is wrong with a class that can be a model.
    func diagnostics() -> [ModelDiagnostic] {
        names() + sendability() + initializers() + conditionalMembers()
    }

    /// Why the class cannot be a model at all. Then nothing is added to it: every member would be an error of its own.
    func obstacles() -> [ModelDiagnostic] {
        place() + isolation() + generics()
    }

    /// Whether the class is in a function. The compiler itself reports that, because an extension cannot reach it.
    var isLocal: Bool {
        surroundings.contains {
            $0.is(FunctionDeclSyntax.self) || $0.is(InitializerDeclSyntax.self) || $0.is(ClosureExprSyntax.self)
                || $0.is(AccessorDeclSyntax.self)
        }
    }

    /// The names that `@Model` gives. The key and the class are columns of a hierarchy, which its root names.
    private func names() -> [ModelDiagnostic] {
        guard let attribute = declaration.attributes.first(named: "Model") else { return [] }
        let checks = NameChecks(attribute: attribute)
        let ofRoot = model.isSubclass ? ["keyColumn", "classColumn"].compactMap { checks.argument($0) } : []
        return checks.diagnostics()
            + ofRoot.map {
                ModelDiagnostic(
                    $0,
                    "'\($0.label?.text ?? "")' is for the class at the top of the hierarchy: all its tables have one key, and the root's "
                        + "table names the class")
            } + inheritance(checks)
    }

    /// How classes share a table, and what tells them apart in it.
    private func inheritance(_ checks: NameChecks) -> [ModelDiagnostic] {
        let form = model.isSubclass ? checks.argument("inheritance") : nil
        let value = checks.argument("discriminator").flatMap { argument in
            let isText = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue?.isEmpty == false
            let number =
                argument.expression.as(PrefixOperatorExprSyntax.self).flatMap {
                    $0.operator.text == "-" ? $0.expression : nil
                } ?? argument.expression
            return isText || number.is(IntegerLiteralExprSyntax.self) ? nil : argument.expression
        }
        return [
            form.map {
                ModelDiagnostic(
                    $0,
                    "'inheritance' is for the class at the top of the hierarchy: it says where the properties of all its classes are"
                )
            },
            value.map {
                ModelDiagnostic(
                    $0,
                    "discriminator must be a text or a number as a literal, such as \"Manager\" or 2: it is part of the schema"
                )
            },
        ].compactMap { $0 }
    }

    private func generics() -> [ModelDiagnostic] {
        guard let parameters = declaration.genericParameterClause else { return [] }
        return [
            ModelDiagnostic(
                parameters,
                "a model cannot be generic: it has one table; declare a model for each type, with a common superclass"
            )
        ]
    }

    /// A model goes where its context is; a class tied to one actor could not.
    private func isolation() -> [ModelDiagnostic] {
        declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }.filter { $0.baseName.hasSuffix("Actor") }.map
        {
            ModelDiagnostic(
                $0, "a model belongs to the isolation of its context, not to '\($0.attributeName.trimmed)'",
                fixIts: [ModelFixIt.remove($0, "remove '\($0.trimmed)'")]
            )
        }
    }

    /// Source written for SwiftData says it, and SwiftData's models do so themselves; it compiles, but promises nothing.
    private func sendability() -> [ModelDiagnostic] {
        (declaration.inheritanceClause?.inheritedTypes ?? []).map(\.type)
            .filter { $0.lastToken(viewMode: .sourceAccurate)?.text == "Sendable" }
            .map {
                var warning = ModelDiagnostic(
                    $0,
                    "a model is not Sendable, whatever it says: it stays with its context; send its persistentModelID, or use a ModelActor"
                )
                warning.severity = .warning
                return warning
            }
    }

    private func place() -> [ModelDiagnostic] {
        if declaration.modifiers.contains(where: { $0.name.tokenKind == .keyword(.private) }), !surroundings.isEmpty,
            let modifier = declaration.modifiers.first(where: { $0.name.tokenKind == .keyword(.private) })
        {
            return [
                ModelDiagnostic(
                    modifier, "a nested model cannot be private: its conformance is declared outside the type it is in",
                    fixIts: [
                        ModelFixIt.replace(
                            modifier.name, with: TokenSyntax.keyword(.fileprivate), "write 'fileprivate'")
                    ]
                )
            ]
        }
        let generic = surroundings.contains {
            $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
        }
        guard generic, !isLocal else { return [] }
        return [ModelDiagnostic(declaration.name, "a model cannot be nested in a generic type: it has one table")]
    }

    private func initializers() -> [ModelDiagnostic] {
        // Nobody makes a row of a view.
        guard model.lacksInitializer, !model.isView else { return [] }
        return [
            ModelDiagnostic(
                declaration.name,
                "'\(model.name)' needs an initializer: \(unassigned) \(unassignedVerb) no value of \(unassignedPronoun) own",
                fixIts: [model.isSubclass ? nil : memberwiseInitializer()]
            )
        ]
    }

    private var missing: [PersistedProperty] { model.properties.filter(\.needsAssignment) }
    private var unassigned: String { missing.map { "'\($0.name)'" }.joined(separator: ", ") }
    private var unassignedVerb: String { missing.count == 1 ? "has" : "have" }
    private var unassignedPronoun: String { missing.count == 1 ? "its" : "their" }

    /// Adds an initializer with a parameter for each property without a value. Not in a subclass: what its superclass's
    /// initializers take is not to be seen from here.
    private func memberwiseInitializer() -> FixIt {
        let parameters = missing.map { "\($0.reference): \($0.type?.trimmedDescription ?? "")" }.joined(separator: ", ")
        let assignments = missing.map { "        self.\($0.reference) = \($0.reference)\n" }.joined()
        let initializer: DeclSyntax =
            "\n\n    \(raw: model.access.member)init(\(raw: parameters)) {\n\(raw: assignments)    }"
        let block = declaration.memberBlock
        let members = block.members + [MemberBlockItemSyntax(decl: initializer)]
        return ModelFixIt.replace(block, with: block.with(\.members, members), "add an initializer")
    }

    /// Slots are counted by the macro, and the macro does not know which branch is compiled.
    private func conditionalMembers() -> [ModelDiagnostic] {
        declaration.memberBlock.members.compactMap { $0.decl.as(IfConfigDeclSyntax.self) }.flatMap(membersInBranches)
            .compactMap { member in
                if let variable = member.as(VariableDeclSyntax.self), PersistedProperty(variable) != nil {
                    return ModelDiagnostic(
                        variable.bindings,
                        "a persisted property cannot be inside '#if': the table is the same in every build; mark it '@Transient'"
                    )
                }
                if let initializer = member.as(InitializerDeclSyntax.self), initializer.isDesignated {
                    return ModelDiagnostic(
                        initializer.initKeyword,
                        "a designated initializer of a model cannot be inside '#if'; put the '#if' into its body"
                    )
                }
                if let macro = member.as(MacroExpansionDeclSyntax.self), ConstraintDeclaration(macro) != nil {
                    return ModelDiagnostic(
                        macro, "'#\(macro.macroName.text)' cannot be inside '#if': the table is the same in every build"
                    )
                }
                return nil
            }
    }

    private func membersInBranches(_ condition: IfConfigDeclSyntax) -> [DeclSyntax] {
        condition.clauses.flatMap { clause -> [DeclSyntax] in
            guard case .decls(let members) = clause.elements else { return [] }
            return members.flatMap { $0.decl.as(IfConfigDeclSyntax.self).map(membersInBranches) ?? [$0.decl] }
        }
    }
}

extension ClassChecks {
    /// What is wrong when `@Model` is attached to something that is no class.
    static func diagnostic(notAClass declaration: some DeclGroupSyntax) -> ModelDiagnostic {
        let keyword = declaration.introducer
        let kind =
            switch keyword.tokenKind {
            case .keyword(.struct): "a struct"
            case .keyword(.enum): "an enum"
            case .keyword(.actor): "an actor"
            case .keyword(.protocol): "a protocol"
            default: "an extension"
            }
        let canBecomeClass = declaration.is(StructDeclSyntax.self) || declaration.is(ActorDeclSyntax.self)
        return ModelDiagnostic(
            keyword, "'@Model' needs a class, not \(kind): an object has an identity, and its context shares it",
            fixIts: [
                canBecomeClass ? ModelFixIt.replace(keyword, with: TokenSyntax.keyword(.class), "write 'class'") : nil
            ]
        )
    }
}
