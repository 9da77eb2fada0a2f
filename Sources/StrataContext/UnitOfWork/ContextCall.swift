import StrataClient
import StrataRepository

/// One call of a context: an operation, the store it is sent to, what it is for, and what becomes of an error.
///
/// A public method says which call it makes, and is done: how a connection is had, how it is waited for, what observers are told
/// and what time there is, all calls have in common (`ModelContext.perform(_:)`, which blocks or waits).
protocol ContextCall: StoreOperation {
    var session: StoreSession { get }
    /// What the call does, as errors, observers and the pool name it.
    var purpose: String { get }
    /// How many rows each statement may give; `nil`, the default, for any number.
    var rowLimit: Int? { get }
    /// Whether the call is made anew when another task has saved the context while it waited: the rows may be from before, and
    /// lack what is new. By default it is.
    var isReadAgain: Bool { get }
    /// Whether the call goes to the primary wherever the context reads; by default it does not.
    var isForPrimary: Bool { get }
    /// Whether the call can be made anew where a replica has failed meanwhile. By default one that is read again can.
    var canBeginAnew: Bool { get }
    /// What an error means to whoever made the call; as it is by default.
    func explain(_ error: any Error) -> any Error
}

extension ContextCall {
    var rowLimit: Int? { nil }
    var isReadAgain: Bool { true }
    var isForPrimary: Bool { false }
    var canBeginAnew: Bool { isReadAgain }
    func explain(_ error: any Error) -> any Error { error }
}

/// An operation that serves several purposes, as a call for one of them.
struct StoreCall<Operation: StoreOperation>: ContextCall {
    private(set) var operation: Operation
    let session: StoreSession
    let purpose: String
    var rowLimit: Int?
    var isReadAgain = true
    var isForPrimary = false
    var failure: (any Error) -> any Error = { $0 }

    init(_ operation: Operation, in session: StoreSession, for purpose: String) {
        self.operation = operation
        self.session = session
        self.purpose = purpose
    }

    mutating func next() throws -> PostgresBatch? { try operation.next() }

    mutating func recover(from error: any Error, in transaction: TransactionState) throws {
        try operation.recover(from: error, in: transaction)
    }

    func explain(_ error: any Error) -> any Error { failure(error) }

    /// The same, made once whatever is saved meanwhile.
    var once: StoreCall { changed { $0.isReadAgain = false } }

    /// The same, at the primary wherever the context reads.
    var onPrimary: StoreCall { changed { $0.isForPrimary = true } }

    /// The same, with no more rows than a fetch of the context may give.
    var limited: StoreCall { changed { $0.rowLimit = session.rowLimit } }

    /// The same, whose errors mean something else.
    func explaining(_ failure: @escaping (any Error) -> any Error) -> StoreCall { changed { $0.failure = failure } }

    private func changed(_ change: (inout StoreCall) -> Void) -> StoreCall {
        var call = self
        change(&call)
        return call
    }
}
