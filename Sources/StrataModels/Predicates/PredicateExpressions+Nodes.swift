// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// `==` and `!=` between two nodes. A captured value becomes an optional by itself where one is expected; a node does
// not, so these also accept `T?` on one side and `T` on the other, as Swift does.

extension PredicateExpressions {
    /// Builds `==` between two properties.
    public static func build_EqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> Equal<LHS, RHS>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output == RHS.Output, LHS.Output: Equatable {
        build_Equal(lhs: lhs, rhs: rhs)
    }

    /// Builds `==` between an optional property and one that is not.
    public static func build_EqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> Equal<LHS, OptionalPromotion<RHS>>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output == RHS.Output?, RHS.Output: Equatable {
        build_Equal(lhs: lhs, rhs: OptionalPromotion(rhs))
    }

    /// Builds `==` between a property and an optional one.
    public static func build_EqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> Equal<OptionalPromotion<LHS>, RHS>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output? == RHS.Output, LHS.Output: Equatable {
        build_Equal(lhs: OptionalPromotion(lhs), rhs: rhs)
    }

    /// Builds `==` between two strings.
    public static func build_EqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> ExactStringComparison<LHS, RHS>
    where LHS: PredicateExpression<String>, RHS: PredicateExpression<String> {
        ExactStringComparison(lhs: lhs, rhs: rhs, op: .equal)
    }

    /// Builds `==` between two optional strings.
    public static func build_EqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> ExactStringComparison<LHS, RHS>
    where LHS: PredicateExpression<String?>, RHS: PredicateExpression<String?> {
        ExactStringComparison(lhs: lhs, rhs: rhs, op: .equal)
    }

    /// Builds `==` between an optional string and a string.
    public static func build_EqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> ExactStringComparison<
        LHS, OptionalPromotion<RHS>
    >
    where LHS: PredicateExpression<String?>, RHS: PredicateExpression<String> {
        ExactStringComparison(lhs: lhs, rhs: OptionalPromotion(rhs), op: .equal)
    }

    /// Builds `==` between a string and an optional string.
    public static func build_EqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> ExactStringComparison<
        OptionalPromotion<LHS>, RHS
    >
    where LHS: PredicateExpression<String>, RHS: PredicateExpression<String?> {
        ExactStringComparison(lhs: OptionalPromotion(lhs), rhs: rhs, op: .equal)
    }

    /// Builds `!=` between two properties.
    public static func build_NotEqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> NotEqual<LHS, RHS>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output == RHS.Output, LHS.Output: Equatable {
        build_NotEqual(lhs: lhs, rhs: rhs)
    }

    /// Builds `!=` between an optional property and one that is not.
    public static func build_NotEqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> NotEqual<LHS, OptionalPromotion<RHS>>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output == RHS.Output?, RHS.Output: Equatable {
        build_NotEqual(lhs: lhs, rhs: OptionalPromotion(rhs))
    }

    /// Builds `!=` between a property and an optional one.
    public static func build_NotEqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> NotEqual<OptionalPromotion<LHS>, RHS>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output? == RHS.Output, LHS.Output: Equatable {
        build_NotEqual(lhs: OptionalPromotion(lhs), rhs: rhs)
    }

    /// Builds `!=` between two strings.
    public static func build_NotEqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> ExactStringComparison<LHS, RHS>
    where LHS: PredicateExpression<String>, RHS: PredicateExpression<String> {
        ExactStringComparison(lhs: lhs, rhs: rhs, op: .notEqual)
    }

    /// Builds `!=` between two optional strings.
    public static func build_NotEqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> ExactStringComparison<LHS, RHS>
    where LHS: PredicateExpression<String?>, RHS: PredicateExpression<String?> {
        ExactStringComparison(lhs: lhs, rhs: rhs, op: .notEqual)
    }

    /// Builds `!=` between an optional string and a string.
    public static func build_NotEqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> ExactStringComparison<
        LHS, OptionalPromotion<RHS>
    >
    where LHS: PredicateExpression<String?>, RHS: PredicateExpression<String> {
        ExactStringComparison(lhs: lhs, rhs: OptionalPromotion(rhs), op: .notEqual)
    }

    /// Builds `!=` between a string and an optional string.
    public static func build_NotEqualNodes<LHS, RHS>(lhs: LHS, rhs: RHS) -> ExactStringComparison<
        OptionalPromotion<LHS>, RHS
    >
    where LHS: PredicateExpression<String>, RHS: PredicateExpression<String?> {
        ExactStringComparison(lhs: OptionalPromotion(lhs), rhs: rhs, op: .notEqual)
    }

    /// Builds `??` between two optionals; the result is optional too.
    public static func build_NilCoalesce<LHS, RHS, Wrapped: Equatable>(
        lhs: LHS,
        rhs: RHS
    ) -> Conditional<NotEqual<LHS, NilLiteral<Wrapped>>, LHS, RHS>
    where LHS: PredicateExpression<Wrapped?>, RHS: PredicateExpression<Wrapped?> {
        build_Conditional(NotEqual(lhs: lhs, rhs: build_NilLiteral()), lhs, rhs)
    }
}
