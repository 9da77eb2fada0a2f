import StrataClient
import StrataModels
import StrataRepository

extension ModelContainer {
    /// Deletes every object of every class in this container's schema, in one statement a store; blocks this thread.
    ///
    /// The tables stay, and so does the history, which notes the deletions. Contexts that exist keep what they have in
    /// memory: make new ones. The tables are locked against everybody for that moment (PostgreSQL manual, TRUNCATE), so this
    /// is for tests, tools and "delete my data" of a store that one person uses; a role without the TRUNCATE privilege
    /// cannot do it.
    /// - Throws: ``SwiftDataError``: `readOnly` before anything is deleted, when a configuration does not allow saving;
    ///   `storeFailure` when the server refuses, for instance because a table of somebody else refers to one of these.
    public func erase() throws {
        for (store, batch) in try erasures() {
            do {
                try store.pool.withConnection(for: "erase") { try $0.run(batch) }
            } catch let error as PostgresError {
                throw eraseFailure(error, of: store)
            }
            store.notifier?.committed()
        }
    }

    /// What asynchronous callers get as `erase`: see the module Strata.
    package func suspendingErase() async throws {
        for (store, batch) in try erasures() {
            do {
                let connection = try await store.pool.acquire(for: "erase")
                defer { store.pool.release(connection) }
                try await connection.run(batch)
            } catch let error as PostgresError {
                throw eraseFailure(error, of: store)
            }
            store.notifier?.committed()
        }
    }

    /// SwiftData's older spelling of `erase()`, which cannot throw: a failure is logged, and nothing is deleted
    /// then.
    @available(*, deprecated, renamed: "erase()", message: "erase() throws when it fails")
    public func deleteAllData() {
        do { try erase() } catch {
            logger.error("deleteAllData failed: nothing was deleted.", metadata: ["error": "\(error)"])
        }
    }

    private func erasures() throws -> [(Store, PostgresBatch)] {
        if let store = stores.first(where: { !$0.configuration.allowsSave }) {
            throw SwiftDataError(
                .readOnly,
                "The configuration \"\(store.configuration.name)\" does not allow saving (allowsSave: false), so nothing was "
                    + "erased.")
        }
        return try stores.compactMap { store in
            let tables =
                store.mapping.entities.filter { !$0.isView }.map(\.table) + store.mapping.joinTables.map(\.table)
            guard !tables.isEmpty else { return nil }
            // All in one statement: tables that refer to each other can only be emptied together.
            let sql: SQLFragment = "TRUNCATE \(tables.map { "\($0)" as SQLFragment }.joined(separator: ", "))"
            var batch = PostgresBatch()
            batch.add(try sql.statement(name: "erase"))
            return (store, batch)
        }
    }

    private func eraseFailure(_ error: PostgresError, of store: Store) -> SwiftDataError {
        SwiftDataError(
            .storeFailure, "The store \"\(store.configuration.name)\" could not be erased: \(error.message)",
            underlying: error)
    }
}
