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
    ///   `unsupportedFeature`, before anything is deleted too, when tables are somebody else's (``ModelConfiguration/tables``
    ///   `.external`): TRUNCATE would empty them whatever else is in them; `storeFailure` when the server refuses, for instance
    ///   because a table of somebody else refers to one of these.
    public func erase() throws {
        try requireErasable()
        try performInEach(for: "erase", explain: explainErasing, then: noteErased) {
            StoreErasure($0.mapping)
        }
    }

    /// What asynchronous callers get as `erase`: see the module Strata.
    package func suspendingErase() async throws {
        try requireErasable()
        try await performInEach(for: "erase", explain: explainErasing, then: noteErased) {
            StoreErasure($0.mapping)
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

    private func requireErasable() throws {
        if let store = stores.first(where: { !$0.configuration.allowsSave }) {
            throw SwiftDataError(
                .readOnly,
                "The configuration \"\(store.configuration.name)\" does not allow saving (allowsSave: false), so nothing was "
                    + "erased.")
        }
        if let tenantName, stores.contains(where: { $0.rows != .none }) {
            throw SwiftDataError(
                .unsupportedFeature,
                "The rows of all tenants are in the same tables, which erasing would truncate, so nothing was erased. Delete those of one: "
                    + "container.deleteTenant(\"\(tenantName)\").")
        }
        if let store = stores.first(where: { $0.mapping.tables == .external }) {
            throw SwiftDataError(
                .unsupportedFeature,
                "The tables of the configuration \"\(store.configuration.name)\" are external, and erasing would truncate what belongs to "
                    + "somebody else, so nothing was erased. Delete the objects of a class with delete(model:).")
        }
    }

    private func noteErased(_ store: Store) { store.notifier?.committed() }

    private func explainErasing(_ store: Store, _ error: any Error) -> any Error {
        guard let error = error as? PostgresError else { return error }
        return SwiftDataError(
            .storeFailure, "The store \"\(store.configuration.name)\" could not be erased: \(error.message)",
            underlying: error)
    }
}
