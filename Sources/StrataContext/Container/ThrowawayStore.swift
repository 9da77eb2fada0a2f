/// What a store in memory is made of, to be dropped with its container.
enum ThrowawayStore: Sendable {
    /// A PostgreSQL schema of a database that somebody has named.
    case schema(String)
    /// A database of this process's own server.
    case database(MemoryDatabase)

    var schemaName: String? {
        if case .schema(let name) = self { name } else { nil }
    }
}
