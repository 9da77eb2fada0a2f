/// What a statement does with a savepoint.
enum SavepointChange: Equatable {
    case set(String)
    /// Undoes what came behind it. The savepoint stays.
    case rollBack(String)
    case release(String)
}
