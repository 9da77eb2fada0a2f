import StrataClient
public import StrataModels
import StrataRepository

extension ModelContext {
    /// Calls `block` with every object that matches, in batches from a server-side cursor, in flat memory; blocks this
    /// thread.
    ///
    /// An object is freed once `block` has had it, unless you keep it. The result is that of one snapshot, with the unsaved
    /// changes that there are when it begins. Relationships that the descriptor prefetches are loaded for each batch before
    /// `block` gets its first object: one round trip a batch and level.
    /// - Parameters:
    ///   - descriptor: which objects, in which order, and what is prefetched with them.
    ///   - batchSize: objects that are read before `block` gets them, and loaded for together when it reads what was not fetched.
    ///     They come in portions of at most 1,000 rows; two more are on their way meanwhile, in a transaction none.
    ///   - allowEscapingMutations: whether `block` may change objects of this context. Changed objects stay in memory
    ///     until they are saved.
    ///   - block: called with each object.
    /// - Throws: what `block` throws; ``SwiftDataError`` with the code `mutationDuringEnumeration` when the context has
    ///   unsaved changes, before or because of `block`, and they are not allowed.
    public func enumerate<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
        block: (T) throws -> Void
    ) throws {
        let enumeration = try Enumeration(descriptor, unit: unit, allowsMutations: allowEscapingMutations)
        do { try enumerate(enumeration, batchSize, block) } catch {
            throw explain(enumeration.session.reason(of: error), "enumerate \(T.self)")
        }
    }

    private func enumerate<T: PersistentModel>(
        _ enumeration: Enumeration<T>, _ batchSize: Int, _ block: (T) throws -> Void
    ) throws {
        let session = enumeration.session
        if let connection = try session.transactionConnection() {
            try unit.requireFreeTurn()
            // The block's own statements belong to the same transaction, so they go between the batches.
            try connection.within(unit.terms, unit.unobservedCall) {
                while let lookup = try enumeration.query.lookUp() { try connection.run(lookup) }
            }
            let cursor = PostgresTransactionCursor(try enumeration.statement(), on: connection, batchSize: batchSize)
            do {
                while try connection.within(
                    unit.terms, unit.unobservedCall,
                    { try cursor.next(onResult: enumeration.check, onRow: enumeration.take) }) > 0
                {
                    if let prefetch = enumeration.prefetching() { try perform(prefetch) }
                    try enumeration.handOut(block)
                }
            } catch {
                try? cursor.close()
                throw error
            }
            return try cursor.close()
        }
        // The cursor has the connection for itself: what the block loads goes through another.
        let lease = try session.leaseToRead(for: "enumerate \(T.self)")
        let connection = lease.connection
        session.openCursors += 1
        defer {
            session.openCursors -= 1
            lease.end()
        }
        try connection.within(unit.terms, unit.unobservedCall) {
            while let lookup = try enumeration.query.lookUp() { try connection.run(lookup) }
        }
        let cursor = try connection.within(unit.terms, unit.unobservedCall) {
            try PostgresCursor(enumeration.statement(), on: connection, batchSize: batchSize)
        }
        do {
            while try connection.within(
                unit.terms, unit.unobservedCall,
                { try cursor.next(onResult: enumeration.check, onRow: enumeration.take) }) > 0
            {
                if let prefetch = enumeration.prefetching() { try perform(prefetch) }
                try enumeration.handOut(block, during: cursor)
            }
            try cursor.close()
        } catch {
            try? cursor.close()
            throw error
        }
    }

    /// What asynchronous callers get as `enumerate`: see the module Strata.
    package func suspendingEnumerate<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int, allowEscapingMutations: Bool,
        block: (T) async throws -> Void
    ) async throws {
        let enumeration = try Enumeration(descriptor, unit: unit, allowsMutations: allowEscapingMutations)
        do { try await enumerate(enumeration, batchSize, block) } catch {
            throw explain(await enumeration.session.reason(of: error), "enumerate \(T.self)")
        }
    }

    private func enumerate<T: PersistentModel>(
        _ enumeration: Enumeration<T>, _ batchSize: Int, _ block: (T) async throws -> Void
    ) async throws {
        let session = enumeration.session
        if let connection = try session.transactionConnection() {
            return try await unit.usingTransaction {
                try await enumerate(enumeration, on: connection, batchSize, block)
            }
        }
        let lease = try await session.leaseToRead(for: "enumerate \(T.self)")
        let connection = lease.connection
        session.openCursors += 1
        defer {
            session.openCursors -= 1
            lease.end()
        }
        try await connection.within(unit.terms, unit.unobservedCall) {
            while let lookup = try enumeration.query.lookUp() { try await connection.run(lookup) }
        }
        let cursor = try connection.within(unit.terms, unit.unobservedCall) {
            try PostgresCursor(enumeration.statement(), on: connection, batchSize: batchSize)
        }
        do {
            while try await connection.within(
                unit.terms, unit.unobservedCall,
                { try await cursor.next(onResult: enumeration.check, onRow: enumeration.take) }) > 0
            {
                if let prefetch = enumeration.prefetching() { try await perform(prefetch) }
                try await enumeration.handOut(block, during: cursor)
            }
            try await cursor.close()
        } catch {
            try? await cursor.close()
            throw error
        }
    }

    /// In the open transaction: the block's own statements go between the batches.
    private func enumerate<T: PersistentModel>(
        _ enumeration: Enumeration<T>, on connection: PostgresConnection, _ batchSize: Int,
        _ block: (T) async throws -> Void
    ) async throws {
        do {
            while try await unit.reading(
                on: connection,
                {
                    try await connection.within(unit.terms, unit.unobservedCall) {
                        try await enumeration.next(on: connection, batchSize)
                    }
                }) > 0
            {
                if let prefetch = enumeration.prefetching() { try await perform(prefetch) }
                try await enumeration.handOut(block)
            }
        } catch {
            await unit.inTurn { await enumeration.closeCursor() }
            throw error
        }
        await unit.inTurn { await enumeration.closeCursor() }
    }
}

