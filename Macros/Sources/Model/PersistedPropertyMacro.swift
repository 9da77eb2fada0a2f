import SwiftSyntax
import SwiftSyntaxMacros

/// `@_PersistedProperty(slot, "Owner", isSubclass:)`: what `@Model` attaches to each persisted property.
///
/// `isComputed` says that a `#Generated` computes it. `isSubclass` says that the class may have a superclass that is a model, so that its slots begin where those of the
/// superclass end.
struct PersistedPropertyMacro: AccessorMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let property = declaration.as(VariableDeclSyntax.self).flatMap(PersistedProperty.init),
            let place = PropertyPlace(node)
        else { return [] }
        let accessors =
            place.isComputed
            ? [property.computingGetter(slot: place.slot, owner: place.owner)]
            : property.accessors(slot: place.slot, owner: place.owner)
        return [AccessorDeclSyntax(text: accessors.joined(separator: "\n").indented)]
    }
}

/// The arguments of `@_PersistedProperty`.
private struct PropertyPlace {
    /// The expression of the slot.
    let slot: String
    let owner: String
    let isComputed: Bool

    init?(_ attribute: AttributeSyntax) {
        let arguments = attribute.argumentList.map(\.expression)
        guard arguments.count >= 3, let owner = arguments[1].as(StringLiteralExprSyntax.self)?.representedLiteralValue
        else { return nil }
        self.owner = owner
        isComputed = arguments.count == 4 && arguments[3].trimmedDescription == "true"
        let position = arguments[0].trimmedDescription
        slot = arguments[2].trimmedDescription == "true" ? "\(owner)._$base + \(position)" : position
    }
}
