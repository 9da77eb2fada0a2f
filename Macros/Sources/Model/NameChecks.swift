import SwiftSyntax

/// What is wrong with the names of tables and columns that an attribute of a model gives.
struct NameChecks {
    let attribute: AttributeSyntax

    /// What a label names, with an example.
    struct Named {
        let thing: String
        let example: String
    }

    /// The labels that give names.
    private static let labels = [
        "table": Named(thing: "table", example: "users"),
        "postgresSchema": Named(thing: "schema", example: "sales"),
        "keyColumn": Named(thing: "column", example: "id"),
        "classColumn": Named(thing: "column", example: "kind"),
        "column": Named(thing: "column", example: "first_name"),
        "inverseColumn": Named(thing: "column", example: "group_id"),
        "keyConstraint": Named(thing: "constraint", example: "pk_users"),
        "superclassConstraint": Named(thing: "constraint", example: "fk_employees_people"),
        "constraint": Named(thing: "constraint", example: "fk_books_authors"),
    ]
    /// The bytes PostgreSQL keeps of a name (manual 4.1.1).
    private static let maximumBytes = 63

    /// All that is wrong with the names themselves, in the order of the source.
    func diagnostics() -> [ModelDiagnostic] {
        attribute.argumentList.flatMap { argument -> [ModelDiagnostic] in
            guard let label = argument.label?.text, !argument.expression.is(NilLiteralExprSyntax.self) else {
                return []
            }
            if label == "columns" { return list(argument.expression) }
            guard let named = Self.labels[label] else { return [] }
            return Self.problem(of: argument.expression, label, named).map {
                [ModelDiagnostic(argument.expression, $0)]
            }
                ?? []
        }
    }

    /// The names of the columns of a foreign key of several.
    private func list(_ expression: ExprSyntax) -> [ModelDiagnostic] {
        guard let list = expression.as(ArrayExprSyntax.self) else {
            return [
                ModelDiagnostic(
                    expression,
                    "columns must be an array of string literals, such as [\"order_id\", \"product_id\"]: it is part of the schema"
                )
            ]
        }
        return list.elements.compactMap { element in
            Self.problem(of: element.expression, "columns", Named(thing: "column", example: "order_id")).map {
                ModelDiagnostic(element.expression, $0)
            }
        }
    }

    static func problem(of expression: ExprSyntax, _ label: String, _ named: Named) -> String? {
        guard let text = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
            return "\(label) must be a string literal, such as \"\(named.example)\": it is part of the schema"
        }
        if text.isEmpty { return "\(label) is empty; leave it out, or give the \(named.thing)'s name" }
        if text.utf8.contains(0) { return "\(label) has a character that no name in PostgreSQL can have" }
        let count = text.utf8.count
        return count > maximumBytes
            ? "\(label) has \(count) bytes, and a name in PostgreSQL \(maximumBytes) at most" : nil
    }

    /// The argument with this label, unless it is `nil`.
    func argument(_ label: String) -> LabeledExprSyntax? {
        // `filter` would give the arguments of a list of its own, without a place in the source.
        attribute.argumentList.first {
            $0.label?.text == label && !$0.expression.is(NilLiteralExprSyntax.self)
        }
    }
}
