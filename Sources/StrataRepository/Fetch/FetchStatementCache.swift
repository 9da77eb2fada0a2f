import StrataClient
import Synchronization

/// The statements of fetches, by their shape: planned once, and not for every fetch.
final class FetchStatementCache: Sendable {
    struct Known: Sendable {
        /// As it was planned, with the parameters of then.
        let statement: PostgresStatement
        let list: SelectList
    }

    /// Shapes follow from the code of a program, which has few.
    private static let capacity = 1000

    private let known = Mutex<[FetchShape: Known]>([:])

    func statement(of shape: FetchShape) -> Known? { known.withLock { $0[shape] } }

    func keep(_ statement: Known, for shape: FetchShape) {
        known.withLock { known in
            if known.count >= Self.capacity { known = [:] }
            known[shape] = statement
        }
    }
}
