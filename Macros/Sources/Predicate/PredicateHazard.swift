import SwiftSyntax

/// Something in a captured value that can stop the program when it is evaluated although a condition rules it out.
///
/// `text == nil || $0.name == text!` never unwraps `nil` in Swift. Captured values are evaluated when the predicate is
/// made, so there `text!` must become a node of its own, which is evaluated only when it is reached.
struct PredicateHazard {
    let description: String
    let token: Syntax

    /// The first one in `syntax`.
    static func first(in syntax: some SyntaxProtocol) -> PredicateHazard? {
        if let unwrap = syntax.as(ForceUnwrapExprSyntax.self) {
            return PredicateHazard(description: "'!'", token: Syntax(unwrap.exclamationMark))
        }
        if let cast = syntax.as(AsExprSyntax.self), let mark = cast.questionOrExclamationMark, mark.text == "!" {
            return PredicateHazard(description: "'as!'", token: Syntax(mark))
        }
        if let attempt = syntax.as(TryExprSyntax.self), let mark = attempt.questionOrExclamationMark, mark.text == "!" {
            return PredicateHazard(description: "'try!'", token: Syntax(mark))
        }
        if let access = syntax.as(SubscriptCallExprSyntax.self) {
            return PredicateHazard(description: "the subscript", token: Syntax(access.leftSquare))
        }
        if let infix = syntax.as(InfixOperatorExprSyntax.self),
            let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator, ["/", "%"].contains(name.text),
            // A literal divisor other than zero cannot trap.
            infix.rightOperand.as(IntegerLiteralExprSyntax.self).map({ $0.literal.text == "0" })
                ?? !infix.rightOperand.is(FloatLiteralExprSyntax.self)
        {
            return PredicateHazard(description: "'\(name.text)'", token: Syntax(name))
        }
        for child in syntax.children(viewMode: .sourceAccurate) {
            if let hazard = first(in: child) { return hazard }
        }
        return nil
    }
}
