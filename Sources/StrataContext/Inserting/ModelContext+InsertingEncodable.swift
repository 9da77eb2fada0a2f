public import StrataModels
import StrataRepository

/// Inserting rows that name their values themselves.
extension ModelContext {
    /// Inserts rows of a type of your own into a class, at once and without objects; blocks this thread.
    ///
    /// ```swift
    /// struct NewTrip: Codable { var name: String, destination: String, startDate: Date, endDate: Date }
    /// let rows = try JSONDecoder().decode([NewTrip].self, from: body)
    /// try context.insert(into: Trip.self, rows: rows)
    /// ```
    ///
    /// A row's keys are the names of stored properties, and its values have their types; a to-one relationship takes the identifier of its
    /// object. The first row says which properties the rows have, and all others have the same: of a type that is encoded by the compiler's
    /// own code `nil` is a value too. No value is encoded, each is stored as the property stores it. It costs more than key paths, which are
    /// looked up once and not for each row.
    ///
    /// As `insert(into:_:rows:)` in everything else.
    /// - Throws: ``SwiftDataError``, as `insert(into:_:rows:)`. Besides, before the first row is inserted, `unsupportedKeyPath` for a key that
    ///   is no stored property and a value of another type, `unsupportedFeature` for a type without keys; `invalidValue`, with the number of the
    ///   row, for one that has other keys than the first.
    @discardableResult
    public func insert<T: PersistentModel, Rows: Sequence>(
        into type: T.Type, rows: Rows, uniquePolicy: UniquePolicy? = nil, reportsIdentifiers: Bool = false
    ) throws -> InsertedRows where Rows.Element: Encodable {
        let destination = try RowDestination(type, in: self)
        var iterator = rows.makeIterator()
        var first = iterator.next()
        guard let row = first else { return InsertedRows(reportsIdentifiers: reportsIdentifiers) }
        let insertion = try RowInsertion(
            into: destination, RowKeys(of: row).properties, uniquePolicy: uniquePolicy,
            reportsIdentifiers: reportsIdentifiers,
            areThere: true, in: self)
        let writer = insertion.plan.writerByKeys()
        return try insert(RowIntake(insertion, insertion.plan.encoderOfConstants())) { intake in
            while let row = first.take() ?? iterator.next() {
                guard try intake.append(row, by: writer) else { return true }
            }
            return false
        }
    }

    /// Inserts rows of a type of your own into a class, at once and without objects. As the blocking form.
    @discardableResult
    public func insert<T: PersistentModel, Rows: Sequence>(
        into type: T.Type, rows: Rows, uniquePolicy: UniquePolicy? = nil, reportsIdentifiers: Bool = false
    ) async throws -> InsertedRows where Rows.Element: Encodable {
        let destination = try RowDestination(type, in: self)
        var iterator = rows.makeIterator()
        var first = iterator.next()
        guard let row = first else { return InsertedRows(reportsIdentifiers: reportsIdentifiers) }
        let insertion = try RowInsertion(
            into: destination, RowKeys(of: row).properties, uniquePolicy: uniquePolicy,
            reportsIdentifiers: reportsIdentifiers,
            areThere: true, in: self)
        let writer = insertion.plan.writerByKeys()
        return try await insert(RowIntake(insertion, insertion.plan.encoderOfConstants())) {
            (intake) async throws -> Bool in
            while let row = first.take() ?? iterator.next() {
                guard try intake.append(row, by: writer) else { return true }
            }
            return false
        }
    }

    /// Inserts rows of a type of your own that come over time into a class, without objects. As the form with a sequence that is there; the
    /// transaction begins when the first row has come.
    @discardableResult
    public func insert<T: PersistentModel, Rows: AsyncSequence>(
        into type: T.Type, rows: Rows, uniquePolicy: UniquePolicy? = nil, reportsIdentifiers: Bool = false
    ) async throws -> InsertedRows where Rows.Element: Encodable {
        let destination = try RowDestination(type, in: self)
        var iterator = rows.makeAsyncIterator()
        var first = try await iterator.next(isolation: #isolation)
        guard let row = first else { return InsertedRows(reportsIdentifiers: reportsIdentifiers) }
        let insertion = try RowInsertion(
            into: destination, RowKeys(of: row).properties, uniquePolicy: uniquePolicy,
            reportsIdentifiers: reportsIdentifiers,
            areThere: false, in: self)
        let writer = insertion.plan.writerByKeys()
        return try await insert(RowIntake(insertion, insertion.plan.encoderOfConstants())) {
            (intake) async throws -> Bool in
            while true {
                var row = first.take()
                if row == nil { row = try await iterator.next(isolation: #isolation) }
                guard let row else { return false }
                guard try intake.append(row, by: writer) else { return true }
            }
        }
    }
}
