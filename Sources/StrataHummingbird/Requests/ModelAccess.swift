#if Hummingbird
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
    /// Settings of PostgreSQL that every statement of the request finds, such as `["app.tenant": "17"]`: what policies of row-level
    /// security read with `current_setting('app.tenant', true)`. As ``Strata/ModelContext/settings``: no round trip.
    ///
    /// A stream of results has them where it is the request's own (``StrataRequestContext/results(of:)``). A stream of the history is
    /// read for all clients together and has none.
    public var settings: [String: String] = [:]

    /// Whether a piece of work of the request has committed.
    let commits = CommitNote()

    init(_ container: ModelContainer, request number: String) {
        self.container = container
        historyContext = ["request": number]
    }

    func prepare(_ models: ModelContext) {
        models.author = author
        models.historyContext = historyContext
        models.timeout = timeout
        models.settings = settings
    }
}

/// Whether a request has committed something: then the whole of it must not be done again.
final class CommitNote: Sendable {
    private let isNoted = Atomic(false)

    var isMade: Bool { isNoted.load(ordering: .acquiring) }

    func make() { isNoted.store(true, ordering: .releasing) }
}
#endif
