public import StrataModels
public import StrataRepository

/// Inserting rows without objects.
extension ModelContext {
    /// Inserts rows into a class, at once and without objects; blocks this thread.
    ///
    /// ```swift
    /// let result = try context.insert(
    ///     into: Trip.self, \.name, \.startDate, \.owner?.persistentModelID,
    ///     rows: lines.lazy.map { ($0.name, $0.date, owners[$0.owner]) })
    /// print(result.insertedCount)
    /// ```
    ///
    /// The rows may be any number: they go to the server by COPY, some thousand at a time, and are not kept. A property that is not named
    /// has its default in each row, made anew, or `nil`; a date that saves set is now. Rows of a subclass go into the tables of its superclasses too.
    ///
    /// All rows are inserted, or none. It is done when the call returns, in a transaction of its own, or as a savepoint in the one that is
    /// open: held back until the next save, the rows would have to be kept. So `rollback()` does not take it back, and the end of the
    /// transaction around it does. The history has the rows with this context's author, and fetches find them.
    ///
    /// A row with the unique values of a stored object, or of an earlier row, is treated as `uniquePolicy` says. An update writes the
    /// properties that are named here (of ``UniquePolicy/upsert(updating:_:)`` those that are named there), a date of change, and no others; objects in memory
    /// read them again when they are next touched.
    ///
    /// Round trips: one to begin, one for each table and batch, one to commit; another for each batch where unique values are compared,
    /// and one more where stored objects are updated.
    /// - Parameters:
    ///   - type: the class of the new objects.
    ///   - properties: stored properties, and to-one relationships by the identifiers of their objects.
    ///   - rows: the values of each row, in the order of the properties.
    ///   - uniquePolicy: `nil` for the context's.
    ///   - reportsIdentifiers: whether ``InsertedRows/identifiers`` is wanted.
    /// - Throws: ``SwiftDataError``. Before the first row: `unsupportedKeyPath` for a property without a column of its own, and one that is
    ///   named twice; `modelValidationFailure` for a required property that is not named and has no default; `unsupportedFeature` while there
    ///   are unsaved changes, for abstract classes, and for relationships whose other end is ordered or limited; `readOnly`. With the number
    ///   of the row, from 1, and the property, as far as the server says them: `invalidValue`, `invalidIdentifier`, `uniqueConstraint`,
    ///   `modelNotFound`. As of any transaction: `outcomeUnknown`, `storeFailure`. And what `rows` throws.
    @discardableResult @inlinable
    public func insert<T: PersistentModel, each Value, Rows: Sequence>(
        into type: T.Type, _ properties: repeat KeyPath<T, each Value>, rows: Rows, uniquePolicy: UniquePolicy? = nil,
        reportsIdentifiers: Bool = false
    ) throws -> InsertedRows where Rows.Element == (repeat each Value) {
        let intake = try rowIntake(
            into: type, repeat each properties, uniquePolicy: uniquePolicy, reportsIdentifiers: reportsIdentifiers,
            areThere: true)
        var iterator = rows.makeIterator()
        return try insert(intake) { try $0.fill(from: &iterator) }
    }

    /// Inserts rows of one value each into a class, at once and without objects; blocks this thread.
    ///
    /// ```swift
    /// try context.insert(into: Tag.self, \.name, rows: ["sea", "mountains"], uniquePolicy: .ignore)
    /// ```
    ///
    /// As the form with several properties.
    @discardableResult @inlinable
    public func insert<T: PersistentModel, Value, Rows: Sequence>(
        into type: T.Type, _ property: KeyPath<T, Value>, rows: Rows, uniquePolicy: UniquePolicy? = nil,
        reportsIdentifiers: Bool = false
    ) throws -> InsertedRows where Rows.Element == Value {
        let intake = try rowIntake(
            intoOnly: type, property, uniquePolicy: uniquePolicy, reportsIdentifiers: reportsIdentifiers,
            areThere: true)
        var iterator = rows.makeIterator()
        return try insert(intake) { try $0.fill(from: &iterator) }
    }

    /// Inserts rows into a class, at once and without objects. As the blocking form.
    @discardableResult @inlinable
    public func insert<T: PersistentModel, each Value, Rows: Sequence>(
        into type: T.Type, _ properties: repeat KeyPath<T, each Value>, rows: Rows, uniquePolicy: UniquePolicy? = nil,
        reportsIdentifiers: Bool = false
    ) async throws -> InsertedRows where Rows.Element == (repeat each Value) {
        let intake = try rowIntake(
            into: type, repeat each properties, uniquePolicy: uniquePolicy, reportsIdentifiers: reportsIdentifiers,
            areThere: true)
        var iterator = rows.makeIterator()
        return try await insert(intake) { (intake) async throws -> Bool in try intake.fill(from: &iterator) }
    }

    /// Inserts rows of one value each into a class, at once and without objects. As the blocking form.
    @discardableResult @inlinable
    public func insert<T: PersistentModel, Value, Rows: Sequence>(
        into type: T.Type, _ property: KeyPath<T, Value>, rows: Rows, uniquePolicy: UniquePolicy? = nil,
        reportsIdentifiers: Bool = false
    ) async throws -> InsertedRows where Rows.Element == Value {
        let intake = try rowIntake(
            intoOnly: type, property, uniquePolicy: uniquePolicy, reportsIdentifiers: reportsIdentifiers,
            areThere: true)
        var iterator = rows.makeIterator()
        return try await insert(intake) { (intake) async throws -> Bool in try intake.fill(from: &iterator) }
    }

