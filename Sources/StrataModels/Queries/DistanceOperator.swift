public import StrataClient

/// An operator of the server by which values of a type have a distance: what `distance(_:to:by:)` of ``QueryColumn`` takes.
///
/// Declare those that the type has:
///
/// ```swift
/// extension DistanceOperator where Value == Embedding {
///     static var euclidean: Self { Self("<->") }
///     static var cosine: Self { Self("<=>") }
/// }
/// ```
public struct DistanceOperator<Value: PostgresTextCodable>: Hashable, Sendable {
    package let symbol: String

    /// An operator by its sign, with a value of the type on both sides and `double precision` as its result.
    ///
    /// - Parameter symbol: as SQL writes it. A query with a text that is no operator's name (PostgreSQL manual, 4.1.3) is refused.
    public init(_ symbol: String) { self.symbol = symbol }
}

/// How far a value is from another one, without its type.
package struct DistanceTerm: Sendable {
    /// The value from which it is far.
    package let text: String
    /// The type of the values, without its limits.
    package let typeName: String
    package let symbol: String

    init<Value>(to value: Value, by distance: DistanceOperator<Value>) {
        text = value.postgresText
        typeName = StoredType(of: Value.self).unlimitedName
        symbol = distance.symbol
    }

    /// Whether the sign can stand in SQL as it is.
    package var isOperator: Bool {
        symbol.wholeMatch(of: /[-+*\/<>=~!@#%^&|`?]{1,63}/) != nil && !symbol.contains("--") && !symbol.contains("/*")
    }
}

/// Distances are equal when the server is asked for the same.
extension DistanceTerm: Equatable {
    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.symbol == rhs.symbol && lhs.typeName == rhs.typeName && ExactString.equal(lhs.text, rhs.text)
    }
}

extension QueryColumn where Value == Double {
    /// How far a value of each object is from another one: the nearest come first by it.
    ///
    /// ```swift
    /// var descriptor = FetchDescriptor<Document>()
    /// descriptor.orderBy = [.forward(.distance(\.embedding, to: question, by: .cosine))]
    /// descriptor.fetchLimit = 10
    /// ```
    ///
    /// An index whose operator class has the operator finds the nearest in their order, where the property is not optional.
    /// - Parameters:
    ///   - keyPath: a property of the object, or behind to-one relationships.
    ///   - value: from which the distance is taken; it is a parameter of the statement.
    ///   - distance: the operator; `<->` is the distance of pgvector, PostGIS, `cube` and PostgreSQL's own geometry.
    public static func distance<V: PostgresTextCodable>(
        _ keyPath: KeyPath<Root, V>, to value: V, by distance: DistanceOperator<V> = DistanceOperator("<->")
    ) -> Self {
        Self(QueryTerm(.distance(sendable(keyPath), DistanceTerm(to: value, by: distance)), .value))
    }
}

extension QueryColumn where Value == Double? {
    /// How far a value of each object is from another one; `nil` where there is none, which comes before the nearest. As of a value that is
    /// always there.
    public static func distance<V: PostgresTextCodable>(
        _ keyPath: KeyPath<Root, V?>, to value: V, by distance: DistanceOperator<V> = DistanceOperator("<->")
    ) -> Self {
        Self(QueryTerm(.distance(sendable(keyPath), DistanceTerm(to: value, by: distance)), .value))
    }
}
