public import Foundation

// MARK: Medians

extension QueryColumn {
    /// The median of a property, `nil` when there are no objects. Of an even number it is halfway between the two in
    /// the middle: a `Double`, of `Decimal`s a `Decimal`.
    public static func median<N: QueryNumber>(_ keyPath: KeyPath<Root, N>) -> Self
    where Value == N.Average? { Self(keyPath, .aggregate(.median)) }
    /// The median of the values that are not `nil`, `nil` when there are none.
    public static func median<N: QueryNumber>(_ keyPath: KeyPath<Root, N?>) -> Self
    where Value == N.Average? { Self(keyPath, .aggregate(.median)) }
    /// The median of what an expression gives, `nil` when there are no objects.
    public static func median<N: QueryNumber>(_ expression: Expression<Root, N>) -> Self
    where Value == N.Average? { Self(expression, .aggregate(.median)) }
    /// The median of what an expression gives where that is not `nil`; `nil` when there is nothing.
    public static func median<N: QueryNumber>(_ expression: Expression<Root, N?>) -> Self
    where Value == N.Average? { Self(expression, .aggregate(.median)) }
}

// MARK: Percentiles

extension QueryColumn {
    /// The value below which a part of a property's values is, such as 0.9 of them; `nil` when there are no objects.
    ///
    /// Between two values it is as far from both as the part says (PostgreSQL's `percentile_cont`). A part outside of 0 to 1 is refused.
    public static func percentile<N: QueryNumber>(_ part: Double, of keyPath: KeyPath<Root, N>) -> Self
    where Value == Double? { Self(keyPath, .aggregate(.percentile(part))) }
    /// The value below which a part of the values is that are not `nil`; `nil` when there are none.
    public static func percentile<N: QueryNumber>(_ part: Double, of keyPath: KeyPath<Root, N?>) -> Self
    where Value == Double? { Self(keyPath, .aggregate(.percentile(part))) }
    /// The value below which a part of what an expression gives is; `nil` when there are no objects.
    public static func percentile<N: QueryNumber>(_ part: Double, of expression: Expression<Root, N>) -> Self
    where Value == Double? { Self(expression, .aggregate(.percentile(part))) }
    /// The value below which a part of what an expression gives is, but for `nil`; `nil` when there is nothing.
    public static func percentile<N: QueryNumber>(_ part: Double, of expression: Expression<Root, N?>) -> Self
    where Value == Double? { Self(expression, .aggregate(.percentile(part))) }
    /// The least value of a property up to which there is a part of the values, such as 0.9 of them; `nil` when there are no objects.
    ///
    /// It is one of the values (PostgreSQL's `percentile_disc`), in the order of a sort descriptor: dates and texts have percentiles too. A part
    /// outside of 0 to 1 is refused.
    public static func discretePercentile<V: Comparable>(_ part: Double, of keyPath: KeyPath<Root, V>) -> Self
    where Value == V? { Self(keyPath, .aggregate(.discretePercentile(part))) }
    /// The least value, of those that are not `nil`, up to which there is a part of them; `nil` when there are none.
    public static func discretePercentile<V: Comparable>(_ part: Double, of keyPath: KeyPath<Root, V?>) -> Self
    where Value == V? { Self(keyPath, .aggregate(.discretePercentile(part))) }
    /// The least value that an expression gives up to which there is a part of them; `nil` when there are no objects.
    public static func discretePercentile<V: Comparable>(_ part: Double, of expression: Expression<Root, V>) -> Self
    where Value == V? { Self(expression, .aggregate(.discretePercentile(part))) }
    /// The least value that an expression gives, but for `nil`, up to which there is a part of them; `nil` when there is nothing.
    public static func discretePercentile<V: Comparable>(_ part: Double, of expression: Expression<Root, V?>) -> Self
    where Value == V? { Self(expression, .aggregate(.discretePercentile(part))) }
}

// MARK: Deviations

extension QueryColumn {
    /// The standard deviation of a property, `nil` when there are fewer than two objects. The objects are taken for a
    /// sample (PostgreSQL's `stddev_samp`): a `Double`, of `Decimal`s a `Decimal`.
    public static func standardDeviation<N: QueryNumber>(_ keyPath: KeyPath<Root, N>) -> Self
    where Value == N.Average? { Self(keyPath, .aggregate(.standardDeviation)) }
    /// The standard deviation of the values that are not `nil`, `nil` when there are fewer than two.
    public static func standardDeviation<N: QueryNumber>(_ keyPath: KeyPath<Root, N?>) -> Self
    where Value == N.Average? { Self(keyPath, .aggregate(.standardDeviation)) }
    /// The standard deviation of what an expression gives, `nil` when there are fewer than two objects.
    public static func standardDeviation<N: QueryNumber>(_ expression: Expression<Root, N>) -> Self
    where Value == N.Average? { Self(expression, .aggregate(.standardDeviation)) }
    /// The standard deviation of what an expression gives where that is not `nil`; `nil` when there are fewer than two values.
    public static func standardDeviation<N: QueryNumber>(_ expression: Expression<Root, N?>) -> Self
    where Value == N.Average? { Self(expression, .aggregate(.standardDeviation)) }
    /// The variance of a property, `nil` when there are fewer than two objects. The objects are taken for a
    /// sample (PostgreSQL's `var_samp`): a `Double`, of `Decimal`s a `Decimal`.
    public static func variance<N: QueryNumber>(_ keyPath: KeyPath<Root, N>) -> Self
    where Value == N.Average? { Self(keyPath, .aggregate(.variance)) }
    /// The variance of the values that are not `nil`, `nil` when there are fewer than two.
    public static func variance<N: QueryNumber>(_ keyPath: KeyPath<Root, N?>) -> Self
    where Value == N.Average? { Self(keyPath, .aggregate(.variance)) }
    /// The variance of what an expression gives, `nil` when there are fewer than two objects.
    public static func variance<N: QueryNumber>(_ expression: Expression<Root, N>) -> Self
    where Value == N.Average? { Self(expression, .aggregate(.variance)) }
    /// The variance of what an expression gives where that is not `nil`; `nil` when there are fewer than two values.
    public static func variance<N: QueryNumber>(_ expression: Expression<Root, N?>) -> Self
    where Value == N.Average? { Self(expression, .aggregate(.variance)) }
}
