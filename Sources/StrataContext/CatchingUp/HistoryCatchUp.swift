public import StrataModels

/// How catching up with the history ended: ``ModelContext/catchUp(from:limit:_:)``.
public enum HistoryCatchUp: Sendable, Hashable {
    /// Everything up to this place was handed out: keep the token for the next time.
    case upToDate(DefaultHistoryToken)
    /// What lies behind the old token was deleted, or the store was restored from a backup: what was built from it must be
    /// built anew.
    ///
    /// Read everything now, then keep this token: it was taken before, so nothing falls in between.
    case expired(DefaultHistoryToken)

    /// The token to keep, in either case.
    public var token: DefaultHistoryToken {
        switch self {
        case .upToDate(let token), .expired(let token): token
        }
    }
}

extension ModelContext {
    /// Hands out the history behind a token, page by page, up to now: to bring a cache or a search index up to date.
    ///
    /// ```swift
    /// switch try await context.catchUp(from: index.token, { page in
    ///     try index.apply(page.transactions, token: page.token)
    /// }) {
    /// case .upToDate(let token): index.token = token
    /// case .expired(let token):
    ///     try index.replaceAll(with: try await context.fetch(FetchDescriptor<Trip>()))
    ///     index.token = token
    /// }
    /// ```
    /// Every change comes exactly once per chain of tokens. When `body` throws, go on from the last page it took: store its
    /// token together with what it wrote. One round trip a page.
    ///
    /// - Parameters:
    ///   - token: the last token that was kept; ``DefaultHistoryToken/beginning`` for the oldest there is.
    ///   - limit: transactions in a page.
    ///   - body: takes one page.
    /// - Throws: what `body` throws, and ``SwiftDataError``; not `historyTokenExpired`, which is the outcome
    ///   ``HistoryCatchUp/expired(_:)``.
    public func catchUp(
        from token: DefaultHistoryToken, limit: Int = 256, _ body: (HistoryPage) async throws -> Void
    ) async throws -> HistoryCatchUp {
        var token = token
        while true {
            let page: HistoryPage
            do {
                page = try await fetchHistory(after: token, limit: limit)
            } catch SwiftDataError.historyTokenExpired {
                return .expired(try await container.currentHistoryToken())
            }
            if !page.transactions.isEmpty { try await body(page) }
            token = page.token
            if page.isLast { return .upToDate(token) }
        }
    }
}
