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

    /// Commits the transactions of these stores, when what several would compare at COMMIT is compared, or releases the savepoint in them, one after the other.
    static func commits(of sessions: [StoreSession], savepoint: String? = nil) -> [StorePart] {
        let checked = savepoint == nil && sessions.count > 1 ? sessions.filter(\.store.mapping.defersUniqueValues) : []
        let checks = checked.map { session in
            StorePart(
                session: session, operation: StoreCheck(session), isEnd: true, observed: session.unit.unobservedCall)
        }
        return checks
            + sessions.indices.map { index in
                StorePart(
                    session: sessions[index], operation: StoreCommit(sessions, index, savepoint: savepoint),
                    isEnd: true,
                    observed: sessions[index].unit.unobservedCall)
            }
    }
}