    /// Inserts rows that come over time into a class, without objects.
    ///
    /// ```swift
    /// try await context.insert(into: Reading.self, \.sensor, \.value, rows: lines.map { ($0.sensor, $0.value) })
    /// ```
    ///
    /// The transaction stays open until the last row has come. As the form with a sequence that is there; what `rows` throws ends the call,
    /// and nothing is inserted.
    @discardableResult @inlinable
    public func insert<T: PersistentModel, each Value, Rows: AsyncSequence>(
        into type: T.Type, _ properties: repeat KeyPath<T, each Value>, rows: Rows, uniquePolicy: UniquePolicy? = nil,
        reportsIdentifiers: Bool = false
    ) async throws -> InsertedRows where Rows.Element == (repeat each Value) {
        let intake = try rowIntake(
            into: type, repeat each properties, uniquePolicy: uniquePolicy, reportsIdentifiers: reportsIdentifiers)
        var iterator = rows.makeAsyncIterator()
        return try await insert(intake) { (intake) async throws -> Bool in
            while let row = try await iterator.next(isolation: #isolation) {
                guard try intake.append(row) else { return true }
            }
            return false
        }
    }

    /// Inserts rows of one value each that come over time into a class, without objects. As the form with several properties.
    @discardableResult @inlinable
    public func insert<T: PersistentModel, Value, Rows: AsyncSequence>(
        into type: T.Type, _ property: KeyPath<T, Value>, rows: Rows, uniquePolicy: UniquePolicy? = nil,
        reportsIdentifiers: Bool = false
    ) async throws -> InsertedRows where Rows.Element == Value {
        let intake = try rowIntake(
            intoOnly: type, property, uniquePolicy: uniquePolicy, reportsIdentifiers: reportsIdentifiers)
        var iterator = rows.makeAsyncIterator()
        return try await insert(intake) { (intake) async throws -> Bool in
            while let row = try await iterator.next(isolation: #isolation) {
                guard try intake.append(row) else { return true }
            }
            return false
        }
    }

    // MARK: Driving

    /// What takes rows of several values.
    ///
    /// - Parameter areThere: whether the next row can be had without waiting for anybody.
    @usableFromInline
    func rowIntake<T: PersistentModel, each Value>(
        into type: T.Type, _ properties: repeat KeyPath<T, each Value>, uniquePolicy: UniquePolicy?,
        reportsIdentifiers: Bool, areThere: Bool = false
    ) throws -> RowIntake {
        let insertion = try insertion(
            into: type, (repeat each properties), uniquePolicy: uniquePolicy, reportsIdentifiers: reportsIdentifiers,
            areThere: areThere)
        return RowIntake(insertion, insertion.plan.encoder(of: repeat (each Value).self))
    }

    /// What takes rows of one value.
    @usableFromInline
    func rowIntake<T: PersistentModel, Value>(
        intoOnly type: T.Type, _ property: KeyPath<T, Value>, uniquePolicy: UniquePolicy?, reportsIdentifiers: Bool,
        areThere: Bool = false
    ) throws -> RowIntake {
        let insertion = try insertion(
            into: type, (property), uniquePolicy: uniquePolicy, reportsIdentifiers: reportsIdentifiers,
            areThere: areThere)
        return RowIntake(insertion, insertion.plan.encoder(ofOnly: Value.self))
    }

    func insertion<T: PersistentModel, each Value>(
        into type: T.Type, _ properties: (repeat KeyPath<T, each Value>), uniquePolicy: UniquePolicy?,
        reportsIdentifiers: Bool = false, areThere: Bool = false
    ) throws -> RowInsertion {
        let destination = try RowDestination(type, in: self)
        var named: [RowInsertPlan.NamedValue] = []
        repeat named.append(.keyPath(each properties, (each Value).self))
        return try RowInsertion(
            into: destination, named, uniquePolicy: uniquePolicy, reportsIdentifiers: reportsIdentifiers,
            areThere: areThere,
            in: self)
    }

    /// Inserts what `fill` appends each time it is called; it returns whether rows may be left.
    @usableFromInline
    func insert(_ intake: RowIntake, _ fill: (RowIntake) throws -> Bool) throws -> InsertedRows {
        let insertion = intake.insertion
        return try transaction(isolation: nil) {
            try insertion.perform {
                while try fill(intake) {
                    insertion.advance()
                    guard intake.batch.isFull else { continue }
                    try insertion.write(intake.batch)
                    intake.clear()
                }
                if intake.batch.count > 0 { try insertion.write(intake.batch) }
            }
        }
    }

    /// Inserts what `fill` appends each time it is called. As the blocking form.
    @usableFromInline
    func insert(_ intake: RowIntake, _ fill: (RowIntake) async throws -> Bool) async throws -> InsertedRows {
        let insertion = intake.insertion
        return try await suspendingTransaction {
            try await insertion.perform {
                while try await fill(intake) {
                    insertion.advance()
                    guard intake.batch.isFull else { continue }
                    try await insertion.write(intake.batch)
                    intake.clear()
                }
                if intake.batch.count > 0 { try await insertion.write(intake.batch) }
            }
        }
    }
}
