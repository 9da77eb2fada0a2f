import StrataClient
import StrataModels
import StrataRepository

/// A fetch that locks the rows it finds.
///
/// One statement where the class has no subclasses. Where it has, the rows of the class come first, as keys; the rows of the subclasses
/// are locked in a second round trip, and behind that all values are read.
final class LockedFetchExecution<T: PersistentModel>: StoreOperation {
    let session: StoreSession
    private let entity: EntityMapping
    private let lock: RowLock
    private let statement: PostgresStatement
    /// `nil` where there may be subclasses.
    private let list: SelectList?
    private var prefetch: FollowingPrefetch
    private var step = Step.lock
    private var keys: [Int64] = []
    /// The keys that were locked in the table of each subclass.
    private var locked: [ObjectIdentifier: Set<Int64>] = [:]
    private var found: [Int64: T] = [:]
    private var objects: [T] = []

    private enum Step { case lock, read, prefetch }

    init(_ descriptor: FetchDescriptor<T>, _ lock: RowLock, unit: UnitOfWork) throws {
        (session, entity) = try unit.place(of: T.self)
        self.lock = lock
        try unit.requireTurn()
        guard session.connection != nil else {
            throw SwiftDataError(
                .unsupportedFeature,
                "The descriptor of a fetch of \(T.self) has a lock, and no transaction is open: the lock would be gone when the fetch "
                    + "returns. Fetch within transaction { }, or in withContext(isolation:).")
        }
        guard !unit.onlyReads else { throw unit.onlyReadsRefusal("was to lock \(T.self) rows") }
        if descriptor.includePendingChanges, unit.hasChanges(in: session) {
            throw SwiftDataError(
                .unsupportedFeature,
                "A fetch of \(T.self) with a lock was not sent: it locks rows, and this context has unsaved changes, which are no rows "
                    + "yet. Call save() first, which commits nothing here, or set includePendingChanges to false.")
        }
        var stored = descriptor
        stored.includePendingChanges = false
        let plan = try FetchPlan(
            stored, mapping: session.store.mapping, store: session.store.identifier,
            reading: entity.children.isEmpty ? .lockedObjects : .lockedKeys)
        if entity.children.isEmpty {
            (statement, list) = try plan.objects()
        } else {
            (statement, list) = (try plan.keys(), nil)
        }
        prefetch = try FollowingPrefetch(of: descriptor, in: session)
    }

    func next() throws -> PostgresBatch? {
        switch step {
        case .lock:
            step = list == nil ? .read : .prefetch
            return lockBatch()
        case .read:
            step = .prefetch
            return keys.isEmpty ? nil : try readBatch()
        case .prefetch: return try prefetch.next(for: result)
        }
    }

    private func lockBatch() -> PostgresBatch {
        var batch = PostgresBatch()
        if let list {
            let decoder = decoder(list)
            batch.add(
                statement, onResult: { try decoder.check($0) },
                onRow: { if let object = try decoder.object(from: $0) as? T { self.objects.append(object) } })
        } else {
            batch.add(statement, onRow: { self.keys.append($0.int64(0)) })
        }
        return batch
    }

    private func readBatch() throws -> PostgresBatch {
        var batch = PostgresBatch()
        for (descendant, statement) in try SubclassLock.statements(below: entity, keys: keys, lock) {
            let table = ObjectIdentifier(descendant)
            batch.add(statement, onRow: { self.locked[table, default: []].insert($0.int64(0)) })
        }
        let (statement, list) = try KeyedFetch.statement(entity, keys: keys, mapping: session.store.mapping)
        let decoder = decoder(list)
        batch.add(
            statement, onResult: { try decoder.check($0) },
            onRow: { row in
                guard let object = try decoder.object(from: row) as? T else { return }
                self.found[row.int64(0)] = object
            })
        return batch
    }

    private func decoder(_ list: SelectList) -> RowDecoder {
        RowDecoder(list, registry: session, group: FetchGroup(root: entity.root.descriptor))
    }

    /// Whether the rows of the object's subclasses were locked too: `skipLocked` may have passed over one.
    private func isLocked(_ key: Int64) -> Bool {
        guard lock.waiting == .skipLocked, let object = found[key] else { return true }
        let descriptor = type(of: object)._$descriptor
        return entity.descendants.allSatisfy { descendant in
            !descriptor.inherits(from: descendant.descriptor)
                || locked[ObjectIdentifier(descendant)]?.contains(key) == true
        }
    }

    /// The objects whose rows are locked, all of them, in the descriptor's order.
    var result: [T] { list == nil ? keys.compactMap { isLocked($0) ? found[$0] : nil } : objects }
}
