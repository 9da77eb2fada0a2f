package import Foundation
package import StrataClient
package import StrataModels

/// Reads transactions of one store: one round trip, one more when entities turn up that were not known.
package final class HistoryReading: StoreOperation {
    private enum Step { case read, adopt, learn, done }

    private let request: HistoryRequest
    private let store: HistoryStore
    private var statement: HistoryStatement
    private var step = Step.read
    private var rows = HistoryRows()
    private var state = HistoryState()
    private var registry = HistoryRegistryRows()
    private var asksForRegistry = false
    private var hasAdopted = false
    /// What the numbers are looked up in: another reading may put an older one into the cache at any time.
    private var known: HistoryRegistry?
    private var hasReadAgain = false

    /// The transactions, each with a token of this store alone.
    package private(set) var transactions: [DefaultHistoryTransaction] = []
    /// Whether the limit left something out.
    package private(set) var isCut = false
    /// Where a consumer goes on that has taken everything up to the last of ``transactions``.
    package private(set) var position = HistoryPosition(generation: 0, base: nil)

    /// The token after which a predicate reads, if it names one for all of it.
    package static func start(of predicate: Predicate<DefaultHistoryTransaction>?) -> DefaultHistoryToken? {
        predicate.flatMap(HistoryStart.token)
    }

    /// Translates everything before anything is sent.
    package init(_ request: HistoryRequest, store: HistoryStore) throws {
        self.request = request
        self.store = store
        statement = try HistoryStatement(request, store: store)
    }

    package func next() throws -> PostgresBatch? {
        switch step {
        case .read:
            (rows, state, registry) = (HistoryRows(), HistoryState(), HistoryRegistryRows())
            known = hasReadAgain ? nil : store.registry.current
            asksForRegistry = known == nil
            step = .adopt
            return try reading()
        case .adopt:
            guard state.isRecorded else { throw HistoryState.notRecorded(in: store.mapping.schemaName) }
            if !state.isAtHome, !hasAdopted {
                hasAdopted = true
                step = .read
                return try HistoryState.adoptionBatch(
                    of: store.mapping.schemaName, isInsideTransaction: request.isInsideTransaction)
            }
            for position in statement.positions { try check(position) }
            if asksForRegistry { learn() }
            registry = HistoryRegistryRows()
            step = .learn
            guard !knowsEverything else { return try next() }
            var batch = PostgresBatch()
            try addRegistry(to: &batch)
            return batch
        case .learn:
            if !registry.entities.isEmpty { learn() }
            guard knowsEverything else {
                guard !hasReadAgain else { throw unknownNumbers }
                // A store that was forgotten meanwhile: its numbers are not in the rows any more.
                hasReadAgain = true
                step = .read
                return try next()
            }
            step = .done
            finish()
            guard rows.endsWindow, transactions.count < request.limit else { return nil }
            // What the window covers is less than was asked for: a page is shorter than its limit only at the end.
            var rest = request
            rest.limit -= transactions.count
            statement = try HistoryStatement(rest, store: store, from: position)
            step = .read
            return try next()
        case .done: return nil
        }
    }

    // MARK: Statements

    private func reading() throws -> PostgresBatch {
        var batch = PostgresBatch()
        if !request.isInsideTransaction {
            // One snapshot for everything that follows.
            batch.begin(.repeatableRead, readOnly: true)
        }
        if request.endsTransaction {
            batch.add(statement.isRange || statement.isWindowed ? Self.settingsForRange : Self.settings)
        }
        if asksForRegistry { try addRegistry(to: &batch) }
        batch.add(try statement.reading(), onRow: { [unowned self] in try rows.take($0) })
        // After the reading: what was deleted before it is deleted here too.
        let running = statement.positions.flatMap { $0.base?.running ?? [] }
        batch.add(
            try HistoryState.statement(of: store.mapping.schemaName, running: running),
            onRow: { [unowned self] in try state.take($0) })
        if !request.isInsideTransaction { batch.commit() }
        return batch
    }

    /// Compiling takes longer than most fetches, and so does planning: the plan is the same wherever the token lies.
    private static let settings = PostgresStatement(
        PreparedSQL(
            "SELECT set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)"))

    /// A plan for any token expects a third of the table after it, and would read all of it: the range of the key's index is
    /// what is wanted.
    private static let settingsForRange = PostgresStatement(
        PreparedSQL(
            "SELECT set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true), "
                + "set_config('enable_seqscan', 'off', true)"))

    private func addRegistry(to batch: inout PostgresBatch) throws {
        let (entities, properties) = try HistoryRegistryRows.statements(of: store.mapping.schemaName)
        batch.add(entities, onRow: { [unowned self] in try registry.takeEntity($0) })
        batch.add(properties, onRow: { [unowned self] in try registry.takeProperty($0) })
    }

    // MARK: Registry

    private var knowsEverything: Bool {
        guard let known else { return false }
        return rows.masks.allSatisfy { known.knows($0.key, $0.value) }
    }

    private func learn() {
        let registry = HistoryRegistry(registry, mapping: store.mapping)
        known = registry
        store.registry.learn(registry)
    }

    // MARK: Result

    private func finish() {
        guard let registry = known, var snapshot = rows.snapshot else { return }
        // The server counts the transaction that asks as one that has ended.
        if let own = state.own { snapshot = snapshot.removing(own) }
        isCut = rows.isCut || rows.endsWindow
        // With as many as were asked for there may be more in the window, or behind it: both are pages that were begun.
        let isFull = request.limit > 0 && transactions.count + rows.headers.count >= request.limit
        let isCutHere = rows.isCut || (rows.endsWindow && isFull)
        let place = HistoryPlaces(
            start: statement.start, snapshot: snapshot, state: state, isInOrder: statement.isInOrder,
            endsEverything: statement.isComplete && !isCutHere, endsWindow: rows.endsWindow)
        var coalescing = HistoryCoalescing(registry: registry, identities: store.identities)
        transactions.reserveCapacity(transactions.count + rows.headers.count)
        var begin = 0
        for (index, header) in rows.headers.enumerated() {
            coalescing.coalesce(rows.changes[begin..<header.end], rows.tombstones, transaction: header.transaction)
            begin = header.end
            let position = place.position(after: header, isLast: index == rows.headers.count - 1)
            transactions.append(transaction(header, coalescing, position))
        }
        position = place.end(after: isCutHere ? rows.headers.last : nil)
    }

    private func transaction(
        _ header: HistoryRows.Header, _ made: HistoryCoalescing, _ position: HistoryPosition
    ) -> DefaultHistoryTransaction {
        DefaultHistoryTransaction(
            transactionIdentifier: header.transaction, token: DefaultHistoryToken([store.identifier: position]),
            timestamp: header.timestamp, author: header.author, storeIdentifier: store.identifier,
            bundleIdentifier: header.application ?? "", processIdentifier: header.process ?? "", actor: header.actor,
            role: header.role, context: Self.context(header.context), changes: made.changes,
            resetEntities: made.resets, unknownEntities: made.unknown)
    }

    /// Other programs may write anything there.
    private static func context(_ text: String?) -> [String: String] {
        guard let text else { return [:] }
        return (try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))) ?? [:]
    }

    // MARK: Errors

    /// To go on without them would be to miss changes.
    private var unknownNumbers: SwiftDataError {
        SwiftDataError(
            .storeFailure,
            "The history of the PostgreSQL schema \"\(store.mapping.schemaName)\" has changes of classes or properties that its "
                + "registry (strata.history_entity, strata.history_property) does not know. Was something deleted there by "
                + "hand? Restore the rows.")
    }

    private func check(_ position: HistoryPosition) throws {
        guard let reason = state.expiry(of: position) else { return }
        throw SwiftDataError(
            .historyTokenExpired,
            "\(reason), so the changes after the token are not all known. Fetch the objects you need anew, and go on from "
                + "currentHistoryToken(), taken before that.")
    }
}
