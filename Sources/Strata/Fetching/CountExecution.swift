import StrataClient
import StrataModels
import StrataRepository

/// Counts the objects that match, on the server.
final class CountExecution<T: PersistentModel>: StoreOperation {
    let session: StoreSession
    private var statement: PostgresStatement?
    private(set) var result = 0

    init(_ descriptor: FetchDescriptor<T>, unit: UnitOfWork) throws {
        let (session, _) = try unit.place(of: T.self)
        self.session = session
        statement = try FetchPlan(descriptor, mapping: session.store.mapping, store: session.store.identifier).count()
    }

    func next() throws -> PostgresBatch? {
        guard let statement = statement.take() else { return nil }
        return PostgresBatch(statement) { self.result = Int($0.int64(0)) }
    }
}

/// Reads the identifiers of the objects that match, without the objects.
final class IdentifierExecution<T: PersistentModel>: StoreOperation {
    let session: StoreSession
    private let entity: EntityMapping
    private var statement: PostgresStatement?
    private(set) var result: [PersistentIdentifier] = []

    init(_ descriptor: FetchDescriptor<T>, unit: UnitOfWork) throws {
        let (session, entity) = try unit.place(of: T.self)
        self.session = session
        self.entity = entity
        statement = try FetchPlan(descriptor, mapping: session.store.mapping, store: session.store.identifier)
            .identifiers()
    }

    func next() throws -> PostgresBatch? {
        guard let statement = statement.take() else { return nil }
        let family = entity.family
        let identities = session.store.identities
        return PostgresBatch(statement) { row in
            var identity = identities[self.entity.index]
            if family.count > 1 {
                let name = row.string(1)
                guard let concrete = family.first(where: { $0.discriminator == name }) else {
                    throw SwiftDataError(
                        .unknownSchema,
                        "The row of \(self.entity.root.table.name) with the key \(row.int64(0)) is of the class \"\(name)\", which "
                            + "this container's schema does not have. Name it in ModelContainer(for:).")
                }
                identity = identities[concrete.index]
            }
            self.result.append(PersistentIdentifier(identity: identity, key: row.int64(0)))
        }
    }
}
