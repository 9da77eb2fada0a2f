/// Which groups of a query are wanted.
///
/// ```swift
/// having: .count > 1 && .sum(\.price) >= 1000
/// ```
///
/// A comparison with `nil`, such as the average of nothing, is false.
public struct QueryCondition<Root: PersistentModel> {
    package let node: GroupCondition

    fileprivate init(_ node: GroupCondition) { self.node = node }

    /// Both are fulfilled.
    public static func && (lhs: Self, rhs: Self) -> Self { Self(.and(lhs.node, rhs.node)) }
    /// One at least is fulfilled.
    public static func || (lhs: Self, rhs: Self) -> Self { Self(.or(lhs.node, rhs.node)) }
    /// The condition is not fulfilled.
    public static prefix func ! (condition: Self) -> Self { Self(.not(condition.node)) }
}

extension QueryColumn {
    /// Groups whose value is less.
    public static func < (lhs: Self, rhs: Value) -> QueryCondition<Root> where Value: Comparable {
        QueryCondition(.compare(lhs.term, .less, rhs))
    }
    /// Groups whose value is less, and there.
    public static func < <V: Comparable>(lhs: Self, rhs: V) -> QueryCondition<Root> where Value == V? {
        QueryCondition(.compare(lhs.term, .less, rhs))
    }
    /// Groups whose value is less or equal.
    public static func <= (lhs: Self, rhs: Value) -> QueryCondition<Root> where Value: Comparable {
        QueryCondition(.compare(lhs.term, .lessOrEqual, rhs))
    }
    /// Groups whose value is less or equal, and there.
    public static func <= <V: Comparable>(lhs: Self, rhs: V) -> QueryCondition<Root> where Value == V? {
        QueryCondition(.compare(lhs.term, .lessOrEqual, rhs))
    }
    /// Groups whose value is greater.
    public static func > (lhs: Self, rhs: Value) -> QueryCondition<Root> where Value: Comparable {
        QueryCondition(.compare(lhs.term, .greater, rhs))
    }
    /// Groups whose value is greater, and there.
    public static func > <V: Comparable>(lhs: Self, rhs: V) -> QueryCondition<Root> where Value == V? {
        QueryCondition(.compare(lhs.term, .greater, rhs))
    }
    /// Groups whose value is greater or equal.
    public static func >= (lhs: Self, rhs: Value) -> QueryCondition<Root> where Value: Comparable {
        QueryCondition(.compare(lhs.term, .greaterOrEqual, rhs))
    }
    /// Groups whose value is greater or equal, and there.
    public static func >= <V: Comparable>(lhs: Self, rhs: V) -> QueryCondition<Root> where Value == V? {
        QueryCondition(.compare(lhs.term, .greaterOrEqual, rhs))
    }
    /// Groups whose value is this one.
    public static func == (lhs: Self, rhs: Value) -> QueryCondition<Root> where Value: Equatable {
        QueryCondition(.compare(lhs.term, .equal, rhs))
    }
}
