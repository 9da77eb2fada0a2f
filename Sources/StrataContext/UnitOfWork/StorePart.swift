import StrataClient
import StrataRepository

/// What a save, or the end of a transaction, does in one store: on the connection of the open transaction, or on one of the pool, which is
/// kept until all parts are carried out.
struct StorePart {
    let session: StoreSession
    let operation: any StoreOperation
    /// Whether the part ends a transaction or a savepoint. Nobody's turn is asked for: nobody is inside any more, or the save has the turn.
    var isEnd = false
    /// What observers are told of.
    var observed: CallsInProgress?

    /// Commits the transactions of these stores, or releases the savepoint in them, one after the other.
    static func commits(of sessions: [StoreSession], savepoint: String? = nil) -> [StorePart] {
        sessions.indices.map { index in
            StorePart(
                session: sessions[index], operation: StoreCommit(sessions, index, savepoint: savepoint), isEnd: true,
                observed: sessions[index].unit.unobservedCall)
        }
    }
}
