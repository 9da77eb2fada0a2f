import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// What the compiler starts to expand Strata's macros.
@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        ModelMacro.self,
        PersistedPropertyMacro.self,
        AttributeMacro.self,
        RelationshipMacro.self,
        TransientMacro.self,
        PrimaryKeyMacro.self,
        UniqueMacro.self,
        IndexMacro.self,
        CheckMacro.self,
        PartitionMacro.self,
        GeneratedMacro.self,
        PredicateMacro.self,
        ValueExpressionMacro.self,
        ModelActorMacro.self,
    ]
}
