import StrataClient
import StrataModels
import StrataRepository

/// Compares unique values that one store of several would compare when it commits: before the first of them does, while all can still be
/// rolled back.
final class StoreCheck: StoreOperation {
    private let session: StoreSession
    private var isSent = false

    init(_ session: StoreSession) { self.session = session }

    func next() throws -> PostgresBatch? {
        guard !isSent else { return nil }
        isSent = true
        return PostgresBatch(PostgresStatement("SET CONSTRAINTS ALL IMMEDIATE", name: "save: check constraints"))
    }

    func recover(from error: any Error, in transaction: TransactionState) throws {
        throw error is PostgresError ? SaveExecution.explain(error, mapping: session.store.mapping) : error
    }
}
