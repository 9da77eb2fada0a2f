package import StrataClient
package import StrataModels

/// Makes sure that a store's tables are there and fit, and learns who the store is.
///
/// A store that is complete costs two round trips and no lock. Otherwise what is missing is created in one transaction; of
/// several processes that start at the same time one creates and the others wait for it.
package struct StorePreparation {
    package enum Mode: Hashable, Sendable {
        /// Creates schemas and tables that do not exist. An existing table is never changed.
        case createMissing
        /// Writes nothing.
        case verifyOnly
    }

    /// - Parameter unsettled: Table → columns that a migration under way keeps fit for code of both its versions.
    /// - Throws: ``SwiftDataError``: `storeDoesNotFit` with all differences, and ``PostgresError`` from the server.
    package static func prepare(
        _ mapping: StoreMapping, on connection: PostgresConnection, mode: Mode,
        unsettled: [String: Set<String>] = [:]
    ) throws -> StoreIdentity {
        var verification = StoreVerification(mapping, unsettled: unsettled)
        try connection.perform(&verification)
        if let identity = try verification.identity(mode) { return identity }
        let created = try create(mapping, on: connection)
        if verification.isNew { return created }
        // Tables that were there already may have no history.
        verification = StoreVerification(mapping)
        try connection.perform(&verification)
        return try verification.identity(.verifyOnly) ?? created
    }

    /// Creates what is missing without looking first: for a store that is known not to be there. Blocks.
    package static func create(_ mapping: StoreMapping, on connection: PostgresConnection) throws -> StoreIdentity {
        do {
            return try connection.withTransaction(isolation: .readCommitted) { connection in
                var creation = StoreCreation(mapping)
                try connection.perform(&creation)
                return try creation.identity()
            }
        } catch let error as PostgresError {
            throw refusal(error, mapping)
        }
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

    /// The same as ``prepare(_:on:mode:)`` without blocking a thread.
    package static func prepare(
        _ mapping: StoreMapping, on connection: PostgresConnection, mode: Mode,
        unsettled: [String: Set<String>] = [:]
    ) async throws -> StoreIdentity {
        var verification = StoreVerification(mapping, unsettled: unsettled)
        try await connection.perform(&verification)
        if let identity = try verification.identity(mode) { return identity }
        let created: StoreIdentity
        do {
            created = try await connection.withTransaction(isolation: .readCommitted) { connection in
                var creation = StoreCreation(mapping)
                try await connection.perform(&creation)
                return try creation.identity()
            }
        } catch let error as PostgresError {
            throw refusal(error, mapping)
        }
        if verification.isNew { return created }
        verification = StoreVerification(mapping)
        try await connection.perform(&verification)
        return try verification.identity(.verifyOnly) ?? created
    }

    /// What the server misses, in the words of the model; all else as it is.
    private static func refusal(_ error: PostgresError, _ mapping: StoreMapping) -> any Error {
        guard error.lacksTrigrams else { return error }
        let classes = mapping.entities.filter { $0.entity.modelIndices.contains { $0.method == .trigram } }.map(\.name)
        return SwiftDataError(
            .storeDoesNotFit,
            "The tables cannot be made: \(classes.joined(separator: ", ")) asks for an index of trigrams, and the extension pg_trgm is not "
                + "installed. To go on, \(PostgresError.trigramRemedy).",
            underlying: error)
    }

    /// What keeps the store's changes from being recorded. Blocks.
    package static func historyFindings(
        _ mapping: StoreMapping, on connection: PostgresConnection
    ) throws -> [HistoryFinding] {
        var verification = StoreVerification(mapping)
        try connection.perform(&verification)
        return verification.historyFindings
    }

    /// The same without blocking a thread.
    package static func historyFindings(
        _ mapping: StoreMapping, on connection: PostgresConnection
    ) async throws -> [HistoryFinding] {
        var verification = StoreVerification(mapping)
        try await connection.perform(&verification)
        return verification.historyFindings
    }

    /// Installs the history's tables and functions where they are missing or old, and makes the triggers of all tables
    /// anew where they are not as they must be. Waits for whoever writes to such a table. Blocks.
    package static func repairHistory(_ mapping: StoreMapping, on connection: PostgresConnection) throws {
        try connection.withTransaction(isolation: .readCommitted) { connection in
            var repair = HistoryRepair(mapping)
            try connection.perform(&repair)
        }
    }

    /// The same without blocking a thread.
    package static func repairHistory(_ mapping: StoreMapping, on connection: PostgresConnection) async throws {
        try await connection.withTransaction(isolation: .readCommitted) { connection in
            var repair = HistoryRepair(mapping)
            try await connection.perform(&repair)
        }
    }
}
