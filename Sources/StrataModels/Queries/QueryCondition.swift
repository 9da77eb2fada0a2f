/// Which groups of a query are wanted.
///
/// ```swift
/// having: .count > 1 && .sum(\.price) >= 1000 && .sum(\.paid) < .sum(\.price)
/// ```
///
/// An order of `nil`, such as the average of nothing, is false whatever it is compared with. `==` and `!=` are as in Swift: `nil` is the same
/// as `nil`, and as nothing else.
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
    private func compared(_ comparison: GroupCondition.Comparison, _ value: some Sendable) -> QueryCondition<Root> {
        QueryCondition(.compare(term, comparison, .value(value)))
    }

    private func compared<V>(
        _ comparison: GroupCondition.Comparison, with other: QueryColumn<Root, V>
    ) -> QueryCondition<Root> {
        QueryCondition(.compare(term, comparison, .term(other.term)))
    }

    /// Groups whose value is less.
    public static func < (lhs: Self, rhs: Value) -> QueryCondition<Root> where Value: Comparable {
        lhs.compared(.less, rhs)
    }
    /// Groups whose value is less, and there.
    public static func < <V: Comparable>(lhs: Self, rhs: V) -> QueryCondition<Root> where Value == V? {
        lhs.compared(.less, rhs)
    }
    /// Groups of which one value is less than another: `.sum(\.paid) < .sum(\.price)`.
    public static func < (lhs: Self, rhs: Self) -> QueryCondition<Root> where Value: Comparable {
        lhs.compared(.less, with: rhs)
    }
    /// Groups of which one value is less than another, where both are there: `.minimum(\.start) < .maximum(\.start)`.
    public static func < <V: Comparable>(lhs: Self, rhs: Self) -> QueryCondition<Root> where Value == V? {
        lhs.compared(.less, with: rhs)
    }
    /// Groups of which one value is less than another, where that is there: `.sum(\.paid) < .maximum(\.price)`.
    public static func < (lhs: Self, rhs: QueryColumn<Root, Value?>) -> QueryCondition<Root> where Value: Comparable {
        lhs.compared(.less, with: rhs)
    }
    /// Groups of which one value is there, and is less than another: `.maximum(\.price) < .sum(\.paid)`.
    public static func < <V: Comparable>(
        lhs: Self, rhs: QueryColumn<Root, V>
    ) -> QueryCondition<Root> where Value == V? {
        lhs.compared(.less, with: rhs)
    }
    /// Groups whose value is less or equal.
    public static func <= (lhs: Self, rhs: Value) -> QueryCondition<Root> where Value: Comparable {
        lhs.compared(.lessOrEqual, rhs)
    }
    /// Groups whose value is less or equal, and there.
    public static func <= <V: Comparable>(lhs: Self, rhs: V) -> QueryCondition<Root> where Value == V? {
        lhs.compared(.lessOrEqual, rhs)
    }
    /// Groups of which one value is less or equal to another: `.sum(\.paid) <= .sum(\.price)`.
    public static func <= (lhs: Self, rhs: Self) -> QueryCondition<Root> where Value: Comparable {
        lhs.compared(.lessOrEqual, with: rhs)
    }
    /// Groups of which one value is less or equal to another, where both are there: `.minimum(\.start) <= .maximum(\.start)`.
    public static func <= <V: Comparable>(lhs: Self, rhs: Self) -> QueryCondition<Root> where Value == V? {
        lhs.compared(.lessOrEqual, with: rhs)
    }
    /// Groups of which one value is less or equal to another, where that is there: `.sum(\.paid) <= .maximum(\.price)`.
    public static func <= (lhs: Self, rhs: QueryColumn<Root, Value?>) -> QueryCondition<Root> where Value: Comparable {
        lhs.compared(.lessOrEqual, with: rhs)
    }
    /// Groups of which one value is there, and is less or equal to another: `.maximum(\.price) <= .sum(\.paid)`.
    public static func <= <V: Comparable>(
        lhs: Self, rhs: QueryColumn<Root, V>
    ) -> QueryCondition<Root> where Value == V? {
        lhs.compared(.lessOrEqual, with: rhs)
    }
    /// Groups whose value is greater.
    public static func > (lhs: Self, rhs: Value) -> QueryCondition<Root> where Value: Comparable {
        lhs.compared(.greater, rhs)
    }
    /// Groups whose value is greater, and there.
    public static func > <V: Comparable>(lhs: Self, rhs: V) -> QueryCondition<Root> where Value == V? {
        lhs.compared(.greater, rhs)
    }
    /// Groups of which one value is greater than another: `.sum(\.paid) > .sum(\.price)`.
    public static func > (lhs: Self, rhs: Self) -> QueryCondition<Root> where Value: Comparable {
        lhs.compared(.greater, with: rhs)
    }
    /// Groups of which one value is greater than another, where both are there: `.minimum(\.start) > .maximum(\.start)`.
    public static func > <V: Comparable>(lhs: Self, rhs: Self) -> QueryCondition<Root> where Value == V? {
        lhs.compared(.greater, with: rhs)
    }
    /// Groups of which one value is greater than another, where that is there: `.sum(\.paid) > .maximum(\.price)`.
    public static func > (lhs: Self, rhs: QueryColumn<Root, Value?>) -> QueryCondition<Root> where Value: Comparable {
        lhs.compared(.greater, with: rhs)
    }
    /// Groups of which one value is there, and is greater than another: `.maximum(\.price) > .sum(\.paid)`.
    public static func > <V: Comparable>(
        lhs: Self, rhs: QueryColumn<Root, V>
    ) -> QueryCondition<Root> where Value == V? {
        lhs.compared(.greater, with: rhs)
    }
    /// Groups whose value is greater or equal.
    public static func >= (lhs: Self, rhs: Value) -> QueryCondition<Root> where Value: Comparable {
        lhs.compared(.greaterOrEqual, rhs)
    }
    /// Groups whose value is greater or equal, and there.
    public static func >= <V: Comparable>(lhs: Self, rhs: V) -> QueryCondition<Root> where Value == V? {
        lhs.compared(.greaterOrEqual, rhs)
    }
    /// Groups of which one value is greater or equal to another: `.sum(\.paid) >= .sum(\.price)`.
    public static func >= (lhs: Self, rhs: Self) -> QueryCondition<Root> where Value: Comparable {
        lhs.compared(.greaterOrEqual, with: rhs)
    }
    /// Groups of which one value is greater or equal to another, where both are there: `.minimum(\.start) >= .maximum(\.start)`.
    public static func >= <V: Comparable>(lhs: Self, rhs: Self) -> QueryCondition<Root> where Value == V? {
        lhs.compared(.greaterOrEqual, with: rhs)
    }
    /// Groups of which one value is greater or equal to another, where that is there: `.sum(\.paid) >= .maximum(\.price)`.
    public static func >= (lhs: Self, rhs: QueryColumn<Root, Value?>) -> QueryCondition<Root> where Value: Comparable {
        lhs.compared(.greaterOrEqual, with: rhs)
    }
    /// Groups of which one value is there, and is greater or equal to another: `.maximum(\.price) >= .sum(\.paid)`.
    public static func >= <V: Comparable>(
        lhs: Self, rhs: QueryColumn<Root, V>
    ) -> QueryCondition<Root> where Value == V? {
        lhs.compared(.greaterOrEqual, with: rhs)
    }
    /// Groups whose value is this one.
    public static func == (lhs: Self, rhs: Value) -> QueryCondition<Root> where Value: Equatable {
        lhs.compared(.equal, rhs)
    }
    /// Groups of which two values are the same; `nil` is the same as `nil`.
    public static func == (lhs: Self, rhs: Self) -> QueryCondition<Root> where Value: Equatable {
        lhs.compared(.equal, with: rhs)
    }
    /// Groups of which one value is there, and the same as another: `.key(\.rating) == .maximum(\.rating)`.
    public static func == (lhs: Self, rhs: QueryColumn<Root, Value?>) -> QueryCondition<Root> where Value: Equatable {
        lhs.compared(.equal, with: rhs)
    }
    /// Groups of which one value is there, and the same as another: `.maximum(\.rating) == .key(\.rating)`.
    public static func == <V: Equatable>(
        lhs: Self, rhs: QueryColumn<Root, V>
    ) -> QueryCondition<Root> where Value == V? {
        lhs.compared(.equal, with: rhs)
    }
    /// Groups whose value is another one, or `nil`.
    public static func != (lhs: Self, rhs: Value) -> QueryCondition<Root> where Value: Equatable {
        !(lhs == rhs)
    }
    /// Groups of which two values are not the same.
    public static func != (lhs: Self, rhs: Self) -> QueryCondition<Root> where Value: Equatable {
        !(lhs == rhs)
    }
    /// Groups of which one value is not there, or another than the other: `.key(\.rating) != .maximum(\.rating)`.
    public static func != (lhs: Self, rhs: QueryColumn<Root, Value?>) -> QueryCondition<Root> where Value: Equatable {
        !(lhs == rhs)
    }
    /// Groups of which one value is not there, or another than the other: `.maximum(\.rating) != .key(\.rating)`.
    public static func != <V: Equatable>(
        lhs: Self, rhs: QueryColumn<Root, V>
    ) -> QueryCondition<Root> where Value == V? {
        !(lhs == rhs)
    }
}
