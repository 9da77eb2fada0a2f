import SwiftSyntax

extension AttributeSyntax {
    /// The last part of the attribute's name: `Model` in `@Strata.Model`.
    var baseName: String {
        if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
        if let identifier = attributeName.as(IdentifierTypeSyntax.self) { return identifier.name.text }
        return attributeName.trimmedDescription
    }

    /// The arguments in parentheses; empty without parentheses.
    var argumentList: LabeledExprListSyntax {
        if case .argumentList(let list) = arguments { return list }
        return []
    }
}

extension AttributeListSyntax {
    /// The attributes with this name, whether or not it is written with its module.
    func all(named name: String) -> [AttributeSyntax] {
        compactMap { $0.as(AttributeSyntax.self) }.filter { $0.baseName == name }
    }

    /// The first attribute with this name.
    func first(named name: String) -> AttributeSyntax? {
        all(named: name).first
    }
}
