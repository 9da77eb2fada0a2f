import StrataClient
import StrataRepository

/// What transactions have changed since something was shown.
public struct ChangeNotice: Sendable, Equatable {
    /// The names of the classes that were changed, sorted.
    public let classes: [String]
    /// How many transactions there were.
    public let transactions: Int
    /// The moment of the notice: to be given as `since` by who goes on later.
    public let snapshot: String
}

extension StoreBrowser {
    /// The changes of a store, looked for every `interval`: one element for all transactions that have ended since the one before. Nothing
    /// comes from a store without a history.
    ///
    /// Iterating throws ``BrowsingError``. It looks by snapshots, so that a transaction that ends late is not missed.
    ///
    /// - Parameter snapshot: where to begin, such as ``StoredSchema/snapshot``: what was shown of that schema is up to date to there. `nil` for now.
    public func changes(
        in schemaName: String, since snapshot: String?, every interval: Duration = .seconds(1)
    ) -> ChangeNotices {
        ChangeNotices(browser: self, schemaName: schemaName, start: snapshot, interval: interval)
    }

    /// What has ended between a snapshot and now, and the snapshot of now; without one, nothing.
    func notice(
        in schemaName: String, since snapshot: String?
    ) async throws -> (notice: ChangeNotice?, snapshot: String) {
        try await read("follow the history") { connection in
            let now = try await connection.rows("SELECT pg_current_snapshot()::text", "snapshot") {
                try $0.decode(0, as: String.self)
            }[0]
            guard let snapshot, snapshot != now,
                try await connection.has(HistorySchema.change, HistorySchema.transaction)
            else { return (nil, now) }
            let found = try await connection.rows(
                """
                SELECT t.xid::text, e.name FROM \(LibrarySchema.store) AS s \
                JOIN \(HistorySchema.transaction) AS t ON t.store = s.number AND t.generation = s.generation \
                AND t.xid >= pg_snapshot_xmin(\(bind: snapshot)::pg_snapshot) \
                AND NOT pg_visible_in_snapshot(t.xid, \(bind: snapshot)::pg_snapshot) \
                CROSS JOIN LATERAL (SELECT DISTINCT c.entity FROM \(HistorySchema.change) AS c WHERE c.xid = t.xid \
                AND c.generation = t.generation) AS c \
                JOIN \(HistorySchema.entity) AS e ON e.id = c.entity AND e.store = s.number \
                WHERE s.schema_name = \(bind: schemaName)
                """, "changes since"
            ) { (try $0.decode(0, as: String.self), try $0.decode(1, as: String.self)) }
            guard !found.isEmpty else { return (nil, now) }
            return (
                ChangeNotice(
                    classes: Set(found.map(\.1)).sorted(), transactions: Set(found.map(\.0)).count, snapshot: now),
                now
            )
        }
    }
}

/// The notices of ``StoreBrowser/changes(in:since:every:)``.
public struct ChangeNotices: AsyncSequence, Sendable {
    let browser: StoreBrowser
    let schemaName: String
    let start: String?
    let interval: Duration

    /// Begins where it was asked to.
    public func makeAsyncIterator() -> Iterator { Iterator(notices: self) }

    /// Looks again and again.
    public struct Iterator: AsyncIteratorProtocol {
        let notices: ChangeNotices
        private var snapshot: String?

        init(notices: ChangeNotices) {
            self.notices = notices
            snapshot = notices.start
        }

        /// The next notice. Throws ``BrowsingError``, and `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> ChangeNotice? {
            while true {
                let (notice, now) = try await notices.browser.notice(in: notices.schemaName, since: snapshot)
                snapshot = now
                if let notice { return notice }
                try await Task.sleep(for: notices.interval)
            }
        }
    }
}
