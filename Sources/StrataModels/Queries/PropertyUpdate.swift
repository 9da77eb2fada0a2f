public import Foundation

/// What `update(model:where:)` does to one property of every object that matches.
///
/// ```swift
/// try context.update(
///     model: Trip.self, where: #Predicate { $0.destination == "Kyoto" },
///     .set(\.note, to: nil), .add(10, to: \.price), .set(\.title, from: \.name), .set(\.owner, to: ann))
/// ```
///
/// Each looks at the object as it was before the update: the order in which they are named says nothing.
public struct PropertyUpdate<Root: PersistentModel> {
    /// The property.
    package let target: SendableKeyPath
    package let source: UpdateSource
    /// Computes what becomes of an object in memory, and gives what carries it out.
    package let prepare: (Root, _ find: (PersistentIdentifier) throws -> any PersistentModel) throws -> () -> Void

    private init<Value>(
        _ target: ReferenceWritableKeyPath<Root, Value>, _ source: UpdateSource,
        _ value: @escaping (Root, (PersistentIdentifier) throws -> any PersistentModel) throws -> Value
    ) {
        self.target = sendable(target)
        self.source = source
        prepare = { model, find in
            let value = try value(model, find)
            return { model[keyPath: target] = value }
        }
    }
}

// MARK: Values

extension PropertyUpdate {
    /// Gives a property a value, or a to-one relationship an object that is stored; `nil` where that is optional. A stored part of a `Codable`
    /// value has a value of its own, the rest of the document stays as it is: `.set(\.address.city, to: "Kyoto")`.
    public static func set<Value>(_ property: ReferenceWritableKeyPath<Root, Value>, to value: Value) -> Self {
        Self(property, .value(value)) { _, _ in value }
    }

    /// Gives a property what an expression gives for the object as it was.
    ///
    /// ```swift
    /// .set(\.price, to: #Expression<Trip, Int> { $0.price * 2 })
    /// ```
    public static func set<Value>(
        _ property: ReferenceWritableKeyPath<Root, Value>, to expression: Expression<Root, Value>
    ) -> Self {
        Self(property, .expression(expression, expression.variable.key)) { model, _ in try expression.evaluate(model) }
    }

    /// Gives an optional property what an expression gives for the object as it was.
    public static func set<Value>(
        _ property: ReferenceWritableKeyPath<Root, Value?>, to expression: Expression<Root, Value>
    ) -> Self {
        Self(property, .expression(expression, expression.variable.key)) { model, _ in try expression.evaluate(model) }
    }

    /// Gives a property the value that another one had, also one behind to-one relationships.
    public static func set<Value>(
        _ property: ReferenceWritableKeyPath<Root, Value>, from other: KeyPath<Root, Value>
    ) -> Self {
        Self(property, .property(sendable(other))) { model, _ in model[keyPath: other] }
    }

    /// Gives an optional property the value that another one had.
    public static func set<Value>(
        _ property: ReferenceWritableKeyPath<Root, Value?>, from other: KeyPath<Root, Value>
    ) -> Self {
        Self(property, .property(sendable(other))) { model, _ in model[keyPath: other] }
    }
}

// MARK: Relationships by identifier

extension PropertyUpdate {
    /// Gives an optional to-one relationship the object with an identifier, which need not be in memory.
    public static func set<Destination: PersistentModel>(
        _ relationship: ReferenceWritableKeyPath<Root, Destination?>, to identifier: PersistentIdentifier
    ) -> Self {
        Self(relationship, .identifier(identifier)) { _, find in try Self.destination(identifier, find) }
    }

    /// Gives a to-one relationship the object with an identifier, which need not be in memory.
    public static func set<Destination: PersistentModel>(
        _ relationship: ReferenceWritableKeyPath<Root, Destination>, to identifier: PersistentIdentifier
    ) -> Self {
        Self(relationship, .identifier(identifier)) { _, find in try Self.destination(identifier, find) }
    }

    private static func destination<Destination: PersistentModel>(
        _ identifier: PersistentIdentifier, _ find: (PersistentIdentifier) throws -> any PersistentModel
    ) throws -> Destination {
        guard let model = try find(identifier) as? Destination else {
            throw SwiftDataError(
                .invalidValue,
                "An update of \(Root._$descriptor.entityName) by predicate was to set a relationship to an object of \(identifier.entityName), and it leads to "
                    + "\(Destination._$descriptor.entityName).", identifiers: [identifier])
        }
        return model
    }
}

// MARK: Numbers

extension PropertyUpdate {
    /// Adds to a number. What does not fit its type is an error: ``SwiftDataError/invalidValue``.
    public static func add<Value: QueryNumber>(_ number: Value, to property: ReferenceWritableKeyPath<Root, Value>)
        -> Self
    {
        Self(property, .sum(number, isNegative: false)) { model, _ in
            try model[keyPath: property].sum(with: number, for: property)
        }
    }

    /// Adds to a number that may be `nil`, and then stays so.
    public static func add<Value: QueryNumber>(_ number: Value, to property: ReferenceWritableKeyPath<Root, Value?>)
        -> Self
    {
        Self(property, .sum(number, isNegative: false)) { model, _ in
            try model[keyPath: property]?.sum(with: number, for: property)
        }
    }

    /// Takes from a number. What does not fit its type is an error: ``SwiftDataError/invalidValue``.
    public static func subtract<Value: QueryNumber>(
        _ number: Value, from property: ReferenceWritableKeyPath<Root, Value>
    ) -> Self {
        Self(property, .sum(number, isNegative: true)) { model, _ in
            try model[keyPath: property].difference(to: number, for: property)
        }
    }

    /// Takes from a number that may be `nil`, and then stays so.
    public static func subtract<Value: QueryNumber>(
        _ number: Value, from property: ReferenceWritableKeyPath<Root, Value?>
    ) -> Self {
        Self(property, .sum(number, isNegative: true)) { model, _ in
            try model[keyPath: property]?.difference(to: number, for: property)
        }
    }
}

extension QueryNumber {
    fileprivate func sum(with other: Self, for property: AnyKeyPath) throws -> Self {
        guard let whole = self as? any FixedWidthInteger else { return self + other }
        return try whole.result(.add, other, property)
    }

    fileprivate func difference(to other: Self, for property: AnyKeyPath) throws -> Self {
        guard let whole = self as? any FixedWidthInteger else { return self - other }
        return try whole.result(.subtract, other, property)
    }
}

extension FixedWidthInteger {
    /// Swift would stop the program where PostgreSQL reports an error.
    fileprivate func result<Number>(_ op: CheckedArithmetic, _ other: Number, _ property: AnyKeyPath) throws -> Number {
        if let other = other as? Self, let value = try? op(self, other), let value = value as? Number { return value }
        throw SwiftDataError(
            .invalidValue,
            "An update by predicate was refused: \(property) of an object with unsaved changes would not fit \(Self.self)."
        )
    }
}