/// The rows of one enumeration on their way to its block.
private final class Enumeration<T: PersistentModel> {
    let session: StoreSession
    private(set) var query: FetchQuery<T, (statement: PostgresStatement, list: SelectList)>
    private let descriptor: FetchDescriptor<T>
    private let prefetch: PrefetchTree
    private let unit: UnitOfWork
    private let allowsMutations: Bool
    private let batch = EnumeratedBatch()
    private let editsBefore: Int
    /// Within an open transaction.
    private var cursor: PostgresTransactionCursor?

    init(_ descriptor: FetchDescriptor<T>, unit: UnitOfWork, allowsMutations: Bool) throws {
        query = try FetchQuery(descriptor, unit: unit) { try $0.objects() }
        session = query.session
        prefetch = try PrefetchTree(descriptor.prefetchedKeyPaths, mapping: session.store.mapping)
        self.descriptor = descriptor
        self.unit = unit
        self.allowsMutations = allowsMutations
        editsBefore = unit.edits
        if !allowsMutations, unit.hasChanges {
            throw SwiftDataError(
                .mutationDuringEnumeration,
                "The context has unsaved changes, and an enumeration guards against changes. Save first, or pass "
                    + "allowEscapingMutations: true.")
        }
    }

    /// The statement; after what it needs was looked up.
    func statement() throws -> PostgresStatement {
        batch.decoder = try makeDecoder()
        return try query.planned().statement
    }

    private func makeDecoder() throws -> RowDecoder {
        RowDecoder(
            try query.planned().list, registry: session, group: FetchGroup(root: query.entity.root.descriptor),
            replacements: query.replacements, saveStamp: query.saveStamp)
    }

    /// The next batch, through a cursor of the open transaction.
    func next(on connection: PostgresConnection, _ batchSize: Int) async throws -> Int {
        if let cursor { return try await cursor.next(onResult: check, onRow: take) }
        // Another task of the transaction may have saved what was unsaved when this was planned.
        if unit.stamps.save != query.saveStamp {
            query = try FetchQuery(descriptor, unit: unit) { try $0.objects() }
        }
        while let lookup = try query.lookUp() { try await connection.run(lookup) }
        let first = PostgresTransactionCursor(try statement(), on: connection, batchSize: batchSize)
        cursor = first
        return try await first.next(onResult: check, onRow: take)
    }

    func closeCursor() async { await cursor?.closeToEnd() }

    func check(_ description: PostgresResultDescription) throws { try batch.decoder?.check(description) }

    func take(_ row: PostgresRow) throws { try batch.take(row) }

    /// What loads the relationships of the batch that was read; `nil` where nothing is prefetched.
    func prefetching() -> StoreCall<PrefetchExecution>? {
        guard !prefetch.branches.isEmpty else { return nil }
        let load = PrefetchExecution(prefetch, of: batch.models(of: T.self), session: session)
        return StoreCall(load, in: session, for: "load relationships of \(T.self)").once
    }

    /// Objects after which what the server has sent meanwhile is taken in.
    private static var objectsBetweenLooks: Int { 250 }

    /// - Parameter cursor: what the next batch comes from while this one is handed out.
    func handOut(_ block: (T) throws -> Void, during cursor: PostgresCursor? = nil) throws {
        var objects = batch.remove(decoder: try makeDecoder())
        while let object = objects.popLast() {
            // The plan selects rows of T and its subclasses only.
            try block(unsafeDowncast(object, to: T.self))
            try guardAgainstMutation()
            if objects.count % Self.objectsBetweenLooks == 0 { cursor?.takeIn() }
        }
    }

    /// - Parameter cursor: what the next batch comes from while this one is handed out.
    func handOut(_ block: (T) async throws -> Void, during cursor: PostgresCursor? = nil) async throws {
        var objects = batch.remove(decoder: try makeDecoder())
        while let object = objects.popLast() {
            // As above: the plan selects rows of T and its subclasses only.
            try await block(unsafeDowncast(object, to: T.self))
            try guardAgainstMutation()
            if objects.count % Self.objectsBetweenLooks == 0 { cursor?.takeIn() }
        }
    }

    func guardAgainstMutation() throws {
        guard !allowsMutations, unit.edits != editsBefore else { return }
        throw SwiftDataError(
            .mutationDuringEnumeration,
            "The block of enumerate changed the context. Pass allowEscapingMutations: true if that is meant.")
    }
}
