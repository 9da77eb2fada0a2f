import SwiftSyntax

/// The access a class gives to the members that `@Model` adds to it.
struct ModelAccess {
    /// The modifier of members that subclasses override, with a trailing space, or empty: `open` for an open class, so that
    /// a model of another module can override them.
    let overridable: String
    /// The modifier of all other members, with a trailing space, or empty.
    let member: String

    /// Reads the modifiers of a class.
    init(of modifiers: DeclModifierListSyntax) {
        let kinds = modifiers.map(\.name.tokenKind)
        if kinds.contains(.keyword(.open)) {
            (overridable, member) = ("open ", "public ")
        } else if kinds.contains(.keyword(.public)) {
            (overridable, member) = ("public ", "public ")
        } else if kinds.contains(.keyword(.package)) {
            (overridable, member) = ("package ", "package ")
        } else {
            (overridable, member) = ("", "")
        }
    }
}
