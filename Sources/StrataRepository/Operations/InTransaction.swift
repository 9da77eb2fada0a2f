package import StrataClient

/// An operation in a transaction of its own. BEGIN goes out with its first batch. The operation commits with its last batch, which spares a
/// round trip; where it does not, COMMIT follows. When the operation fails, the transaction is rolled back.
package struct InTransaction<Operation: StoreOperation>: StoreOperation {
    private enum Step {
        case begin
        case underWay
        case committed
        case undo(any Error)
        case undone(any Error)
    }

    package private(set) var operation: Operation
    private let isolation: IsolationLevel
    private var step = Step.begin

    package init(_ operation: Operation, _ isolation: IsolationLevel) {
        self.operation = operation
        self.isolation = isolation
    }

    package mutating func next() throws -> PostgresBatch? {
        switch step {
        case .begin:
            guard var batch = try operation.next() else { return nil }
            batch.beginFirst(isolation)
            return followed(batch)
        case .underWay:
            guard let batch = try operation.next() else {
                var batch = PostgresBatch()
                batch.commit()
                return followed(batch)
            }
            return followed(batch)
        case .committed: return try operation.next()
        case .undo(let error):
            step = .undone(error)
            var batch = PostgresBatch()
            batch.rollback()
            batch.runsToEnd = true
            return batch
        case .undone(let error): throw error
        }
    }

    private mutating func followed(_ batch: PostgresBatch) -> PostgresBatch {
        step = batch.commits ? .committed : .underWay
        return batch
    }

    package mutating func recover(from error: any Error, in transaction: TransactionState) throws {
        switch step {
        case .begin: throw error
        case .underWay, .committed:
            do {
                try operation.recover(from: error, in: transaction)
                // What the operation does now is to be in a transaction too.
                if !transaction.isOpen { step = .begin }
            } catch {
                guard transaction.isOpen else { throw error }
                step = .undo(error)
            }
        // The first error is what the caller must learn.
        case .undo(let first), .undone(let first): throw first
        }
    }
}
