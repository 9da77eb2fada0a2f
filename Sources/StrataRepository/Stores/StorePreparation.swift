package import StrataClient
import StrataModels

/// Makes sure that a store's tables are there and fit, and learns who the store is.
///
/// A store that is complete costs two round trips and no lock. Otherwise what is missing is created in one transaction; of
/// several processes that start at the same time one creates and the others wait for it.
///
/// Its errors are ``SwiftDataError``: `storeDoesNotFit` with all differences, and ``PostgresError`` from the server.
package final class StorePreparation: StoreOperation {
    package enum Mode: Hashable, Sendable {
        /// Creates schemas and tables that do not exist. An existing table is never changed.
        case createMissing
        /// Writes nothing.
        case verifyOnly
    }

    private enum Step {
        case verify(StoreVerification)
        /// - Parameter isAlone: whether there was nothing before: then nothing is looked at again.
        case create(InTransaction<StoreCreation>, isAlone: Bool)
        /// Tables that were there already may have no history.
        case verifyAgain(StoreVerification, StoreIdentity)
        case done(StoreIdentity)
    }

    private let mapping: StoreMapping
    private let mode: Mode
    private var step: Step

    /// - Parameter unsettled: What a migration under way keeps fit for code of both its versions: columns of tables, and views.
    package init(_ mapping: StoreMapping, mode: Mode, unsettled: [String: Set<String>] = [:]) {
        self.mapping = mapping
        self.mode = mode
        step = .verify(StoreVerification(mapping, unsettled: unsettled))
    }

    /// Creates what is missing without looking first: for a store that is known not to be there.
    ///
    /// - Parameter onlyNew: whether tables or a record that are there are an error, `tenantExists`: decided under the lock of creators.
    package init(creating mapping: StoreMapping, onlyNew: Bool = false) {
        self.mapping = mapping
        mode = .createMissing
        step = .create(Self.creation(of: mapping, onlyNew: onlyNew), isAlone: true)
    }

    /// Prepares a store on this connection; blocks this thread.
    package static func prepare(
        _ mapping: StoreMapping, on connection: PostgresConnection, mode: Mode, unsettled: [String: Set<String>] = [:]
    ) throws -> StoreIdentity {
        var preparation = StorePreparation(mapping, mode: mode, unsettled: unsettled)
        try connection.perform(&preparation)
        return preparation.identity
    }

    /// Creates what all stores of a database share, in a database without it.
    package static func createLibrary(on connection: PostgresConnection) async throws {
        let tables = TableCreation(LibrarySchema.definition, in: LibrarySchema.name).statements.map(\.text)
        try await connection.withTransaction(isolation: .readCommitted) { connection in
            for text in tables + LibraryFunctions.creation {
                try await connection.run(PostgresBatch(PostgresStatement(PreparedSQL(text, isCached: false))))
            }
        }
    }

    /// Prepares a store on this connection.
    package static func prepare(
        _ mapping: StoreMapping, on connection: PostgresConnection, mode: Mode, unsettled: [String: Set<String>] = [:]
    ) async throws -> StoreIdentity {
        var preparation = StorePreparation(mapping, mode: mode, unsettled: unsettled)
        try await connection.perform(&preparation)
        return preparation.identity
    }

    /// Creates what is missing without looking first; blocks this thread.
    package static func create(
        _ mapping: StoreMapping, on connection: PostgresConnection, onlyNew: Bool = false
    ) throws -> StoreIdentity {
        var preparation = StorePreparation(creating: mapping, onlyNew: onlyNew)
        try connection.perform(&preparation)
        return preparation.identity
    }

    /// Who the store is, once the operation was carried out.
    package var identity: StoreIdentity {
        guard case .done(let identity) = step else {
            // Nothing a caller or the server does leads here: an operation that was carried out is done, and one that failed has thrown.
            preconditionFailure("The identity of a store was asked for before its preparation was carried out.")
        }
        return identity
    }

    package func next() throws -> PostgresBatch? {
        while true {
            switch step {
            case .verify(var verification):
                let batch = try verification.next()
                step = .verify(verification)
                if let batch { return batch }
                if let identity = try verification.identity(mode) {
                    step = .done(identity)
                } else {
                    step = .create(Self.creation(of: mapping), isAlone: verification.isNew)
                }
            case .create(var creation, let isAlone):
                let batch = try refusing { try creation.next() }
                step = .create(creation, isAlone: isAlone)
                if let batch { return batch }
                let identity = try creation.operation.identity()
                step = isAlone ? .done(identity) : .verifyAgain(StoreVerification(mapping), identity)
            case .verifyAgain(var verification, let created):
                let batch = try verification.next()
                step = .verifyAgain(verification, created)
                if let batch { return batch }
                step = .done(try verification.identity(.verifyOnly) ?? created)
            case .done: return nil
            }
        }
    }

    package func recover(from error: any Error, in transaction: TransactionState) throws {
        guard case .create(var creation, let isAlone) = step else { throw error }
        try refusing { try creation.recover(from: error, in: transaction) }
        step = .create(creation, isAlone: isAlone)
    }

    /// Waits, inside a transaction, for others that create stores in this database.
    package static var waitForCreators: SQLFragment {
        "SELECT pg_catalog.pg_advisory_xact_lock(\(bind: StoreCreation.lockKey))"
    }

    private static func creation(of mapping: StoreMapping, onlyNew: Bool = false) -> InTransaction<StoreCreation> {
        InTransaction(StoreCreation(mapping, onlyNew: onlyNew), .readCommitted)
    }

    /// What the server misses, in the words of the model; all else as it is.
    private func refusing<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as PostgresError where error.lacksTrigrams {
            let classes = mapping.entities.filter { $0.entity.modelIndices.contains { $0.method == .trigram } }
            throw SwiftDataError(
                .storeDoesNotFit,
                "The tables cannot be made: \(classes.map(\.name).joined(separator: ", ")) asks for an index of trigrams, and the extension "
                    + "pg_trgm is not installed. To go on, \(PostgresError.trigramRemedy).",
                underlying: error)
        } catch let error as PostgresError where error.lacksCaselessText {
            let classes = mapping.entities.filter { $0.ownUniqueSets.contains(where: \.hasFolds) }
            throw SwiftDataError(
                .storeDoesNotFit,
                "The tables cannot be made: what is unique in \(classes.map(\.name).joined(separator: ", ")) is so regardless of case, and the "
                    + "database has no collation \(CaselessText.collation). To go on, \(PostgresError.caselessRemedy).",
                underlying: error)
        } catch let error as PostgresError where error.missingType != nil {
            guard let property = mapping.property(inType: error.missingType), let stored = property.storedType else {
                throw error
            }
            throw SwiftDataError(
                .storeDoesNotFit,
                "The tables cannot be made: \(property.qualifiedName) is \(stored.name), and the server has no such type. "
                    + (stored.extensionName.map {
                        "To go on, run CREATE EXTENSION \(SQLFragment.quoted($0)) in the database, in a schema of the search_path."
                    } ?? "Create the type, or correct postgresTypeName."), underlying: error)
        }
    }
}

extension StoreMapping {
    /// The first property that is stored in a type, or in lists of it.
    fileprivate func property(inType name: String?) -> AnyAttributeProperty? {
        entities.lazy.flatMap(\.descriptor.properties).compactMap { $0 as? AnyAttributeProperty }.first { property in
            let type = property.storedType?.unlimitedName
            return type != nil && (type == name || type == name.map { $0 + "[]" })
        }
    }
}

extension PostgresError {
    /// The type, or the access method, that a statement names and the server does not know; `nil` for other errors.
    package var missingType: String? {
        guard sqlState == "42704", let message = serverMessage,
            let match = message.prefixMatch(of: /(?:type|access method) "(.+?)(?:\[\])?"/)
        else { return nil }
        return String(match.1)
    }
}
