public import StrataContext

extension HistoryObserver {
    /// Observes the history; awaits a round trip a store, unless every store has a token.
    ///
    /// As the blocking form.
    public convenience init(
        historyTokens: [String: any HistoryToken]? = nil, observedModels: [any PersistentModel.Type] = [],
        authors: Set<String> = [], modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await self.init(suspending: historyTokens, observedModels, authors, modelContainer, isolation)
    }
}
