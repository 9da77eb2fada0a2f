import StrataClient
import StrataModels
import StrataRepository

extension StoreSession {
    private static let purpose = "look up column types"

    /// Why reading failed, where the error itself does not say which column it is about; blocks this thread.
    func reason(of error: any Error) -> any Error {
        guard var lookup = ColumnTypeLookup(after: error, mapping: store.mapping) else { return error }
        // Beside the open transaction, which may have failed. What is found out by then is all there is to say.
        try? store.pool.withConnection(for: Self.purpose) { try $0.perform(&lookup) }
        return lookup.error
    }

    /// Why reading failed, where the error itself does not say which column it is about.
    func reason(of error: any Error) async -> any Error {
        guard var lookup = ColumnTypeLookup(after: error, mapping: store.mapping) else { return error }
        // As above.
        if let connection = try? await store.pool.acquireFurther(for: Self.purpose) {
            try? await connection.perform(&lookup)
            store.pool.release(connection)
        }
        return lookup.error
    }
}
