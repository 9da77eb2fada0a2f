import SwiftSyntax

/// What is wrong with the names of tables and columns that an attribute of a model gives.
struct NameChecks {
    let attribute: AttributeSyntax

    /// The labels that give names, each with an example.
    private static let examples = [
        "table": "users", "postgresSchema": "sales", "keyColumn": "id", "classColumn": "kind", "column": "first_name",
        "inverseColumn": "group_id",
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
            guard let example = Self.examples[label] else { return [] }
            return Self.problem(of: argument.expression, label, example).map {
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
            Self.problem(of: element.expression, "columns", "order_id").map { ModelDiagnostic(element.expression, $0) }
        }
    }

    static func problem(of expression: ExprSyntax, _ label: String, _ example: String) -> String? {
        guard let text = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
            return "\(label) must be a string literal, such as \"\(example)\": it is part of the schema"
        }
        let thing = ["table": "table", "postgresSchema": "schema", "name": "index"][label] ?? "column"
        if text.isEmpty { return "\(label) is empty; leave it out, or give the \(thing)'s name" }
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
