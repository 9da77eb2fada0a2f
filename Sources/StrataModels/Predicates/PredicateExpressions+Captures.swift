// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// Captured values take their type from the node they meet, so that literals, enum cases and conversions to optionals
// are what they are in the closure.

extension PredicateExpressions {
    /// Captures a value to be compared or calculated with `node`.
    public static func build_Arg<Node: PredicateExpression>(_ value: Node.Output, for node: Node) -> Value<Node.Output>
    {
        Value(value)
    }

    /// Captures an optional value to be compared with a node that is not optional.
    public static func build_Arg<Node: PredicateExpression>(_ value: Node.Output?, for node: Node) -> Value<
        Node.Output?
    > {
        Value(value)
    }

    /// Captures the identifier of a model to be compared with `node`.
    public static func build_Arg<Node: PredicateExpression>(
        _ value: Node.Output,
        for node: Node
    ) -> Value<PersistentIdentifier> where Node.Output: PersistentModel {
        Value(value.persistentModelID)
    }

    /// Captures the identifier of an optional model to be compared with `node`.
    public static func build_Arg<Node: PredicateExpression>(
        _ value: Node.Output?,
        for node: Node
    ) -> Value<PersistentIdentifier?> where Node.Output: PersistentModel {
        Value(value?.persistentModelID)
    }

    /// Captures the identifier of a model, or `nil`, to be compared with an optional node.
    public static func build_Arg<Node, Model>(_ value: Model?, for node: Node) -> Value<PersistentIdentifier?>
    where Node: PredicateExpression<Model?>, Model: PersistentModel {
        Value(value?.persistentModelID)
    }

    /// Captures a value to be used when `node` is `nil`.
    public static func build_Arg<Node, Wrapped>(_ value: Wrapped, unwrapping node: Node) -> Value<Wrapped>
    where Node: PredicateExpression<Wrapped?> {
        Value(value)
    }

    /// Captures an optional value to be used when `node` is `nil`.
    public static func build_Arg<Node, Wrapped>(_ value: Wrapped?, unwrapping node: Node) -> Value<Wrapped?>
    where Node: PredicateExpression<Wrapped?> {
        Value(value)
    }

    /// Captures a collection, range or string in which to look for what `element` gives.
    public static func build_Arg<Values, Element>(_ values: Values, containing element: Element) -> Value<Values>
    where Element: PredicateExpression {
        Value(values)
    }

    /// Captures the identifiers of models among which to look for what `element` gives.
    public static func build_Arg<Values, Element>(
        _ values: Values,
        containing element: Element
    ) -> Value<[PersistentIdentifier]>
    where Values: Sequence<Element.Output>, Element: PredicateExpression, Element.Output: PersistentModel {
        Value(values.map(\.persistentModelID))
    }
}
