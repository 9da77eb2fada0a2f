import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import StrataMacros

/// Expands `#Predicate` in a piece of source, without a compiler.
struct PredicateMacroExpander {
    /// The source with the macro expanded.
    let expansion: String
    /// What was reported, one line each: the reported source, then the message.
    let report: String
    /// The replacement in each fix-it.
    let fixes: [String]

    init(_ source: String) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(sourceFiles: [
            file: .init(moduleName: "Test", fullFilePath: "Test.swift")
        ])
        let expanded = file.expand(
            macros: ["Predicate": PredicateMacro.self, "Expression": ValueExpressionMacro.self],
            contextGenerator: {
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
            },
            indentationWidth: .spaces(4)
        )
        expansion = expanded.description
        report = context.diagnostics.map { "\($0.node.trimmedDescription): \($0.message)" }.joined(separator: "\n")
        fixes = context.diagnostics.flatMap(\.fixIts).flatMap(\.changes).compactMap {
            guard case .replace(_, let new) = $0 else { return nil }
            return new.trimmedDescription
        }
    }
}
