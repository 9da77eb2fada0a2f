import StrataExpansion

/// `@Model`.
struct ModelMacro: ModelMacroExpansion {}
