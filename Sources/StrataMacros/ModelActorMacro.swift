import StrataExpansion

/// `@ModelActor`.
struct ModelActorMacro: ModelActorMacroExpansion {}
