public import Strata

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

    init(_ container: ModelContainer, request number: String) {
        self.container = container
        historyContext = ["request": number]
    }

    func prepare(_ models: ModelContext) {
        models.author = author
        models.historyContext = historyContext
        models.timeout = timeout
    }
}
