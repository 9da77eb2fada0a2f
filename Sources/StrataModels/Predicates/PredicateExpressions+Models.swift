// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// A model that is captured to be compared with, as in `$0.owner == me`. A model belongs to its context and may not be
// kept in a predicate, so its identifier is captured and compared in its place.

extension PredicateExpressions {
    /// The identifier of a model that a node gives.
    public typealias Identity<Node: PredicateExpression> = KeyPath<Node, PersistentIdentifier>
    /// The identifier of an optional model that a node gives.
    public typealias OptionalIdentity<Node: PredicateExpression, Model: PersistentModel> = OptionalFlatMap<
        Node, Model, Identity<Variable<Model>>, PersistentIdentifier
    > where Node.Output == Model?

    private static func identity<Node>(of node: Node) -> Identity<Node>
    where Node: PredicateExpression, Node.Output: PersistentModel {
        build_KeyPath(root: node, keyPath: \.persistentModelID)
    }

    private static func optionalIdentity<Node, Model>(of node: Node) -> OptionalIdentity<Node, Model>
    where Node: PredicateExpression<Model?>, Model: PersistentModel {
        OptionalFlatMap(node) { identity(of: $0) }
    }

    /// Builds `models.contains(model)` for captured models.
    public static func build_contains<LHS, RHS>(_ models: LHS, _ model: RHS) -> SequenceContains<LHS, Identity<RHS>>
    where
        LHS: PredicateExpression<[PersistentIdentifier]>, RHS: PredicateExpression, RHS.Output: PersistentModel
    {
        SequenceContains(sequence: models, element: identity(of: model))
    }

    // MARK: ==

    /// Builds `==` between a model and a captured one.
    public static func build_EqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> Equal<Identity<LHS>, RHS>
    where LHS: PredicateExpression, LHS.Output: PersistentModel, RHS: PredicateExpression<PersistentIdentifier> {
        Equal(lhs: identity(of: lhs), rhs: rhs)
    }

    /// Builds `==` between a model and a captured optional one.
    public static func build_EqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> Equal<OptionalPromotion<Identity<LHS>>, RHS>
    where LHS: PredicateExpression, LHS.Output: PersistentModel, RHS: PredicateExpression<PersistentIdentifier?> {
        Equal(lhs: OptionalPromotion(identity(of: lhs)), rhs: rhs)
    }

    /// Builds `==` between an optional model and a captured one.
    public static func build_EqualNodes<LHS, RHS, Model>(lhs: LHS, rhs: RHS) -> Equal<OptionalIdentity<LHS, Model>, RHS>
    where LHS: PredicateExpression<Model?>, Model: PersistentModel, RHS: PredicateExpression<PersistentIdentifier?> {
        Equal(lhs: optionalIdentity(of: lhs), rhs: rhs)
    }

    /// Builds `==` between a captured model and a model.
    public static func build_EqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> Equal<LHS, Identity<RHS>>
    where RHS: PredicateExpression, RHS.Output: PersistentModel, LHS: PredicateExpression<PersistentIdentifier> {
        Equal(lhs: lhs, rhs: identity(of: rhs))
    }

    /// Builds `==` between a captured optional model and a model.
    public static func build_EqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> Equal<LHS, OptionalPromotion<Identity<RHS>>>
    where RHS: PredicateExpression, RHS.Output: PersistentModel, LHS: PredicateExpression<PersistentIdentifier?> {
        Equal(lhs: lhs, rhs: OptionalPromotion(identity(of: rhs)))
    }

    /// Builds `==` between a captured model and an optional model.
    public static func build_EqualNodes<LHS, RHS, Model>(lhs: LHS, rhs: RHS) -> Equal<LHS, OptionalIdentity<RHS, Model>>
    where RHS: PredicateExpression<Model?>, Model: PersistentModel, LHS: PredicateExpression<PersistentIdentifier?> {
        Equal(lhs: lhs, rhs: optionalIdentity(of: rhs))
    }

    // MARK: !=

    /// Builds `!=` between a model and a captured one.
    public static func build_NotEqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> NotEqual<Identity<LHS>, RHS>
    where LHS: PredicateExpression, LHS.Output: PersistentModel, RHS: PredicateExpression<PersistentIdentifier> {
        NotEqual(lhs: identity(of: lhs), rhs: rhs)
    }

    /// Builds `!=` between a model and a captured optional one.
    public static func build_NotEqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> NotEqual<
        OptionalPromotion<Identity<LHS>>, RHS
    >
    where LHS: PredicateExpression, LHS.Output: PersistentModel, RHS: PredicateExpression<PersistentIdentifier?> {
        NotEqual(lhs: OptionalPromotion(identity(of: lhs)), rhs: rhs)
    }

    /// Builds `!=` between an optional model and a captured one.
    public static func build_NotEqualNodes<LHS, RHS, Model>(lhs: LHS, rhs: RHS) -> NotEqual<
        OptionalIdentity<LHS, Model>, RHS
    >
    where LHS: PredicateExpression<Model?>, Model: PersistentModel, RHS: PredicateExpression<PersistentIdentifier?> {
        NotEqual(lhs: optionalIdentity(of: lhs), rhs: rhs)
    }

    /// Builds `!=` between a captured model and a model.
    public static func build_NotEqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> NotEqual<LHS, Identity<RHS>>
    where RHS: PredicateExpression, RHS.Output: PersistentModel, LHS: PredicateExpression<PersistentIdentifier> {
        NotEqual(lhs: lhs, rhs: identity(of: rhs))
    }

    /// Builds `!=` between a captured optional model and a model.
    public static func build_NotEqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> NotEqual<
        LHS, OptionalPromotion<Identity<RHS>>
    >
    where RHS: PredicateExpression, RHS.Output: PersistentModel, LHS: PredicateExpression<PersistentIdentifier?> {
        NotEqual(lhs: lhs, rhs: OptionalPromotion(identity(of: rhs)))
    }

    /// Builds `!=` between a captured model and an optional model.
    public static func build_NotEqualNodes<LHS, RHS, Model>(lhs: LHS, rhs: RHS) -> NotEqual<
        LHS, OptionalIdentity<RHS, Model>
    >
    where RHS: PredicateExpression<Model?>, Model: PersistentModel, LHS: PredicateExpression<PersistentIdentifier?> {
        NotEqual(lhs: lhs, rhs: optionalIdentity(of: rhs))
    }
}
