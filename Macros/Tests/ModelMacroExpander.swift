import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import StrataMacros

/// Expands the macros of the `@Model` family in a piece of source, without a compiler.
struct ModelMacroExpander {
    /// The source with every macro expanded.
    let expansion: String
    /// What was reported, one line each: `line:column: message`, followed by a line for each fix-it, ` fix: message`.
    let report: String
    /// Whether anything that was reported stops a build.
    let hasErrors: Bool
    /// The source after each fix-it, in the order of the report.
    let fixed: [String]

    /// - Parameters:
    ///   - source: what a user wrote.
    ///   - isSubclass: whether the compiler would say that the superclass is a model.
    ///   - properties: whether to expand `@_PersistedProperty` instead of the macros that users write.
    init(_ source: String, isSubclass: Bool = false, properties: Bool = false) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(sourceFiles: [
            file: .init(moduleName: "Test", fullFilePath: "Test.swift")
        ])
        let expanded = file.expand(
            macroSpecs: Self.specifications(isSubclass: isSubclass, properties: properties),
            contextGenerator: {
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
            },
            indentationWidth: .spaces(4)
        )
        expansion = expanded.description
        // Each attribute is expanded where it stands, in no particular order; people read from the top.
        let diagnostics = context.diagnostics.map { diagnostic in
            (
                diagnostic,
                context.location(for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "Test.swift")
            )
        }.sorted { ($0.1.line, $0.1.column) < ($1.1.line, $1.1.column) }
        report = diagnostics.map { diagnostic, location in
            (["\(location.line):\(location.column): \(diagnostic.message)"]
                + diagnostic.fixIts.map { " fix: \($0.message.message)" })
                .joined(separator: "\n")
        }.joined(separator: "\n")
        hasErrors = context.diagnostics.contains { $0.diagMessage.severity == .error }
        fixed = diagnostics.flatMap(\.0.fixIts).map { fixIt in
            Self.apply(fixIt, to: source) { context.location(for: $0, anchoredAt: $1, fileName: "Test.swift").offset }
        }
    }

    private static func specifications(isSubclass: Bool, properties: Bool) -> [String: MacroSpec] {
        if properties { return ["_PersistedProperty": MacroSpec(type: PersistedPropertyMacro.self)] }
        let conformances: [TypeSyntax] = isSubclass ? [] : ["PersistentModel", "Sendable"]
        return [
            "Model": MacroSpec(type: ModelMacro.self, conformances: conformances),
            "Attribute": MacroSpec(type: AttributeMacro.self),
            "Relationship": MacroSpec(type: RelationshipMacro.self),
            "Transient": MacroSpec(type: TransientMacro.self),
            "PrimaryKey": MacroSpec(type: PrimaryKeyMacro.self),
            "Unique": MacroSpec(type: UniqueMacro.self),
            "Index": MacroSpec(type: IndexMacro.self),
            "Check": MacroSpec(type: CheckMacro.self),
            "Partition": MacroSpec(type: PartitionMacro.self),
            "Generated": MacroSpec(type: GeneratedMacro.self),
            "ModelActor": MacroSpec(type: ModelActorMacro.self, conformances: ["ModelActor"]),
        ]
    }

    /// Applies a fix-it as an editor would: by replacing text.
    private static func apply(_ fixIt: FixIt, to source: String, offset: (AbsolutePosition, Syntax) -> Int?) -> String {
        var text = Array(source.utf8)
        for case .replace(let old, let new) in fixIt.changes {
            guard let start = offset(old.position, old) else { continue }
            text.replaceSubrange(start..<start + old.totalLength.utf8Length, with: Array(new.description.utf8))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
