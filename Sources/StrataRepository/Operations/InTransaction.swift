package import StrataClient

/// An operation in a transaction of its own. BEGIN goes out with its first batch, and its last one commits; when one fails, the transaction
/// is rolled back.
package struct InTransaction<Operation: StoreOperation>: StoreOperation {
    private enum Step {
        case begin
        case underWay
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
            guard let first = try operation.next() else { return nil }
            step = .underWay
            var batch = PostgresBatch()
            batch.begin(isolation)
            batch.append(first)
            return batch
        case .underWay: return try operation.next()
        case .undo(let error):
            step = .undone(error)
            var batch = PostgresBatch()
            batch.rollback()
            batch.runsToEnd = true
            return batch
        case .undone(let error): throw error
        }
    }

    package mutating func recover(from error: any Error, isTransactionOpen: Bool) throws {
        switch step {
        case .underWay where isTransactionOpen: step = .undo(error)
        case .begin, .underWay: throw error
        // The first error is what the caller must learn.
        case .undo(let first), .undone(let first): throw first
        }
    }
}
