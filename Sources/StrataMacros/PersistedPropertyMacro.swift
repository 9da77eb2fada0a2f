import StrataExpansion

/// `@_PersistedProperty`, which `@Model` attaches.
struct PersistedPropertyMacro: PersistedPropertyMacroExpansion {}
