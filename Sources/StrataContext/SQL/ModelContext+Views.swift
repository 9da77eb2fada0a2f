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
    /// - Throws: ``SwiftDataError``: `unsupportedFeature` for a view that is not materialized, and while there are unsaved changes; as
    ///   `execute(_:)` for what the server refuses, such as two rows with the same key.
    public func refresh<T: PersistentModel & DatabaseView>(_ view: T.Type, concurrently: Bool = true) throws {
        let statement = try refreshing(view, concurrently)
        try execute(statement)
        try forgetRows(of: view)
    }

    /// Computes the rows of a materialized view anew. One round trip. As the blocking form.
    public func refresh<T: PersistentModel & DatabaseView>(_ view: T.Type, concurrently: Bool = true) async throws {
        let statement = try refreshing(view, concurrently)
        try await execute(statement)
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

    private func forgetRows<T: PersistentModel>(of view: T.Type) throws {
        let (session, entity) = try unit.place(of: view)
        unit.stamps.save &+= 1
        let stored = SlotSet(entity.columns.indices.filter { entity.columns[$0] != nil })
        for model in session.registeredModels(of: entity) where model._$state.phase != .inserted {
            unit.forgetSetByServer(stored, of: model)
        }
    }
}
