#if Hummingbird
public import Hummingbird
public import Strata

/// Which page of a list a request asks for: `?after=…&size=50`, or `?before=…`.
///
/// ```swift
/// let place = try PagePlace(of: request)
/// let page = try await models.fetchPage(descriptor, at: place)
/// ```
/// The cursors are those of ``Strata/PageCursor``: text that a client takes from a `Link` header and does not look into.
public struct PagePlace: Sendable, Equatable {
    /// Where the page begins or ends; `nil` for the first page.
    public let cursor: PageCursor?
    /// Whether the page is the one before the cursor.
    public let isBefore: Bool
    /// How many objects it has at most.
    public let size: Int

    /// The place that a request's query names.
    ///
    /// - Parameters:
    ///   - size: how many objects, where the query does not say.
    ///   - maximumSize: how many a client may ask for.
    /// - Throws: ``Problem`` 400 for a size that is not within 1 and `maximumSize`, for both directions at once, and for a parameter
    ///   that is there twice;
    ///   ``SwiftDataError/invalidPageCursor`` for what is no cursor.
    public init(of request: Request, size: Int = 50, maximumSize: Int = 500) throws {
        let (after, before) = (try request.only("after"), try request.only("before"))
        guard after == nil || before == nil else {
            throw Problem(.badRequest, detail: "A page comes after a cursor or before one, not both.")
        }
        isBefore = before != nil
        cursor = try (after ?? before).map { try PageCursor(String($0)) }
        guard let asked = try request.only("size") else {
            self.size = min(size, maximumSize)
            return
        }
        guard let number = Int(asked), (1...max(1, maximumSize)).contains(number) else {
            throw Problem(.badRequest, detail: "A page has a size from 1 to \(maximumSize).")
        }
        self.size = number
    }
}

extension Request {
    /// The parameter of the query that may be there once: of two, nobody knows which is meant.
    func only(_ name: Substring) throws -> Substring? {
        let values = uri.queryParameters[values: name]
        guard values.count <= 1 else { throw Problem(.badRequest, detail: "The query names \(name) more than once.") }
        return values.first
    }
}

extension ModelContext {
    /// The page that a request asks for. One round trip, and one a level of prefetching.
    ///
    /// - Throws: ``SwiftDataError``, as `fetchPage(_:after:size:)`.
    public func fetchPage<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, at place: PagePlace) async throws
        -> CursorPage<T>
    {
        place.isBefore
            ? try await fetchPage(descriptor, before: place.cursor, size: place.size)
            : try await fetchPage(descriptor, after: place.cursor, size: place.size)
    }
}
#endif
