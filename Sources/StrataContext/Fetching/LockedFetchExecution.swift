import StrataClient
import StrataModels
import StrataRepository

/// A fetch that locks the rows it finds.
///
/// One statement where the class has no subclasses. Where it has, the rows of the class come first, as keys; the rows of the subclasses
/// are locked in a second round trip, and behind that all values are read. Somebody may have changed the row of a subclass meanwhile,
/// so the predicate is asked again, and further keys take the places of those that it does not find any more.
final class LockedFetchExecution<T: PersistentModel>: ContextCall {
    let session: StoreSession
    var purpose: String { T._$descriptor.callNames.fetchWithLock }
    var rowLimit: Int? { session.rowLimit }
    /// Nobody else has changed the rows since they were locked: they are not read again.
    var isReadAgain: Bool { false }
    private let entity: EntityMapping
    private let lock: RowLock
    /// Without unsaved changes.
    private let descriptor: FetchDescriptor<T>
    private var prefetch: FollowingPrefetch
    private var step = Step.lock
    /// The keys that were locked in the table of the class.
    private var keys: [RowKey] = []
    /// The last of them, whose objects are not read yet.
    private var unread: ArraySlice<RowKey> { keys[keys.index(keys.startIndex, offsetBy: readCount)...] }
    private var readCount = 0
    private(set) var result: [T] = []

    /// What locks the first rows: planned before anything is sent, so that what cannot be translated is refused by then.
    private var first = First.none

    private enum Step { case lock, read, prefetch }

    private enum First {
        case objects(PostgresStatement, SelectList)
        case keys(PostgresStatement)
        case none
    }

    init(_ descriptor: FetchDescriptor<T>, _ lock: RowLock, unit: UnitOfWork) throws {
        (session, entity) = try unit.place(of: T.self)
        try entity.requireTable(to: "be locked")
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
        prefetch = try FollowingPrefetch(of: descriptor, in: session)
        var stored = descriptor
        stored.includePendingChanges = false
        let isWhole = entity.children.isEmpty
        if isWhole {
            let (statement, list) = try FetchPlan.objects(
                stored, mapping: session.store.mapping, store: session.store.identifier, reading: .lockedObjects)
            first = .objects(statement, list)
        }
        self.descriptor = stored
        if !isWhole {
            first = .keys(try keysStatement())
            _ = try values(of: [])
        }
    }

    func next() throws -> PostgresBatch? {
        switch step {
        case .lock: return try lockBatch()
        case .read where unread.isEmpty:
            step = .prefetch
            return try next()
        case .read:
            return try readBatch()
        case .prefetch: return try prefetch.next(for: result)
        }
    }

    private func lockBatch() throws -> PostgresBatch {
        defer { first = .none }
        switch first {
        case .objects(let statement, let list):
            step = .prefetch
            return objectBatch(statement, list)
        case .keys(let statement):
            step = .read
            return keyBatch(statement)
        case .none:
            step = .read
            return keyBatch(try keysStatement())
        }
    }

    private func objectBatch(_ statement: PostgresStatement, _ list: SelectList) -> PostgresBatch {
        let decoder = decoder(list)
        var batch = PostgresBatch()
        batch.add(
            statement, onResult: { try decoder.check($0) },
            onRow: { if let object = try decoder.object(from: $0) as? T { self.result.append(object) } })
        return batch
    }

    private func keyBatch(_ statement: PostgresStatement) -> PostgresBatch {
        PostgresBatch(statement) { self.keys.append($0.key(0, self.entity.keyKind)) }
    }

    /// Locks the rows of the class, as many as are missing, but not the rows that are locked already.
    private func keysStatement() throws -> PostgresStatement {
        var missing = descriptor
        missing.fetchLimit = missing.fetchLimit.map { $0 - result.count }
        return try plan(missing, .lockedKeys).keys(except: keys)
    }

    /// The statement that reads the objects with these keys, as far as the predicate finds them.
    private func values(of keys: [RowKey]) throws -> (statement: PostgresStatement, list: SelectList) {
        var reading = descriptor
        (reading.lock, reading.fetchLimit, reading.fetchOffset) = (nil, nil, nil)
        // Which are the first of their groups was decided when the keys were locked.
        (reading.sortBy, reading.orderBy, reading.groupLimit) = ([], [], nil)
        return try plan(reading, .objects).objects(among: keys)
    }

    private func readBatch() throws -> PostgresBatch {
        let round = Array(unread)
        readCount = keys.count
        let found = LockedRound<T>(entity, round, lock)
        var batch = PostgresBatch()
        try found.addLocks(to: &batch)
        let (statement, list) = try values(of: round)
        let decoder = decoder(list)
        batch.add(
            statement, onResult: { try decoder.check($0) },
            onRow: {
                guard let object = try decoder.object(from: $0) as? T else { return }
                found.add(object, key: $0.key(0, self.entity.keyKind))
            },
            onComplete: { _ in
                self.result += found.objects
                let wasCut = self.descriptor.fetchLimit.map { self.result.count < $0 } ?? false
                if wasCut, found.objects.count < round.count { self.step = .lock }
            })
        return batch
    }

    private func decoder(_ list: SelectList) -> RowDecoder {
        RowDecoder(list, registry: session, group: FetchGroup(root: entity.root.descriptor))
    }

    private func plan(_ descriptor: FetchDescriptor<T>, _ reading: FetchReading) throws -> FetchPlan<T> {
        try FetchPlan(
            descriptor, mapping: session.store.mapping, store: session.store.identifier, reading: reading)
    }
}

/// The objects of some keys whose rows are locked in the table of their class: those are left out of whose subclass a row is not.
private final class LockedRound<T: PersistentModel> {
    private let entity: EntityMapping
    private let keys: [RowKey]
    private let lock: RowLock
    /// The keys that were locked in the table of each subclass.
    private var locked: [ObjectIdentifier: Set<RowKey>] = [:]
    private var found: [RowKey: T] = [:]

    init(_ entity: EntityMapping, _ keys: [RowKey], _ lock: RowLock) {
        (self.entity, self.keys, self.lock) = (entity, keys, lock)
    }

    func addLocks(to batch: inout PostgresBatch) throws {
        for (descendant, statement) in try SubclassLock.statements(below: entity, keys: keys, lock) {
            let table = ObjectIdentifier(descendant)
            batch.add(statement, onRow: { self.locked[table, default: []].insert($0.key(0, self.entity.keyKind)) })
        }
    }

    func add(_ object: T, key: RowKey) { found[key] = object }

    /// In the order of the keys.
    var objects: [T] { keys.compactMap { isLocked($0) ? found[$0] : nil } }

    /// Whether the rows of the object's subclasses were locked too: `skipLocked` may have passed over one.
    private func isLocked(_ key: RowKey) -> Bool {
        guard lock.waiting == .skipLocked, let object = found[key] else { return true }
        let descriptor = type(of: object)._$descriptor
        return entity.descendants.allSatisfy { descendant in
            descendant.base !== descendant || !descriptor.inherits(from: descendant.descriptor)
                || locked[ObjectIdentifier(descendant)]?.contains(key) == true
        }
    }
}
