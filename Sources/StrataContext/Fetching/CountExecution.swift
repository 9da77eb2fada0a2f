import StrataClient
import StrataModels
import StrataRepository

/// Counts the objects that match, on the server.
final class CountExecution<T: PersistentModel>: ContextCall {
    let session: StoreSession
    var purpose: String { T._$descriptor.callNames.count }
    private let query: FetchQuery<T, PostgresStatement>
    private var isDone = false
    private(set) var result = 0

    init(_ descriptor: FetchDescriptor<T>, unit: UnitOfWork) throws {
        query = try FetchQuery(descriptor, unit: unit, reading: .keys) { try $0.count() }
        session = query.session
    }

    func next() throws -> PostgresBatch? {
        guard !isDone else { return nil }
        if let lookup = try query.lookUp() { return lookup }
        isDone = true
        return PostgresBatch(try query.planned()) { self.result = Int($0.int64(0)) }
    }
}

/// Reads the identifiers of the objects that match, without the objects.
final class IdentifierExecution<T: PersistentModel>: ContextCall {
    let session: StoreSession
    var purpose: String { T._$descriptor.callNames.identifiers }
    var rowLimit: Int? { session.rowLimit }
    private let query: FetchQuery<T, PostgresStatement>
    private var isDone = false
    private(set) var result: [PersistentIdentifier] = []

    init(_ descriptor: FetchDescriptor<T>, unit: UnitOfWork) throws {
        query = try FetchQuery(unit.limitingRows(descriptor), unit: unit, reading: .keys) { try $0.identifiers() }
        session = query.session
    }

    func next() throws -> PostgresBatch? {
        guard !isDone else { return nil }
        if let lookup = try query.lookUp() { return lookup }
        isDone = true
        let statement = try query.planned()
        let entity = query.entity
        let family = entity.family
        let identities = session.store.identities
        let replacements = query.replacements
        return PostgresBatch(statement) { row in
            let key = row.key(0, entity.keyKind)
            if let replacement = replacements[key] {
                self.result.append(replacement.persistentModelID)
                return
            }
            var identity = identities[entity.index]
            if family.count > 1 {
                let name = row.string(1)
                guard let concrete = family.first(where: { $0.discriminator == name }) else {
                    throw entity.unknownClass(name, key: key)
                }
                identity = identities[concrete.index]
            }
            self.result.append(PersistentIdentifier(identity: identity, key: key))
        }
    }
}
