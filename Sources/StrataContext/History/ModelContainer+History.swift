import StrataClient
public import StrataModels
import StrataRepository

extension ModelContainer {
    /// The present place in the history; blocks this thread. One round trip a store.
    ///
    /// Everything that is committed from now on is after it. Take it before you fetch what you want to keep up to date.
    /// - Throws: ``SwiftDataError``: `unsupportedFeature` where no history is recorded, `storeFailure`.
    public func currentHistoryToken() throws -> DefaultHistoryToken {
        try token(
            at: performInEach(for: "history token", explain: explainHistory) { HistoryPresent($0.mapping.schemaName) })
    }

    /// The present place in the history. One round trip a store.
    ///
    /// Everything that is committed from now on is after it. Take it before you fetch what you want to keep up to date:
    ///
    /// ```swift
    /// let token = try await container.currentHistoryToken()
    /// let trips = try await context.fetch(FetchDescriptor<Trip>())
    /// ```
    /// - Throws: ``SwiftDataError``: `unsupportedFeature` where no history is recorded, `storeFailure`.
    public func currentHistoryToken() async throws -> DefaultHistoryToken {
        try await token(
            at: performInEach(for: "history token", explain: explainHistory) { HistoryPresent($0.mapping.schemaName) })
    }

    private func token(at places: [HistoryPresent]) throws -> DefaultHistoryToken {
        var positions: [String: HistoryPosition] = [:]
        for (store, place) in zip(stores, places) { positions[store.identifier] = try place.position() }
        return DefaultHistoryToken(positions)
    }

    private func explainHistory(_ store: Store, _ error: any Error) -> any Error {
        guard let error = error as? PostgresError else { return HistoryFailure.explain(error) }
        return HistoryFailure.explain(
            SwiftDataError(.storeFailure, "history token: \(error.message)", underlying: error))
    }
}
