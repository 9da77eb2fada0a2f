public import StrataContext

/// Reading values without objects.
extension ModelContext {
    /// The values of some properties of the objects that match. One round trip.
    ///
    /// ```swift
    /// let names = try await context.fetch(FetchDescriptor<Trip>(), selecting: \.name)
    /// for (name, start) in try await context.fetch(FetchDescriptor<Trip>(), selecting: \.name, \.startDate) { … }
    /// let cities = try await context.fetch(FetchDescriptor<Trip>(), selecting: \.accommodation?.city, distinct: true)
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
    ) async throws -> [(repeat each Value)] {
        try await suspendingValues(
            descriptor, repeat QueryColumn<T, each Value>.value(each keyPaths), isDistinct: distinct)
    }

    /// What some properties of the objects that match are made into. One round trip.
    ///
    /// ```swift
    /// let cards = try await context.fetch(FetchDescriptor<Trip>(), selecting: \.name, \.startDate, into: TripCard.init)
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
    ) async throws -> [Row] {
        try await suspendingValues(
            descriptor, repeat QueryColumn<T, each Value>.value(each keyPaths), isDistinct: distinct, into: transform)
    }

    /// Values of the objects that match, or of groups of them. One round trip.
    ///
    /// ```swift
    /// let cities = try await context.fetch(
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
    ) async throws -> [(repeat each Value)] {
        try await suspendingValues(
            descriptor, repeat each columns, having: condition, orderBy: order)
    }

    /// What values of the objects that match, or of groups of them, are made into. One round trip.
    ///
    /// ```swift
    /// let cities = try await context.fetch(
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
    ) async throws -> [Row] {
        try await suspendingValues(
            descriptor, repeat each columns, having: condition, orderBy: order, into: transform)
    }
}
