/// The Swift source of one node of the tree.
struct PredicateNode {
    /// How the node's type is known.
    enum Kind {
        /// Its type follows from the model: the node can stand alone in a constant.
        case anchored
        /// A value captured from outside, as `build_Arg(…)`; its literals take their type from the other operand.
        case captured
        /// `nil`.
        case nilLiteral
        /// Made of captured values only, such as `flag ? 1 : 2`: takes its type from the other operand too.
        case floating
    }

    let source: String
    let kind: Kind
    /// The captured expression, if the node is nothing else.
    var value: String?
    /// The bounds of a captured range, if the node is one that is made in the predicate.
    var bounds: Bounds?

    /// A range of captured values, `first...last`: their source.
    struct Bounds {
        let lower: String
        let upper: String
        /// The builder function of its node.
        let function: String
    }

    static func anchored(_ source: String) -> PredicateNode { PredicateNode(source: source, kind: .anchored) }

    /// A value captured from outside.
    static func captured(_ value: String) -> PredicateNode {
        PredicateNode(source: "PredicateExpressions.build_Arg(\(value))", kind: .captured, value: value)
    }

    /// A call of one of the builder functions.
    static func call(_ function: String, _ arguments: String, kind: Kind = .anchored) -> PredicateNode {
        PredicateNode(source: "PredicateExpressions.\(function)(\(arguments))", kind: kind)
    }
}
