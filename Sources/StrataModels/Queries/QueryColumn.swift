public import Foundation

/// One value of each row of a query that reads values instead of objects.
///
/// ```swift
/// let cities = try await context.fetch(
///     FetchDescriptor<Trip>(), selecting: .key(\.destination), .count, .sum(\.price), .maximum(\.startDate))
/// for (city, trips, spent, latest) in cities { … }
/// ```
///
/// Rows are objects as long as each column is a ``value(_:)-(KeyPath<Root,Value>)``. With an aggregate (`count`, `sum`, …) or a key they
/// are groups: one for each combination of the keys' values, and one for all objects when there is no key.
public struct QueryColumn<Root: PersistentModel, Value: Sendable> {
    package let term: QueryTerm

    init(_ term: QueryTerm) { self.term = term }
    init(_ keyPath: AnyKeyPath, _ role: QueryTerm.Role) { self.init(QueryTerm(.keyPath(sendable(keyPath)), role)) }
    init<Output>(_ expression: Expression<Root, Output>, _ role: QueryTerm.Role) {
        self.init(QueryTerm(.expression(expression, expression.variable.key), role))
    }
}

// MARK: Values and keys

extension QueryColumn {
    /// A stored property of each object, also one behind to-one relationships: `\.accommodation?.name`.
    public static func value(_ keyPath: KeyPath<Root, Value>) -> Self { Self(keyPath, .value) }
    /// What an expression gives for each object: `#Expression<Trip, Int> { $0.bucketList.count }`.
    public static func value(_ expression: Expression<Root, Value>) -> Self { Self(expression, .value) }

    /// A property by which objects are grouped. `nil` is a group too.
    public static func key(_ keyPath: KeyPath<Root, Value>) -> Self { Self(keyPath, .key) }
    /// An expression by whose values objects are grouped.
    public static func key(_ expression: Expression<Root, Value>) -> Self { Self(expression, .key) }
}

// MARK: Full text

extension QueryColumn where Value == Double {
    /// How well an object matches a text, as PostgreSQL ranks it (manual, 12.3.3); 0 when it does not.
    ///
    /// ```swift
    /// var descriptor = FetchDescriptor<Trip>(predicate: #Predicate { $0.matches(words) })
    /// descriptor.orderBy = [.reverse(.rank(words))]
    /// ```
    public static func rank(_ text: String) -> Self { Self(QueryTerm(.rank(text), .value)) }
}

extension QueryColumn {
    /// The part of a text in which sought words stand, as PostgreSQL cuts it (manual, 12.3.4), with a mark before and behind each of them.
    ///
    /// ```swift
    /// let found = try await context.fetch(descriptor, selecting: .value(\.title), .excerpt(of: \.body, matching: words))
    /// ```
    ///
    /// Where nothing is found it is the beginning of the text. The words are read, and compared, as `matches` does it for the class. It is text
    /// as it was stored: before it is put into a page, escape it, with marks that no text has.
    /// - Parameters:
    ///   - keyPath: a text of the object, or behind to-one relationships.
    ///   - text: what is sought.
    ///   - start: the mark before a word.
    ///   - end: the mark behind it.
    ///   - words: the greatest number of words, from 2 on. As a rule three sevenths of it are there at least.
    public static func excerpt(
        of keyPath: KeyPath<Root, String>, matching text: String, start: String = "<b>", end: String = "</b>",
        words: Int = 35
    ) -> Self where Value == String {
        Self(
            QueryTerm(
                .excerpt(sendable(keyPath), TextExcerpt(matching: text, start: start, end: end, words: words)), .value))
    }

    /// The part of a text in which sought words stand; `nil` where there is no text. As of a text that is always there.
    public static func excerpt(
        of keyPath: KeyPath<Root, String?>, matching text: String, start: String = "<b>", end: String = "</b>",
        words: Int = 35
    ) -> Self where Value == String? {
        Self(
            QueryTerm(
                .excerpt(sendable(keyPath), TextExcerpt(matching: text, start: start, end: end, words: words)), .value))
    }
}

// MARK: Counts

extension QueryColumn where Value == Int {
    /// How many objects there are.
    public static var count: Self { Self(QueryTerm(.object, .aggregate(.count))) }
    /// How many objects have a value, that is, not `nil`.
    public static func count<V>(of keyPath: KeyPath<Root, V>) -> Self { Self(keyPath, .aggregate(.count)) }
    /// For how many objects an expression gives a value, that is, not `nil`.
    public static func count<V>(of expression: Expression<Root, V>) -> Self { Self(expression, .aggregate(.count)) }
    /// How many different values there are; `nil` is none.
    public static func count<V>(distinct keyPath: KeyPath<Root, V>) -> Self {
        Self(keyPath, .aggregate(.countDistinct))
    }
    /// How many different values an expression gives; `nil` is none.
    public static func count<V>(distinct expression: Expression<Root, V>) -> Self {
        Self(expression, .aggregate(.countDistinct))
    }
}

