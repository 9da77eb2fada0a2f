import SwiftSyntax
import SwiftSyntaxMacros

/// `#Predicate`: turns the closure into the expression tree that Foundation's `Predicate` holds.
///
/// The tree is written as a list of constants, one for each node, and not as one nested expression: the compiler then
/// checks each node by itself, so a long predicate takes no longer to compile than its parts.
///
///     { $0.name == "Lyon" }
///
///     PredicateBody.predicate(#"{ $0.name == "Lyon" }"#) { input in
///         let part1 = PredicateExpressions.build_KeyPath(root: input, keyPath: \.name)
///         let part2 = PredicateExpressions.build_Arg("Lyon", for: part1)
///         let part3 = PredicateExpressions.build_EqualNodes(lhs: part1, rhs: part2)
///         return part3
///     }
struct PredicateMacro: TreeMacro {
    static let (body, function) = ("PredicateBody", "predicate")
    static let refused = "PredicateExpressions.build_Arg(false)"
}

/// `#Expression`: the same for Foundation's `Expression`, whose closure may return any value.
struct ValueExpressionMacro: TreeMacro {
    static let (body, function) = ("ExpressionBody", "expression")
    static let refused = "preconditionFailure()"
}
