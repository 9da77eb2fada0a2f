public import Foundation

// MARK: All values of a group

extension QueryColumn {
    /// The values of a property in a group, in their order; each once with `distinct`.
    ///
    /// ```swift
    /// selecting: .key(\.destination), .values(\.name)
    /// ```
    ///
    /// `nil` is left out; of nothing it is an empty array. Ordered as a sort descriptor orders: enumerations by raw value.
    public static func values<V: Comparable>(_ keyPath: KeyPath<Root, V>, distinct: Bool = false) -> Self
    where Value == [V] { Self(keyPath, .aggregate(.list(isDistinct: distinct))) }
    /// The values of a property in a group that are not `nil`, in their order; each once with `distinct`.
    public static func values<V: Comparable>(_ keyPath: KeyPath<Root, V?>, distinct: Bool = false) -> Self
    where Value == [V] { Self(keyPath, .aggregate(.list(isDistinct: distinct))) }
    /// What an expression gives for the objects of a group, in its order; each value once with `distinct`.
    public static func values<V: Comparable>(_ expression: Expression<Root, V>, distinct: Bool = false) -> Self
    where Value == [V] { Self(expression, .aggregate(.list(isDistinct: distinct))) }
    /// What an expression gives for the objects of a group, but for `nil`, in its order; each value once with `distinct`.
    public static func values<V: Comparable>(_ expression: Expression<Root, V?>, distinct: Bool = false) -> Self
    where Value == [V] { Self(expression, .aggregate(.list(isDistinct: distinct))) }
}

extension QueryColumn where Value == String? {
    /// The texts of a group one behind the other, in their order, with a separator between them; each once with `distinct`.
    ///
    /// ```swift
    /// selecting: .key(\.destination), .joined(\.name, separator: ", ")
    /// ```
    ///
    /// `nil` is left out; of nothing it is `nil`.
    public static func joined(
        _ keyPath: KeyPath<Root, String>, separator: String, distinct: Bool = false
    ) -> Self { Self(keyPath, .aggregate(.text(separator: separator, isDistinct: distinct))) }
    /// The texts of a group that are not `nil` one behind the other, in their order, with a separator between them; each once with
    /// `distinct`.
    public static func joined(
        _ keyPath: KeyPath<Root, String?>, separator: String, distinct: Bool = false
    ) -> Self { Self(keyPath, .aggregate(.text(separator: separator, isDistinct: distinct))) }
    /// The texts that an expression gives for the objects of a group one behind the other, in their order, with a separator between them;
    /// each once with `distinct`.
    public static func joined(
        _ expression: Expression<Root, String>, separator: String, distinct: Bool = false
    ) -> Self { Self(expression, .aggregate(.text(separator: separator, isDistinct: distinct))) }
    /// The texts that an expression gives for the objects of a group, but for `nil`, one behind the other, in their order, with a separator
    /// between them; each once with `distinct`.
    public static func joined(
        _ expression: Expression<Root, String?>, separator: String, distinct: Bool = false
    ) -> Self { Self(expression, .aggregate(.text(separator: separator, isDistinct: distinct))) }
}
