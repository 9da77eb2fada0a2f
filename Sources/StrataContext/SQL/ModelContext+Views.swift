import StrataClient
public import StrataModels
public import StrataRepository

extension ModelContext {
    /// Computes the rows of a materialized view anew; blocks this thread. One round trip.
    ///
    /// ```swift
    /// try context.refresh(CityStatistics.self)
    /// ```
    ///
    /// Concurrently, the server compares the new rows with the ones that are there and changes what differs, and others read the view
    /// meanwhile (PostgreSQL manual, REFRESH MATERIALIZED VIEW). Otherwise it is filled from the beginning, which is quicker where most rows
    /// differ, and who reads it waits. It is done when the call returns, in the open transaction or as one of its own. Objects of the class in
    /// memory read their properties again when they are touched.
    ///
    /// The role of the connection must own the view, or be a member of the role that does: that is the one which migrates. From
    /// PostgreSQL 17 on, `GRANT MAINTAIN ON … TO …` is enough.
    /// - Throws: ``SwiftDataError``: `unsupportedFeature` for a view that is not materialized, and while there are unsaved changes; as
    ///   `execute(_:)` for what the server refuses, such as two rows with the same key. `storeFailure` says what to do where the role
    ///   may not refresh it (SQLSTATE 42501), and where the index is gone that a concurrent refresh needs (55000).
    public func refresh<T: PersistentModel & DatabaseView>(_ view: T.Type, concurrently: Bool = true) throws {
        let statement = try refreshing(view, concurrently)
        do { try execute(statement) } catch { throw refusal(of: view, concurrently, error) }
        try forgetRows(of: view)
    }

    /// Computes the rows of a materialized view anew. One round trip. As the blocking form.
    public func refresh<T: PersistentModel & DatabaseView>(_ view: T.Type, concurrently: Bool = true) async throws {
        let statement = try refreshing(view, concurrently)
        do { try await execute(statement) } catch { throw refusal(of: view, concurrently, error) }
        try forgetRows(of: view)
    }

    private func refreshing<T: PersistentModel & DatabaseView>(
        _ view: T.Type, _ concurrently: Bool
    ) throws -> SQLStatement {
        guard view.isMaterialized else {
            throw SwiftDataError(
                .unsupportedFeature,
                "\(T._$descriptor.entityName) cannot be refreshed: its rows are computed by each fetch. Let the server keep them, with static let "
                    + "isMaterialized = true, or leave the call out.")
        }
        return concurrently
            ? "REFRESH MATERIALIZED VIEW CONCURRENTLY \(table: view)" : "REFRESH MATERIALIZED VIEW \(table: view)"
    }

    /// With what to do, where the server has refused to refresh the view.
    private func refusal<T: PersistentModel & DatabaseView>(
        of view: T.Type, _ concurrently: Bool, _ error: any Error
    ) -> any Error {
        guard let error = error as? SwiftDataError, let underlying = error.underlying,
            let mapping = try? unit.place(of: view).entity
        else { return error }
        let table = ("\(mapping.table)" as SQLFragment).text
        let name = T._$descriptor.entityName
        let advice: String
        switch underlying.sqlState {
        case "42501" where underlying.lacksRight:
            advice =
                "\(name) cannot be refreshed by the role of this connection: only the owner of \(table) may, and members of its role. Let "
                + "the owner call it, GRANT its role to this one, or, from PostgreSQL 17 on, GRANT MAINTAIN ON \(table) to it."
        case "55000" where concurrently:
            advice =
                "\(name) cannot be refreshed while others read it: \(table) has no unique index of its key. As its owner: CREATE UNIQUE "
                + "INDEX ON \(table) (\(mapping.key.list(of: ""))); or refresh it with concurrently: false."
        default: return error
        }
        return SwiftDataError(error.code, advice, underlying: underlying)
    }

    private func forgetRows<T: PersistentModel>(of view: T.Type) throws {
        let (session, entity) = try unit.place(of: view)
        unit.stamps.save &+= 1
        let stored = SlotSet(entity.columns.indices.filter { entity.columns[$0] != nil })
        for model in session.registeredModels(of: entity) where model._$state.phase != .inserted {
            unit.forgetSetByServer(stored, of: model)
        }
    }
}
