public import StrataContext

extension ModelContext {
    /// How the server would carry out a fetch. One round trip.
    ///
    /// ```swift
    /// let plan = try await context.explain(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)]), analyze: true)
    /// print(plan)
    /// ```
    ///
    /// The plan is that of the objects' own statement, prefetching left aside, with unsaved changes as in `fetch`.
    /// - Parameters:
    ///   - descriptor: the fetch.
    ///   - analyze: whether the server carries the fetch out, and says how many rows there were and how long each step took.
    ///   - avoidsSequentialScans: whether the server is to read indexes where it can, although a table may be small enough to be read
    ///     whole: for tests. Not in a transaction.
    /// - Throws: ``SwiftDataError``, as `fetch`.
    public func explain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, analyze: Bool = false, avoidsSequentialScans: Bool = false
    ) async throws -> QueryPlan {
        try await suspendingExplain(
            .objects(descriptor, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would count objects. One round trip.
    ///
    /// ```swift
    /// let plan = try await context.explainCount(FetchDescriptor(predicate: inParis), analyze: true)
    /// ```
    /// - Parameters:
    ///   - descriptor: which objects.
    ///   - analyze: whether the server carries the query out, and says how many rows there were and how long each step took.
    ///   - avoidsSequentialScans: as for a fetch of objects.
    /// - Throws: ``SwiftDataError``, as `fetchCount`.
    public func explainCount<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, analyze: Bool = false, avoidsSequentialScans: Bool = false
    ) async throws -> QueryPlan {
        try await suspendingExplain(.count(descriptor, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would read values. One round trip.
    ///
    /// ```swift
    /// let plan = try await context.explain(FetchDescriptor<Trip>(), selecting: \.destination, distinct: true)
    /// ```
    ///
    /// It tells whether an index that includes what is selected serves alone (`Index Only Scan`).
    /// - Parameters:
    ///   - descriptor: which objects.
    ///   - keyPaths: what is read of each object.
    ///   - distinct: whether equal rows come once.
    ///   - analyze: whether the server carries the query out, and says how many rows there were and how long each step took.
    ///   - avoidsSequentialScans: as for a fetch of objects.
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`.
    public func explain<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting keyPaths: repeat KeyPath<T, each Value>, distinct: Bool = false,
        analyze: Bool = false, avoidsSequentialScans: Bool = false
    ) async throws -> QueryPlan {
        try await suspendingExplain(
            .values(
                descriptor, repeat QueryColumn<T, each Value>.value(each keyPaths), isDistinct: distinct,
                analyze: analyze, avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would read values, or make groups. One round trip.
    ///
    /// ```swift
    /// let plan = try await context.explain(
    ///     FetchDescriptor<Trip>(), selecting: .key(\.destination), .count, orderBy: [.reverse(.count)], analyze: true)
    /// ```
    ///
    /// `fetchSum` and its relatives have the plan of their column, `selecting: .sum(\.price)`.
    /// - Parameters:
    ///   - descriptor: which objects.
    ///   - columns: what a row has.
    ///   - condition: which groups are wanted.
    ///   - order: comes before the descriptor's own order.
    ///   - analyze: whether the server carries the query out, and says how many rows there were and how long each step took.
    ///   - avoidsSequentialScans: as for a fetch of objects.
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`.
    public func explain<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        having condition: QueryCondition<T>? = nil, orderBy order: [QueryOrder<T>] = [], analyze: Bool = false,
        avoidsSequentialScans: Bool = false
    ) async throws -> QueryPlan {
        try await suspendingExplain(
            .values(
                descriptor, repeat each columns, having: condition, orderBy: order, analyze: analyze,
                avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would read a page behind a cursor. One round trip.
    ///
    /// ```swift
    /// let plan = try await context.explain(byStart, after: page.next, size: 50, analyze: true)
    /// ```
    ///
    /// With a cursor of a deep page it tells whether an index finds the place, or the pages before it are read. A stream of objects is
    /// such pages.
    /// - Parameters:
    ///   - descriptor: which objects, in which order.
    ///   - cursor: where the page begins; `nil` for the first page.
    ///   - size: how many objects the page has.
    ///   - analyze: whether the server carries the query out, and says how many rows there were and how long each step took.
    ///   - avoidsSequentialScans: as for a fetch of objects.
    /// - Throws: ``SwiftDataError``, as `fetchPage`.
    public func explain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, after cursor: PageCursor?, size: Int, analyze: Bool = false,
        avoidsSequentialScans: Bool = false
    ) async throws -> QueryPlan {
        try await suspendingExplain(
            .page(
                descriptor, after: cursor, size: size, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would read the page before a cursor. One round trip.
    ///
    /// As the page behind one; without a cursor, the last page.
    /// - Throws: ``SwiftDataError``, as `fetchPage`.
    public func explain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, before cursor: PageCursor?, size: Int, analyze: Bool = false,
        avoidsSequentialScans: Bool = false
    ) async throws -> QueryPlan {
        try await suspendingExplain(
            .page(
                descriptor, before: cursor, size: size, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would read a page of values behind a cursor. One round trip.
    ///
    /// ```swift
    /// let plan = try await context.explain(byStart, selecting: .value(\.name), after: page.next, size: 50)
    /// ```
    ///
    /// A stream of values is such pages, the first with `nil` as the cursor.
    /// - Parameters:
    ///   - descriptor: which objects, in which order.
    ///   - columns: what is read of each object; a property is `.value(\.name)`.
    ///   - cursor: where the page begins; `nil` for the first page.
    ///   - size: how many rows the page has.
    ///   - analyze: whether the server carries the query out, and says how many rows there were and how long each step took.
    ///   - avoidsSequentialScans: as for a fetch of objects.
    /// - Throws: ``SwiftDataError``, as `fetchPage`.
    public func explain<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        after cursor: PageCursor?, size: Int, analyze: Bool = false, avoidsSequentialScans: Bool = false
    ) async throws -> QueryPlan {
        try await suspendingExplain(
            .valuePage(
                descriptor, repeat each columns, after: cursor, size: size, analyze: analyze,
                avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would read the page of values before a cursor. One round trip.
    ///
    /// As the page behind one; without a cursor, the last page.
    /// - Throws: ``SwiftDataError``, as `fetchPage`.
    public func explain<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        before cursor: PageCursor?, size: Int, analyze: Bool = false, avoidsSequentialScans: Bool = false
    ) async throws -> QueryPlan {
        try await suspendingExplain(
            .valuePage(
                descriptor, repeat each columns, before: cursor, size: size, analyze: analyze,
                avoidsSequentialScans: avoidsSequentialScans))
    }
}
