import SwiftSyntax

/// One option of `@Attribute` or `@Relationship`: an argument without label, such as `.unique`.
struct PropertyOption {
    /// The option's name without dot: `unique`.
    let name: String
    /// What the option is called with: `by: X.self`.
    let arguments: LabeledExprListSyntax
    /// The argument of the attribute that holds it.
    let element: LabeledExprSyntax

    /// Reads all options of an attribute. Expressions that are no option literal (a constant, say) are left to the type
    /// checker.
    static func all(of attribute: AttributeSyntax) -> [PropertyOption] {
        attribute.argumentList.compactMap { $0.label == nil ? PropertyOption($0) : nil }
    }

    private init?(_ element: LabeledExprSyntax) {
        let call = element.expression.as(FunctionCallExprSyntax.self)
        let callee = call?.calledExpression ?? element.expression
        guard let member = callee.as(MemberAccessExprSyntax.self) else { return nil }
        name = member.declName.baseName.text
        arguments = call?.arguments ?? []
        self.element = element
    }
}
