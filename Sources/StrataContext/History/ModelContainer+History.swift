import StrataClient
public import StrataModels
import StrataRepository

extension ModelContainer {
    /// The present place in the history; blocks this thread. One round trip a store.
    ///
    /// Everything that is committed from now on is after it. Take it before you fetch what you want to keep up to date.
    /// - Throws: ``SwiftDataError``: `unsupportedFeature` where no history is recorded, `storeFailure`.
    public func currentHistoryToken() throws -> DefaultHistoryToken {
        var positions: [String: HistoryPosition] = [:]
        for store in stores {
            var present = HistoryPresent(store.mapping.schemaName)
            do {
                try store.pool.withConnection(for: "history token") { try $0.perform(&present) }
            } catch {
                throw Self.explainedHistory(error)
            }
            positions[store.identifier] = try present.position()
        }
        return DefaultHistoryToken(positions)
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
        var positions: [String: HistoryPosition] = [:]
        for store in stores {
            var present = HistoryPresent(store.mapping.schemaName)
            do {
                let connection = try await store.pool.acquire(for: "history token")
                defer { store.pool.release(connection) }
                try await connection.perform(&present)
            } catch {
                throw Self.explainedHistory(error)
            }
            positions[store.identifier] = try present.position()
        }
        return DefaultHistoryToken(positions)
    }

    private static func explainedHistory(_ error: any Error) -> any Error {
        guard let error = error as? PostgresError else { return HistoryFailure.explain(error) }
        return HistoryFailure.explain(
            SwiftDataError(.storeFailure, "history token: \(error.message)", underlying: error))
    }
}
