import StrataExpansion

/// `@Attribute`.
struct AttributeMacro: PropertyAttributeMacroExpansion {}

/// `@Relationship`.
struct RelationshipMacro: PropertyAttributeMacroExpansion {}

/// `@Transient`.
struct TransientMacro: PropertyAttributeMacroExpansion {}
