import StrataClient
import StrataModels
import StrataRepository

/// One store as one context sees it: the identity map of its objects, and the connection of an open transaction.
final class StoreSession {
    let store: Store
    let index: Int
    unowned let unit: UnitOfWork
    /// One table a hierarchy, by the index of its root. Made when the first object of the hierarchy is registered.
    @exclusivity(unchecked) private var tables: [IdentityTable?]
    /// Set while a transaction is open: everything then goes through its connection.
    var transactionLease: ConnectionLease?
    var connection: PostgresConnection? { transactionLease?.connection }
    /// Where the context's reads go, as far as that is decided.
    var readPlace = ReadPlace.open
    /// Whether something was saved in the open transaction: observers are told when it is committed.
    var hasWritten = false
    /// How many enumerations have a connection for themselves.
    var openCursors = 0

    init(_ store: Store, index: Int, unit: UnitOfWork) {
        self.store = store
        self.index = index
        self.unit = unit
        tables = Array(repeating: nil, count: store.mapping.entities.count)
    }

    func identities(of root: EntityMapping) -> IdentityTable {
        if let table = tables[root.index] { return table }
        let table = IdentityTable(root.keyKind)
        tables[root.index] = table
        return table
    }

    /// Gives an object its place in the identity map.
    func add(_ model: any PersistentModel, key: RowKey, entity: EntityMapping, phase: ModelState.Phase) {
        add(model, model._$state, key: key, entity: entity, phase: phase)
    }

    func add(
        _ model: any PersistentModel, _ state: ModelState, key: RowKey, entity: EntityMapping, phase: ModelState.Phase
    ) {
        let root = entity.root
        state.storeIndex = Int16(index)
        state.rootIndex = Int16(root.index)
        state.register(model, key: key, identity: store.identities[entity.index], in: unit, phase: phase)
        identities(of: root).insert(state, key: key)
    }

    func remove(_ state: ModelState) {
        tables[Int(state.rootIndex)]?.remove(state, key: state.key)
    }

    /// Enters an object under another key.
    func rekey(_ state: ModelState, to key: RowKey) {
        remove(state)
        state.rekey(to: key)
        if let model = state.model { type(of: model)._$descriptor.keyProperty?.setKey(key, of: model) }
        tables[Int(state.rootIndex)]?.insert(state, key: key)
    }

    /// The registered objects of a class and its subclasses.
    func registeredModels(of entity: EntityMapping) -> [any PersistentModel] {
        var models: [any PersistentModel] = []
        tables[entity.root.index]?.forEach { state in
            guard let model = state.model, type(of: model)._$descriptor.inherits(from: entity.descriptor) else {
                return
            }
            models.append(model)
        }
        return models
    }

    /// The hierarchies of which there are objects, by the index of their root.
    var registeredRoots: Set<Int> {
        Set(tables.indices.filter { tables[$0]?.isEmpty == false })
    }

    func forEachState(_ body: (ModelState) -> Void) {
        for table in tables { table?.forEach(body) }
    }

    /// Something was saved: observers are told when it is committed.
    func noteWritten() {
        if connection == nil { noteCommitted() } else { hasWritten = true }
    }

    /// Something was committed.
    func noteCommitted() {
        unit.mayHaveCommitted = true
        store.notifier?.committed()
    }

    /// The most rows that a fetch may give; `nil` for any number.
    var rowLimit: Int? { unit.rowLimit ?? store.configuration.limits.rows }

    // MARK: Connections

    /// The connection of the open transaction, for work that is part of it; `nil` when there is none.
    ///
    /// Throws when the transaction is another task's: what it has written is not to be read beside it, and what it has not
    /// would replace what objects hold by now.
    func transactionConnection() throws -> PostgresConnection? {
        try unit.requireTurn()
        return connection
    }

    /// Runs `body`, which only reads and can be run again, with the transaction's connection or with one of where the context reads; blocks
    /// this thread.
    func reading<Result>(
        for purpose: String, _ call: CallsInProgress? = nil, rows: Int? = nil,
        _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        do { return try withConnection(for: purpose, call, rows: rows, reads: true, body) } catch is ReplicaFailure {
            return try withConnection(for: purpose, call, rows: rows, reads: true, body)
        }
    }

    /// Runs `body` with the transaction's connection, or with one of a pool; blocks this thread.
    ///
    /// Throws ``ReplicaFailure`` where a replica has failed meanwhile.
    /// - Parameter reads: whether it only reads, so that the connection may be a replica's.
    func withConnection<Result>(
        for purpose: String, _ call: CallsInProgress? = nil, rows: Int? = nil, reads: Bool = false,
        _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        if let connection = try transactionConnection() {
            try unit.requireFreeTurn()
            return try connection.within(unit.terms, call, rows: rows) { try body(connection) }
        }
        let lease = try reads ? leaseToRead(for: purpose) : leasePrimary(for: purpose)
        defer { lease.end() }
        do { return try lease.connection.within(unit.terms, call, rows: rows) { try body(lease.connection) } } catch {
            throw failure(error, of: lease)
        }
    }
}

extension StoreSession: ObjectRegistry {
    var registration: ObjectRegistration {
        ObjectRegistration(context: unit, storeIndex: Int16(index), identities: store.identities)
    }

    var readStamp: UInt32 { unit.stamps.read }

    var saveStamp: UInt32 { unit.stamps.save }

    func leave(_ model: any PersistentModel) {
        remove(model._$state)
        model._$state.phase = .gone
        model._$state.unregister()
    }

    func replace(_ old: any PersistentModel, by new: any PersistentModel) {
        var moves = ReplacedObjects()
        moves.replace(old, by: new)
        _ = moves.apply(to: [], registeredIn: self)
        // A rollback is to lead there too: the old object is gone for good.
        for model in unit.unsaved.all { model._$state.rewriteImages { moves.redirect($0, of: model) } }
        unit.undoManager?.replace(moves)
        // What was read is no part of a transaction: what is put back when one fails leads there too.
        unit.journal.replace(moves)
    }

    func keepForNow(_ models: [any PersistentModel]) {
        if !models.isEmpty { unit.keepForNow(models) }
    }

    func pendingModels(of entity: EntityMapping) -> [any PersistentModel] {
        unit.unsaved.models(of: entity.descriptor)
    }
}

extension StoreSession: RegisteredObjects {}