// MARK: Sums

extension QueryColumn where Value: QueryNumber {
    /// The sum of a property, 0 when there is nothing to add.
    ///
    /// It has the property's type. What does not fit is an error: of the server (SQLSTATE 22003), or `invalidValue`.
    public static func sum(_ keyPath: KeyPath<Root, Value>) -> Self { Self(keyPath, .aggregate(.sum)) }
    /// The sum of an optional property, 0 when there is nothing to add. `nil` is left out.
    public static func sum(_ keyPath: KeyPath<Root, Value?>) -> Self { Self(keyPath, .aggregate(.sum)) }
    /// The sum of what an expression gives, 0 when there is nothing to add.
    public static func sum(_ expression: Expression<Root, Value>) -> Self { Self(expression, .aggregate(.sum)) }
    /// The sum of what an expression gives, 0 when there is nothing to add. `nil` is left out.
    public static func sum(_ expression: Expression<Root, Value?>) -> Self { Self(expression, .aggregate(.sum)) }
}

// MARK: Averages

extension QueryColumn {
    /// The average of a property, `nil` when there are no objects: a `Double`, of `Decimal`s a `Decimal`.
    public static func average<N: QueryNumber>(_ keyPath: KeyPath<Root, N>) -> Self where Value == N.Average? {
        Self(keyPath, .aggregate(.average))
    }
    /// The average of the values that are not `nil`, `nil` when there are none.
    public static func average<N: QueryNumber>(_ keyPath: KeyPath<Root, N?>) -> Self where Value == N.Average? {
        Self(keyPath, .aggregate(.average))
    }
    /// The average of what an expression gives, `nil` when there are no objects.
    public static func average<N: QueryNumber>(_ expression: Expression<Root, N>) -> Self where Value == N.Average? {
        Self(expression, .aggregate(.average))
    }
    /// The average of what an expression gives where that is not `nil`; `nil` when there is nothing.
    public static func average<N: QueryNumber>(_ expression: Expression<Root, N?>) -> Self where Value == N.Average? {
        Self(expression, .aggregate(.average))
    }
}

// MARK: Least and greatest values

extension QueryColumn {
    /// The least value of a property, `nil` when there are no objects. Ordered as a sort descriptor orders: enumerations by raw value.
    public static func minimum<V: Comparable>(_ keyPath: KeyPath<Root, V>) -> Self where Value == V? {
        Self(keyPath, .aggregate(.minimum))
    }
    /// The least value that is not `nil`; `nil` when there is none.
    public static func minimum<V: Comparable>(_ keyPath: KeyPath<Root, V?>) -> Self where Value == V? {
        Self(keyPath, .aggregate(.minimum))
    }
    /// The least value that an expression gives, `nil` when there are no objects.
    public static func minimum<V: Comparable>(_ expression: Expression<Root, V>) -> Self where Value == V? {
        Self(expression, .aggregate(.minimum))
    }
    /// The least value that an expression gives, but for `nil`; `nil` when there is none.
    public static func minimum<V: Comparable>(_ expression: Expression<Root, V?>) -> Self where Value == V? {
        Self(expression, .aggregate(.minimum))
    }
    /// The greatest value of a property, `nil` when there are no objects. Ordered as a sort descriptor orders: enumerations by raw
    /// value.
    public static func maximum<V: Comparable>(_ keyPath: KeyPath<Root, V>) -> Self where Value == V? {
        Self(keyPath, .aggregate(.maximum))
    }
    /// The greatest value that is not `nil`; `nil` when there is none.
    public static func maximum<V: Comparable>(_ keyPath: KeyPath<Root, V?>) -> Self where Value == V? {
        Self(keyPath, .aggregate(.maximum))
    }
    /// The greatest value that an expression gives, `nil` when there are no objects.
    public static func maximum<V: Comparable>(_ expression: Expression<Root, V>) -> Self where Value == V? {
        Self(expression, .aggregate(.maximum))
    }
    /// The greatest value that an expression gives, but for `nil`; `nil` when there is none.
    public static func maximum<V: Comparable>(_ expression: Expression<Root, V?>) -> Self where Value == V? {
        Self(expression, .aggregate(.maximum))
    }
}
