import StrataClient
public import StrataModels
import StrataRepository

// Each call has a blocking form here, and one that suspends, which the module Strata shows.

/// Reading values without objects.
extension ModelContext {
    /// The values of some properties of the objects that match; blocks this thread. One round trip.
    ///
    /// ```swift
    /// let names = try context.fetch(FetchDescriptor<Trip>(), selecting: \.name)
    /// for (name, start) in try context.fetch(FetchDescriptor<Trip>(), selecting: \.name, \.startDate) { … }
    /// let cities = try context.fetch(FetchDescriptor<Trip>(), selecting: \.accommodation?.city, distinct: true)
    /// ```
    ///
    /// No object is made, and what comes out is as `Sendable` as the values. A key path may lead through to-one relationships, and to a
    /// `persistentModelID`. Predicate, order, limit and offset are the descriptor's, and unsaved changes take part as in `fetch`.
    /// - Parameters:
    ///   - descriptor: which objects, in which order.
    ///   - keyPaths: what is read of each object.
    ///   - distinct: whether equal rows come once. Limit and offset then are of what is left, and the order goes by selected values.
    /// - Throws: ``SwiftDataError``: `unsupportedKeyPath`, `unsupportedSortDescriptor` and `unsupportedPredicate` before anything is sent;
    ///   `invalidValue` for a row whose value the type cannot hold, such as no value for a type that is not optional.
    public func fetch<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting keyPaths: repeat KeyPath<T, each Value>, distinct: Bool = false
    ) throws -> [(repeat each Value)] {
        let query = Self.valueQuery((repeat QueryColumn<T, each Value>.value(each keyPaths)), isDistinct: distinct)
        return try values(descriptor, query, .tuples(of: repeat (each Value).self))
    }

    /// What some properties of the objects that match are made into; blocks this thread. One round trip.
    ///
    /// ```swift
    /// let cards = try context.fetch(FetchDescriptor<Trip>(), selecting: \.name, \.startDate, into: TripCard.init)
    /// ```
    ///
    /// As the form without `into`. `transform` makes a value only: where rows are read again, it runs again.
    /// - Parameters:
    ///   - descriptor: which objects, in which order.
    ///   - keyPaths: what is read of each object.
    ///   - distinct: whether equal rows come once.
    ///   - transform: makes something of the values of one row, in the order of the key paths. What it throws ends the call.
    public func fetch<T: PersistentModel, each Value: Sendable, Row>(
        _ descriptor: FetchDescriptor<T>, selecting keyPaths: repeat KeyPath<T, each Value>, distinct: Bool = false,
        into transform: @escaping (repeat each Value) throws -> Row
    ) throws -> [Row] {
        let query = Self.valueQuery((repeat QueryColumn<T, each Value>.value(each keyPaths)), isDistinct: distinct)
        return try values(descriptor, query, .into(transform))
    }

    /// Values of the objects that match, or of groups of them; blocks this thread. One round trip.
    ///
    /// ```swift
    /// let cities = try context.fetch(
    ///     FetchDescriptor<Trip>(), selecting: .key(\.destination), .count, .sum(\.price),
    ///     having: .count > 1, orderBy: [.reverse(.sum(\.price))])
    /// for (city, trips, spent) in cities { … }
    /// ```
    ///
    /// A row is a group as soon as a column is a key or an aggregate: see ``QueryColumn``. Limit and offset of the descriptor are of groups;
    /// without a key, when all objects are one group, they are of the objects. The descriptor's order goes by keys.
    /// - Parameters:
    ///   - descriptor: which objects.
    ///   - columns: what a row has.
    ///   - condition: which groups are wanted.
    ///   - order: comes before the descriptor's own order.
    /// - Throws: ``SwiftDataError``, as the form with key paths.
    public func fetch<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        having condition: QueryCondition<T>? = nil, orderBy order: [QueryOrder<T>] = []
    ) throws -> [(repeat each Value)] {
        try values(
            descriptor, Self.valueQuery((repeat each columns), condition, order), .tuples(of: repeat (each Value).self))
    }

    /// What values of the objects that match, or of groups of them, are made into; blocks this thread. One round trip.
    ///
    /// ```swift
    /// let cities = try context.fetch(
    ///     FetchDescriptor<Trip>(), selecting: .key(\.destination), .count, .maximum(\.startDate), into: CityStats.init)
    /// ```
    ///
    /// As the form without `into`. `transform` makes a value only: where rows are read again, it runs again.
    /// - Parameters:
    ///   - descriptor: which objects.
    ///   - columns: what a row has.
    ///   - condition: which groups are wanted.
    ///   - order: comes before the descriptor's own order.
    ///   - transform: makes something of the values of one row, in the order of the columns. What it throws ends the call.
    public func fetch<T: PersistentModel, each Value: Sendable, Row>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        having condition: QueryCondition<T>? = nil, orderBy order: [QueryOrder<T>] = [],
        into transform: @escaping (repeat each Value) throws -> Row
    ) throws -> [Row] {
        try values(descriptor, Self.valueQuery((repeat each columns), condition, order), .into(transform))
    }

    private func values<T: PersistentModel, Row>(
        _ descriptor: FetchDescriptor<T>, _ query: ValueQuery, _ reading: ValueReading<Row>
    ) throws -> [Row] {
        try perform(ValueExecution(descriptor, query, reading, unit: unit)).takeResult()
    }

    /// What asynchronous callers get as `fetch(_:selecting:)`: see the module Strata.
    package func suspendingValues<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, _ columns: repeat QueryColumn<T, each Value>,
        having condition: QueryCondition<T>? = nil, orderBy order: [QueryOrder<T>] = [], isDistinct: Bool = false
    ) async throws -> [(repeat each Value)] {
        try await suspendingValues(
            descriptor, Self.valueQuery((repeat each columns), condition, order, isDistinct: isDistinct),
            .tuples(of: repeat (each Value).self))
    }

    /// What asynchronous callers get as `fetch(_:selecting:into:)`: see the module Strata.
    package func suspendingValues<T: PersistentModel, each Value: Sendable, Row>(
        _ descriptor: FetchDescriptor<T>, _ columns: repeat QueryColumn<T, each Value>,
        having condition: QueryCondition<T>? = nil, orderBy order: [QueryOrder<T>] = [], isDistinct: Bool = false,
        into transform: @escaping (repeat each Value) throws -> Row
    ) async throws -> [Row] {
        try await suspendingValues(
            descriptor, Self.valueQuery((repeat each columns), condition, order, isDistinct: isDistinct),
            .into(transform))
    }

    private func suspendingValues<T: PersistentModel, Row>(
        _ descriptor: FetchDescriptor<T>, _ query: ValueQuery, _ reading: ValueReading<Row>
    ) async throws -> [Row] {
        try await perform(ValueExecution(descriptor, query, reading, unit: unit)).takeResult()
    }

    /// The pages of what asynchronous callers get as `stream(_:selecting:)`: see the module Strata.
    package func valuePages<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, _ columns: repeat QueryColumn<T, each Value>, size: Int
    ) -> ValuePages<T, (repeat each Value)> {
        ValuePages(
            self, descriptor, Self.valueQuery((repeat each columns)),
            ValueReading<(repeat each Value)>.tuples(of: repeat (each Value).self), size: size)
    }

    /// The columns of a call as one query.
    static func valueQuery<T: PersistentModel, each Value: Sendable>(
        _ columns: (repeat QueryColumn<T, each Value>), _ condition: QueryCondition<T>? = nil,
        _ order: [QueryOrder<T>] = [], isDistinct: Bool = false
    ) -> ValueQuery {
        var terms: [QueryTerm] = []
        repeat terms.append((each columns).term)
        var types: [Any.Type] = []
        repeat types.append((each Value).self)
        return ValueQuery(
            terms, types: types, isDistinct: isDistinct, having: condition?.node,
            order: order.map { ($0.term, $0.order) })
    }
}
