import StrataClient
public import StrataModels
public import StrataRepository

/// SQL over the context's connection: within its transaction if one is open, with its author in the history.
///
/// SQL works on the tables. Unsaved changes are not there yet, so a call is refused while there are any, unless it says
/// `includePendingChanges: false`. Objects in memory do not learn what SQL has changed: fetch or `refresh` them. A save of
/// theirs that would overwrite it is a conflict, as with changes of others.
///
/// Within a transaction a statement that fails makes the server refuse all that follow (SQLSTATE 25P02) until the transaction, or a
/// `transaction` within it, has ended.
extension ModelContext {
    /// The rows of a query, each as a value; blocks this thread. One round trip.
    ///
    /// ```swift
    /// let cities = try context.fetch(
    ///     City.self, sql: "SELECT \(\Trip.destination) AS name, count(*) AS trips FROM \(Trip.self) GROUP BY 1 ORDER BY 1")
    /// ```
    ///
    /// A `Decodable` type takes each property from the column of its name, or of its name in snake case; each has to be there. A type
    /// that is one value (`Int`, `Date?`, `[String]`, an enumeration with raw values) takes the only column. A property that is
    /// none of these takes `jsonb`. How each column is read is decided once a statement.
    ///
    /// A statement that writes, such as INSERT … RETURNING, is a transaction of its own where none is open: one round trip more.
    /// - Throws: ``SwiftDataError``: `unsupportedFeature` while there are unsaved changes, and for statements that begin or end
    ///   transactions; `unsupportedKeyPath` and `unknownSchema` for key paths and classes without a place in the store;
    ///   `invalidValue`, with the column, for a result that does not fit; `readOnly`; `outcomeUnknown`; `storeFailure`
    ///   with the server's error.
    public func fetch<Row: Decodable>(
        _ type: Row.Type, sql: SQLStatement, includePendingChanges: Bool = true
    ) throws -> [Row] {
        try run(sql, .decoding, includePendingChanges).takeRows()
    }

    /// The rows of a query, each as a value. One round trip. As the blocking form.
    public func fetch<Row: Decodable>(
        _ type: Row.Type, sql: SQLStatement, includePendingChanges: Bool = true
    ) async throws -> [Row] {
        try await run(sql, .decoding, includePendingChanges).takeRows()
    }

    /// The rows of a query, each as a tuple of its columns in their order; blocks this thread. One round trip.
    ///
    /// ```swift
    /// let counts = try context.fetch(
    ///     (String, Int).self, sql: "SELECT \(\Trip.destination), count(*) FROM \(Trip.self) GROUP BY 1 ORDER BY 1")
    /// ```
    public func fetch<First: Decodable, Second: Decodable, each Rest: Decodable>(
        _ type: (First, Second, repeat each Rest).Type, sql: SQLStatement, includePendingChanges: Bool = true
    ) throws -> [(First, Second, repeat each Rest)] {
        try run(sql, .tuple(), includePendingChanges).takeRows()
    }

    /// The rows of a query, each as a tuple of its columns in their order. One round trip. As the blocking form.
    public func fetch<First: Decodable, Second: Decodable, each Rest: Decodable>(
        _ type: (First, Second, repeat each Rest).Type, sql: SQLStatement, includePendingChanges: Bool = true
    ) async throws -> [(First, Second, repeat each Rest)] {
        try await run(sql, .tuple(), includePendingChanges).takeRows()
    }

    /// The objects whose keys a query finds, in its order; blocks this thread. Two round trips.
    ///
    /// ```swift
    /// let trips = try context.fetch(
    ///     Trip.self, sql: "SELECT \(\Trip.persistentModelID) FROM \(Trip.self) ORDER BY random() LIMIT 1")
    /// ```
    ///
    /// The first column is the key. The objects are read as `fetch` reads them: each as its own class, one for each row of the query.
    /// Rows that are gone by then, or that are of another class, are left out.
    public func fetch<T: PersistentModel>(
        _ type: T.Type, sql: SQLStatement, includePendingChanges: Bool = true
    ) throws -> [T] {
        let keys = try run(sql, RowReading<RowKey>.keys(of: unit.place(of: T.self).entity), includePendingChanges)
            .takeRows()
        return try keys.isEmpty ? [] : inOrder(of: keys, perform(fetching(T.self, keys)))
    }

    /// The objects whose keys a query finds, in its order. Two round trips. As the blocking form.
    public func fetch<T: PersistentModel>(
        _ type: T.Type, sql: SQLStatement, includePendingChanges: Bool = true
    ) async throws -> [T] {
        let keys = try await run(sql, RowReading<RowKey>.keys(of: unit.place(of: T.self).entity), includePendingChanges)
            .takeRows()
        return try keys.isEmpty ? [] : inOrder(of: keys, await perform(fetching(T.self, keys)))
    }

    /// Carries out a statement, and says how many rows it changed; blocks this thread. One round trip.
    ///
    /// ```swift
    /// try context.execute(
    ///     "UPDATE \(table: Trip.self) SET \(column: \Trip.destination) = \(city) WHERE \(\Trip.destination) IS NULL")
    /// ```
    ///
    /// A transaction of its own, unless one is open. The history names the context's author.
    /// - Throws: as `fetch(_:sql:)`.
    @discardableResult
    public func execute(_ sql: SQLStatement, includePendingChanges: Bool = true) throws -> Int {
        try run(sql, RowReading<Never>?.none, includePendingChanges).count
    }

    /// Carries out a statement, and says how many rows it changed. One round trip. As the blocking form.
    @discardableResult
    public func execute(_ sql: SQLStatement, includePendingChanges: Bool = true) async throws -> Int {
        try await run(sql, RowReading<Never>?.none, includePendingChanges).count
    }

    // MARK: Driving

    private func run<Row>(_ sql: SQLStatement, _ reading: RowReading<Row>?, _ includePendingChanges: Bool) throws
        -> SQLExecution<Row>
    {
        let call = try perform(SQLExecution(sql, reading, in: self, includePendingChanges: includePendingChanges))
        call.noteWritten(in: self)
        return call
    }

    private func run<Row>(_ sql: SQLStatement, _ reading: RowReading<Row>?, _ includePendingChanges: Bool) async throws
        -> SQLExecution<Row>
    {
        let call = try await perform(SQLExecution(sql, reading, in: self, includePendingChanges: includePendingChanges))
        call.noteWritten(in: self)
        return call
    }

    private func fetching<T: PersistentModel>(_ type: T.Type, _ keys: [RowKey]) throws -> StoreCall<KeyedFetchExecution>
    {
        let fetch = try KeyedFetchExecution(T.self, keys: keys, unit: unit)
        return StoreCall(fetch, in: fetch.session, for: "fetch \(T.self) by SQL")
    }

    private func inOrder<T: PersistentModel>(of keys: [RowKey], _ fetch: StoreCall<KeyedFetchExecution>) -> [T] {
        let byKey = Dictionary(
            fetch.operation.result.compactMap { $0 as? T }.map { ($0._$state.key, $0) },
            uniquingKeysWith: { first, _ in first })
        return keys.compactMap { byKey[$0] }
    }
}
