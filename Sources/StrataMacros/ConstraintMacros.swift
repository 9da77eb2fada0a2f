import StrataExpansion

/// `#Unique`.
struct UniqueMacro: ConstraintMacroExpansion {}

/// `#Index`.
struct IndexMacro: ConstraintMacroExpansion {}
