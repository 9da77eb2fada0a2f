/// A statement that the server has answered: what ``StatementObserver`` is told of it. Holds no value.
public struct ObservedStatement: Sendable {
    /// The name under which Strata sends it, for example `fetch Trip`; `nil` for BEGIN, COMMIT and whatever else has none.
    public let name: String?

    /// The class whose rows it reads or writes, as ``Schema/Entity/name``; `nil` where there is none, or the server alone knows.
    public let entity: String?

    /// The SQL text, with `$1`, `$2` … in place of values.
    public var sql: String { prepared.text }

    /// The text with what is known of it once and for all.
    package let prepared: PreparedSQL

    /// How many rows it has returned; for INSERT, UPDATE, DELETE and COPY, how many it has changed.
    public let rows: Int

    /// The bytes of its parameters; for COPY into a table, of the rows that were sent.
    ///
    /// These are values in PostgreSQL's binary form. What is on the wire besides, the protocol's messages, the SQL text, TLS, libpq
    /// does not tell.
    public let sentBytes: Int

    /// The bytes of the values in the rows that it has returned; for COPY out of a table, of the rows that arrived.
    public let receivedBytes: Int

    /// From sending it to its last answer.
    ///
    /// Statements of one round trip are sent together and answered one after the other: the time of a later one holds the
    /// times of those before it. Rows are handed out as they arrive, so it holds the making of objects, too.
    public var duration: Duration { .nanoseconds(nanoseconds) }

    /// The same as a whole number, as clocks have it.
    package let nanoseconds: Int64

    /// The connection, as logs and the pool's errors number it.
    public let connection: Int

    /// Why it failed; `nil` when it did not.
    public let error: PostgresError?

    /// The call of a context that it is part of, where somebody observes calls.
    package let calls: CallsInProgress?

    /// The types of its parameters, by their numbers on the server; 0 for what the server infers.
    package let parameterTypes: [UInt32]

    /// The SQL text without the comment of its call: the same for each call.
    package var uncommentedSQL: String {
        guard let comment = calls?.comment, sql.hasSuffix(comment) else { return sql }
        return String(sql.dropLast(comment.count))
    }

    /// The first word of the SQL, in capitals: `SELECT`, `INSERT`, `COPY`, `BEGIN` …
    public var operation: String { prepared.operation }

    package init(
        name: String?, entity: String?, sql: PreparedSQL, rows: Int, sentBytes: Int = 0, receivedBytes: Int = 0,
        nanoseconds: Int64, connection: Int, error: PostgresError?, calls: CallsInProgress? = nil,
        parameterTypes: [UInt32] = []
    ) {
        self.name = name
        self.entity = entity
        self.calls = calls
        self.parameterTypes = parameterTypes
        prepared = sql
        self.rows = rows
        self.sentBytes = sentBytes
        self.receivedBytes = receivedBytes
        self.nanoseconds = nanoseconds
        self.connection = connection
        self.error = error
    }
}
