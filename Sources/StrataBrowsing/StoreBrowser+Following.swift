import StrataClient
import StrataRepository

/// What transactions have changed since something was shown.
public struct ChangeNotice: Sendable, Equatable, Encodable {
    /// The names of the classes that were changed, sorted.
    public let classes: [String]
    /// How many transactions there were.
    public let transactions: Int
}

extension StoreBrowser {
    /// The changes of a store from now on, looked for every `interval`: one element for all transactions that have ended since the one
    /// before. Nothing comes from a store without a history.
    ///
    /// Iterating throws ``BrowsingError``. It looks by snapshots, so that a transaction that ends late is not missed.
    public func changes(in schemaName: String, every interval: Duration = .seconds(1)) -> ChangeNotices {
        ChangeNotices(browser: self, schemaName: schemaName, interval: interval)
    }

    /// What has ended between a snapshot and now, and the snapshot of now; without one, nothing.
    func notice(
        in schemaName: String, since snapshot: String?
    ) async throws(BrowsingError) -> (notice: ChangeNotice?, snapshot: String) {
        try await read("follow the history") { connection in
            let now = try await connection.rows("SELECT pg_current_snapshot()::text", "snapshot") {
                try $0.decode(0, as: String.self)
            }[0]
            guard let snapshot, snapshot != now, try await connection.has(HistorySchema.change, HistorySchema.transaction)
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
                ChangeNotice(classes: Set(found.map(\.1)).sorted(), transactions: Set(found.map(\.0)).count), now
            )
        }
    }
}

/// The notices of ``StoreBrowser/changes(in:every:)``.
public struct ChangeNotices: AsyncSequence, Sendable {
    let browser: StoreBrowser
    let schemaName: String
    let interval: Duration

    /// Begins with the changes after this moment.
    public func makeAsyncIterator() -> Iterator { Iterator(notices: self) }

    /// Looks again and again.
    public struct Iterator: AsyncIteratorProtocol {
        let notices: ChangeNotices
        private var snapshot: String?

        init(notices: ChangeNotices) { self.notices = notices }

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
