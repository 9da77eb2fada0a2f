public import Strata
import Synchronization

/// How one request reads and writes models: what each ``Strata/ModelContext`` of it is told.
public struct ModelAccess: Sendable {
    /// Whose objects these are.
    public let container: ModelContainer
    /// Who makes the request's changes.
    public var author: String?
    /// What the history notes with them; the request's number under `request`.
    public var historyContext: [String: String]
    /// The time that each call of a context has; `nil` for any.
    public var timeout: Duration?
    /// Settings of PostgreSQL for the length of each piece of work, such as `["app.tenant": "17"]`: what policies of row-level
    /// security read with `current_setting('app.tenant', true)`.
    ///
    /// With any, each `read` and `write` is one transaction, which begins with them: `set_config(name, value, true)`, as
    /// parameters. Two to three round trips more. Streams of history and results are read for all clients together and have none.
    public var settings: [String: String] = [:]

    /// Whether a piece of work of the request has committed.
    let commits = CommitNote()

    init(_ container: ModelContainer, request number: String) {
        self.container = container
        historyContext = ["request": number]
    }

    /// Settings last as long as a transaction.
    func isolation(_ asked: IsolationLevel?) -> IsolationLevel? {
        asked ?? (settings.isEmpty ? nil : .readCommitted)
    }

    func prepare(_ models: ModelContext) async throws {
        models.author = author
        models.historyContext = historyContext
        models.timeout = timeout
        guard !settings.isEmpty else { return }
        let (names, values) = (settings.map(\.key), settings.map(\.value))
        _ = try await models.fetch(
            String.self,
            sql: """
                SELECT pg_catalog.set_config(setting.name, setting.value, true) \
                FROM unnest(\(names), \(values)) AS setting (name, value)
                """)
    }
}

/// Whether a request has committed something: then the whole of it must not be done again.
final class CommitNote: Sendable {
    private let isNoted = Atomic(false)

    var isMade: Bool { isNoted.load(ordering: .acquiring) }

    func make() { isNoted.store(true, ordering: .releasing) }
}
