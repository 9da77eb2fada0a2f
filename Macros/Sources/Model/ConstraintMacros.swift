import SwiftSyntax
import SwiftSyntaxMacros

/// `#PrimaryKey`, `#Unique`, `#Index`, `#Check`, `#Partition` and `#Generated`: they add nothing, `@Model` reads them.
protocol ConstraintMacro: DeclarationMacro {}

extension ConstraintMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if !context.lexicalContext.isDirectlyInModel {
            let message = "'#\(node.macroName.text)' belongs into the body of a '@Model' class"
            context.diagnose(ModelDiagnostic(node.macroName, message).diagnostic)
        }
        return []
    }
}

/// `#PrimaryKey`.
struct PrimaryKeyMacro: ConstraintMacro {}

/// `#Unique`.
struct UniqueMacro: ConstraintMacro {}

/// `#Index`.
struct IndexMacro: ConstraintMacro {}

/// `#Check`.
struct CheckMacro: ConstraintMacro {}

/// `#Partition`.
struct PartitionMacro: ConstraintMacro {}

/// `#Generated`.
struct GeneratedMacro: ConstraintMacro {}
