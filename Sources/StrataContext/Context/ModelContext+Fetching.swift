import StrataClient
public import StrataModels
import StrataRepository

extension ModelContext {
    /// The objects that match, each as its own class; blocks this thread. One round trip, and one a level of
    /// prefetching.
    ///
    /// A fetch of a class returns objects of its subclasses too. Objects that are in this context already are the same
    /// instances: without unsaved changes they take the values just read, with unsaved changes they keep their own.
    ///
    /// Unsaved changes take part as if they had been saved, unless `includePendingChanges` is off. Where new objects have unique
    /// values, that is one round trip more; and another one where rows with these values are there and deletions by predicate
    /// are unsaved.
    ///
    /// With a `lock`, within a transaction: the rows are locked until it ends, and the objects have the values of then. Unsaved
    /// changes are no rows: `save()` first, or leave them out; an object that has some keeps them. Of classes with subclasses all rows
    /// of an object are locked, in one round trip more. An order is that of before a wait (PostgreSQL manual, SELECT).
    /// - Throws: ``SwiftDataError``; `unsupportedPredicate` and `unsupportedKeyPath` before anything is sent; with a lock
    ///   `unsupportedFeature` outside of a transaction and while there are unsaved changes, and a retryable `storeFailure` for
    ///   `noWait` when somebody else has locked a row.
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        if let lock = descriptor.lock {
            var execution = try LockedFetchExecution(descriptor, lock, unit: unit)
            try performLimited(&execution, in: execution.session, for: "fetch \(T.self) with a lock")
            return execution.result
        }
        var execution = try FetchExecution(unit.limitingRows(descriptor), unit: unit)
        try performLimited(&execution, in: execution.session, for: "fetch \(T.self)")
        return execution.result
    }

    /// What asynchronous callers get as `fetch`: see the module Strata.
    package func suspendingFetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws -> [T] {
        if let lock = descriptor.lock {
            // Nobody else has changed the rows since they were locked: they are not read again.
            var execution = try LockedFetchExecution(descriptor, lock, unit: unit)
            try await performLimited(&execution, in: execution.session, for: "fetch \(T.self) with a lock")
            return execution.result
        }
        return try await readingWhatIsSaved {
            var execution = try FetchExecution(unit.limitingRows(descriptor), unit: unit)
            try await performLimited(&execution, in: execution.session, for: "fetch \(T.self)")
            return execution.result
        }
    }

    /// The objects of one page, and how many there are on all pages together; blocks this thread.
    ///
    /// One round trip, and one a level of prefetching.
    ///
    /// ```swift
    /// var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
    /// descriptor.fetchLimit = 20
    /// let page = try context.fetchPage(descriptor)
    /// print("1 to \(page.objects.count) of \(page.totalCount)")
    /// ```
    ///
    /// The server counts every object that matches, which takes longer the more there are. Page and count are two statements
    /// of one round trip: a save of somebody else may come between them, unless they are in a transaction that is
    /// `repeatableRead`. Unsaved changes take part as in `fetch`.
    /// - Throws: ``SwiftDataError``, as `fetch`.
    public func fetchPage<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> FetchedPage<T> {
        var execution = try FetchExecution(unit.limitingRows(descriptor), unit: unit, countsAll: true)
        try performLimited(&execution, in: execution.session, for: "fetch \(T.self)")
        return FetchedPage(objects: execution.result, totalCount: execution.totalCount)
    }

    /// What asynchronous callers get as `fetchPage`: see the module Strata.
    package func suspendingFetchPage<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws
        -> FetchedPage<T>
    {
        try await readingWhatIsSaved {
            var execution = try FetchExecution(unit.limitingRows(descriptor), unit: unit, countsAll: true)
            try await performLimited(&execution, in: execution.session, for: "fetch \(T.self)")
            return FetchedPage(objects: execution.result, totalCount: execution.totalCount)
        }
    }

    /// The objects that match and can be read, and an error for each row that cannot; blocks this thread.
    ///
    /// One round trip, and one a level of prefetching.
    ///
    /// `fetch` throws when one row holds what its class cannot, such as a text that is no case of an enumeration; other programs
    /// can store that. This call goes around such rows, so that the others can be worked with and these be found:
    ///
    /// ```swift
    /// let trips = try context.fetchReadable(FetchDescriptor<Trip>())
    /// for failure in trips.failures { logger.error("\(failure)") }
    /// ```
    ///
    /// A row that cannot be read counts for the descriptor's limit and offset. Related objects that are prefetched have to
    /// be readable.
    /// - Throws: ``SwiftDataError``, as `fetch`, but not for values and classes of single rows.
    public func fetchReadable<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> ReadableObjects<T> {
        var execution = try FetchExecution(unit.limitingRows(descriptor), unit: unit, passesOverUnreadable: true)
        try performLimited(&execution, in: execution.session, for: "fetch \(T.self)")
        return ReadableObjects(objects: execution.result, failures: execution.failures)
    }

    /// What asynchronous callers get as `fetchReadable`: see the module Strata.
    package func suspendingFetchReadable<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws
        -> ReadableObjects<T>
    {
        try await readingWhatIsSaved {
            var execution = try FetchExecution(unit.limitingRows(descriptor), unit: unit, passesOverUnreadable: true)
            try await performLimited(&execution, in: execution.session, for: "fetch \(T.self)")
            return ReadableObjects(objects: execution.result, failures: execution.failures)
        }
    }

    /// How many objects match, with unsaved changes as in a fetch; blocks this thread. One round trip.
    ///
    /// As many as `fetch` with the same descriptor would return: within its `fetchLimit` and `fetchOffset`. To show how many
    /// there are beside one page, see `fetchPage(_:)`.
    public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
        var execution = try CountExecution(descriptor, unit: unit)
        try perform(&execution, in: execution.session, for: "count \(T.self)")
        return execution.result
    }

    /// What asynchronous callers get as `fetchCount`: see the module Strata.
    package func suspendingFetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws -> Int {
        try await readingWhatIsSaved {
            var execution = try CountExecution(descriptor, unit: unit)
            try await perform(&execution, in: execution.session, for: "count \(T.self)")
            return execution.result
        }
    }

    /// The identifiers of the objects that match, in the descriptor's order; blocks this thread. One round trip.
    public func fetchIdentifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [PersistentIdentifier]
    {
        var execution = try IdentifierExecution(unit.limitingRows(descriptor), unit: unit)
        try performLimited(&execution, in: execution.session, for: "identifiers of \(T.self)")
        return execution.result
    }

    /// What asynchronous callers get as `fetchIdentifiers`: see the module Strata.
    package func suspendingFetchIdentifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws
        -> [PersistentIdentifier]
    {
        try await readingWhatIsSaved {
            var execution = try IdentifierExecution(unit.limitingRows(descriptor), unit: unit)
            try await performLimited(&execution, in: execution.session, for: "identifiers of \(T.self)")
            return execution.result
        }
    }

    /// Loads a relationship (or a path of them) of objects that are in memory: one round trip a level, whatever their
    /// number.
    ///
    /// The asynchronous form of what reading the property would do, one by one fetch, on a blocked thread.
    public func load<T: PersistentModel>(_ models: [T], _ keyPaths: PartialKeyPath<T>...) async throws {
        guard !models.isEmpty else { return }
        try requireOwn(models)
        let (session, _) = try unit.place(of: T.self)
        let tree = try PrefetchTree(keyPaths, mapping: session.store.mapping)
        try await readingWhatIsSaved {
            var execution = PrefetchExecution(tree, of: models, session: session)
            try await performLimited(&execution, in: session, for: "load relationships of \(T.self)")
        }
    }

    /// Reads objects again: values that others saved replace those in memory, except in objects with unsaved changes.
    /// Objects that were never saved are passed over.
    ///
    /// - Throws: ``SwiftDataError``; `modelNotFound`, with the identifiers, when rows are gone. All other objects are refreshed
    ///   then, and those without unsaved changes whose rows are gone are deleted (`isDeleted`). An object whose row has become
    ///   one of another class has given way to an object of that class: it is `isDeleted`, and no error.
    public func refresh<T: PersistentModel>(_ models: [T]) async throws {
        let saved = try refreshable(models)
        guard !saved.isEmpty else { return }
        let (found, session) = try await readingWhatIsSaved {
            var execution = try KeyedFetchExecution(T.self, keys: saved.map(\._$state.key), unit: unit)
            try await perform(&execution, in: execution.session, for: "refresh \(T.self)")
            var found = Set(execution.result.map(\._$state.key))
            if var further = try otherClasses(of: saved, found) {
                try await perform(&further, in: further.session, for: "refresh \(T.self)")
                found.formUnion(further.result.map(\._$state.key))
            }
            return (found, execution.session)
        }
        try finishRefresh(of: saved, found, in: session)
    }

    /// Reads objects again, blocking this thread: values that others saved replace those in memory, except in objects with
    /// unsaved changes. Objects that were never saved are passed over.
    ///
    /// - Throws: ``SwiftDataError``; `modelNotFound`, with the identifiers, when rows are gone. All other objects are refreshed
    ///   then, and those without unsaved changes whose rows are gone are deleted (`isDeleted`). An object whose row has become
    ///   one of another class has given way to an object of that class: it is `isDeleted`, and no error.
    public func refresh<T: PersistentModel>(_ models: [T]) throws {
        let saved = try refreshable(models)
        guard !saved.isEmpty else { return }
        var execution = try KeyedFetchExecution(T.self, keys: saved.map(\._$state.key), unit: unit)
        try perform(&execution, in: execution.session, for: "refresh \(T.self)")
        var found = Set(execution.result.map(\._$state.key))
        if var further = try otherClasses(of: saved, found) {
            try perform(&further, in: further.session, for: "refresh \(T.self)")
            found.formUnion(further.result.map(\._$state.key))
        }
        try finishRefresh(of: saved, found, in: execution.session)
    }

    private func refreshable<T: PersistentModel>(_ models: [T]) throws -> [T] {
        try requireOwn(models)
        return models.filter { $0._$state.phase == .registered }
    }

    /// Reads what was not found once more in its whole hierarchy: somebody may have made it one of another class.
    private func otherClasses<T: PersistentModel>(of models: [T], _ found: Set<Int64>) throws -> KeyedFetchExecution? {
        let (session, entity) = try unit.place(of: T.self)
        guard entity.root !== entity else { return nil }
        let missing = models.map(\._$state.key).filter { !found.contains($0) }
        return missing.isEmpty ? nil : KeyedFetchExecution(entity.root, keys: missing, session: session)
    }

    /// - Parameter found: the keys of rows that are there, whatever their class.
    private func finishRefresh<T: PersistentModel>(of models: [T], _ found: Set<Int64>, in session: StoreSession) throws
    {
        unit.forgetRelationships(of: models)
        let missing = models.filter { !found.contains($0._$state.key) }
        guard !missing.isEmpty else { return }
        unit.end(missing.filter { $0._$state.phase == .registered && $0._$state.changedSlots.isEmpty }, in: session)
        throw SwiftDataError(
            .modelNotFound,
            "\(missing.count) \(T.self) object\(missing.count == 1 ? " is" : "s are") not in the database any more: somebody "
                + "deleted the row\(missing.count == 1 ? "" : "s"). The others were refreshed.",
            identifiers: missing.map(\.persistentModelID))
    }

    func requireOwn(_ models: [some PersistentModel]) throws {
        guard let foreign = models.first(where: { $0._$state.context !== unit }) else { return }
        throw SwiftDataError(
            .foreignObject,
            "A \(type(of: foreign)) that does not belong to this context was passed to it. Fetch it here by its "
                + "persistentModelID.", identifiers: [foreign.persistentModelID])
    }

    // MARK: Driving

    /// Reads no more rows than the context's calls may.
    func performLimited<Operation: StoreOperation>(
        _ operation: inout Operation, in session: StoreSession, for purpose: String
    ) throws {
        try perform(&operation, in: session, for: purpose, rows: unit.rowLimit(in: session))
    }

    /// Reads no more rows than the context's calls may.
    func performLimited<Operation: StoreOperation>(
        _ operation: inout Operation, in session: StoreSession, for purpose: String
    ) async throws {
        try await perform(&operation, in: session, for: purpose, rows: unit.rowLimit(in: session))
    }

    /// How often something is read that saves come between.
    private static let readings = 3

    /// Reads again what was read while another task saved this context: the rows may be from before, and lack what is new.
    ///
    /// Objects that were saved meanwhile keep their values in any case. If saves come between each time, the last reading counts.
    func readingWhatIsSaved<Result>(_ read: () async throws -> Result) async throws -> Result {
        for _ in 1..<Self.readings {
            let before = unit.saveStamp
            let result = try await read()
            if unit.saveStamp == before { return result }
        }
        return try await read()
    }

    /// - Parameter rows: how many each statement may give; `nil` for any number.
    func perform<Operation: StoreOperation>(
        _ operation: inout Operation, in session: StoreSession, for purpose: String, rows: Int? = nil
    ) throws {
        let call = unit.begin(.read, purpose)
        do {
            try session.withConnection(for: purpose, call, rows: rows) { try $0.perform(&operation) }
            call?.end()
        } catch {
            let reason = explain(session.reason(of: error), purpose)
            call?.end(reason)
            throw reason
        }
    }

    /// - Parameter rows: how many each statement may give; `nil` for any number.
    func perform<Operation: StoreOperation>(
        _ operation: inout Operation, in session: StoreSession, for purpose: String, rows: Int? = nil
    ) async throws {
        let call = unit.begin(.read, purpose)
        do {
            if let connection = try session.transactionConnection() {
                try await unit.usingTransaction {
                    try await unit.reading(on: connection) {
                        try await connection.within(unit.terms, call, rows: rows) {
                            try await connection.perform(&operation)
                        }
                    }
                }
            } else {
                let connection = try await session.acquire(for: purpose)
                defer { session.store.pool.release(connection) }
                try await connection.within(unit.terms, call, rows: rows) {
                    try await connection.perform(&operation)
                }
            }
            call?.end()
        } catch {
            let reason = explain(await session.reason(of: error), purpose)
            call?.end(reason)
            throw reason
        }
    }

    func explain(_ error: any Error, _ purpose: String) -> any Error {
        guard let error = error as? PostgresError else { return error }
        let code: SwiftDataError.Code = error.code == .rowLimitExceeded ? .rowLimitExceeded : .storeFailure
        return SwiftDataError(code, "\(purpose): \(error.message)", underlying: error)
    }
}
