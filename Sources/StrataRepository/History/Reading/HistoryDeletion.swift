import Foundation
package import StrataClient
import StrataModels

/// Deletes transactions from the history of one store, a slice a transaction, so that no writer waits for long.
package final class HistoryDeletion: StoreOperation {
    private let request: HistoryRequest
    private let store: HistoryStore
    private let statement: HistoryStatement
    private var remaining: Int
    private var lastCount: Int64?
    /// How many transactions were deleted.
    package private(set) var count = 0

    private static let slice = 5000

    package init(_ request: HistoryRequest, store: HistoryStore) throws {
        self.request = request
        self.store = store
        statement = try HistoryStatement(request, store: store, readsOn: false)
        remaining = request.limit > 0 ? request.limit : .max
    }

    package func next() throws -> PostgresBatch? {
        if let lastCount {
            count += Int(lastCount)
            remaining -= Int(lastCount)
            guard lastCount > 0, remaining > 0 else { return nil }
        }
        lastCount = 0
        var batch = PostgresBatch()
        if !request.isInsideTransaction { batch.begin() }
        // Which transactions are over is said by their numbers only where these were given.
        if count == 0 { batch.add(try HistoryState.adoption(of: store.mapping.schemaName)) }
        batch.add(
            try statement.deletion(slice: min(Self.slice, remaining)),
            onRow: { [unowned self] in lastCount = try $0.decode(0, as: Int64.self) })
        if !request.isInsideTransaction { batch.commit() }
        return batch
    }
}
