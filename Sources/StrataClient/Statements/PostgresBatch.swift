/// What goes out in one flush: any number of statements, one round trip.
///
/// Not Sendable: the closures run on the caller's isolation and may touch its state.
package struct PostgresBatch {
    /// An object, so that whoever sends, repeats or wraps a batch hands a reference on and none of its parts.
    final class Entry {
        enum Role: Equatable {
            case statement
            /// A transaction of its own, committed by the synchronisation point behind it: its answer alone says nothing.
            case autocommit
            case begin
            case commit
            case rollback
            case savepoint(SavepointChange)

            var isSavepoint: Bool { if case .savepoint = self { true } else { false } }
        }

        let statement: PostgresStatement
        let role: Role
        /// Whether it may leave temporary tables and open cursors: a statement that a caller has written.
        let mayLeaveObjects: Bool
        let onResult: ((PostgresResultDescription) throws -> Void)?
        let onRow: ((PostgresRow) throws -> Void)?
        let onComplete: ((Int) throws -> Void)?
        let onChange: ((Int) throws -> Void)?

        init(
            statement: consuming PostgresStatement, role: Role = .statement, mayLeaveObjects: Bool = false,
            onResult: ((PostgresResultDescription) throws -> Void)? = nil,
            onRow: ((PostgresRow) throws -> Void)? = nil, onComplete: ((Int) throws -> Void)? = nil,
            onChange: ((Int) throws -> Void)? = nil
        ) {
            self.statement = statement
            self.role = role
            self.mayLeaveObjects = mayLeaveObjects
            self.onResult = onResult
            self.onRow = onRow
            self.onComplete = onComplete
            self.onChange = onChange
        }

        /// The same with another text.
        func withSQL(_ sql: PreparedSQL) -> Entry {
            Entry(
                statement: statement.withSQL(sql), role: role, mayLeaveObjects: mayLeaveObjects, onResult: onResult,
                onRow: onRow,
                onComplete: onComplete, onChange: onChange)
        }
    }

    var entries: [Entry] = []
    /// Whether somebody waits for the answer. What nobody waits for is no round trip: a ``PostgresObserver`` is not told.
    package var isAwaited = true
    /// Whether the batch is sent, and its answer awaited, although the task is cancelled: one that ends what others have begun.
    package var runsToEnd = false
    /// Whether a failure leaves the transaction open that the batch would have committed: the caller has a savepoint to go back to.
    package var keepsFailedTransaction = false

    /// Whether the limit of rows that the call has holds for these statements. It does not for what is looked up on the way to its rows.
    package var limitsRows = true

    package init() {}

    package init(_ statement: consuming PostgresStatement, onRow: ((PostgresRow) throws -> Void)? = nil) {
        add(statement, onRow: onRow)
    }

    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }

    /// Adds what another batch holds.
    package mutating func append(_ other: consuming PostgresBatch) {
        if entries.isEmpty { entries = other.entries } else { entries += other.entries }
    }

    /// Adds a statement. `onResult` is called once before the first row, also when no row comes, unless the statement
    /// returns none by nature; `onComplete` gets the number of affected or returned rows.
    ///
    /// What a statement that may leave objects behind has left in the session ends with its transaction.
    package mutating func add(
        _ statement: consuming PostgresStatement, mayLeaveObjects: Bool = false,
        onResult: ((PostgresResultDescription) throws -> Void)? = nil,
        onRow: ((PostgresRow) throws -> Void)? = nil,
        onComplete: ((Int) throws -> Void)? = nil
    ) {
        entries.append(
            Entry(
                statement: statement, mayLeaveObjects: mayLeaveObjects, onResult: onResult, onRow: onRow,
                onComplete: onComplete))
    }

    /// Adds a statement that somebody else has written; `onChange` gets the number of rows that it has inserted, updated, deleted
    /// or merged, whether it returns them or not. Of a query that is 0, also where a part of it (`WITH … AS (UPDATE …)`) changes rows:
    /// the server does not tell.
    package mutating func add(_ statement: consuming PostgresStatement, onChange: @escaping (Int) throws -> Void) {
        entries.append(Entry(statement: statement, onChange: onChange))
    }

    /// Adds a statement that is a transaction of its own: when the connection is lost before its answer, the outcome is unknown.
    package mutating func addCommitting(
        _ statement: consuming PostgresStatement, onRow: ((PostgresRow) throws -> Void)? = nil,
        onComplete: ((Int) throws -> Void)? = nil
    ) {
        entries.append(Entry(statement: statement, role: .autocommit, onRow: onRow, onComplete: onComplete))
    }

    package mutating func begin(_ isolation: IsolationLevel? = nil, readOnly: Bool = false) {
        add(TransactionSQL.begin(isolation, readOnly: readOnly), .begin)
    }

    /// Begins a transaction in front of what the batch holds.
    package mutating func beginFirst(_ isolation: IsolationLevel) {
        let begin = PostgresStatement(TransactionSQL.begin(isolation, readOnly: false))
        entries.insert(Entry(statement: begin, role: .begin), at: entries.startIndex)
    }

    /// Whether it commits a transaction.
    package var commits: Bool { contains { $0 == .commit } }

    /// Whether it has an entry of such a role.
    func contains(_ isAsked: (Entry.Role) -> Bool) -> Bool {
        entries.contains { isAsked($0.role) }
    }

    package mutating func commit() {
        add(TransactionSQL.commit, .commit)
    }

    package mutating func rollback() {
        add(TransactionSQL.rollback, .rollback)
    }

    package mutating func savepoint(_ name: String) {
        add(TransactionSQL.savepoint(name), .savepoint(.set(name)))
    }

    package mutating func rollback(to savepoint: String) {
        let sql = PreparedSQL("ROLLBACK TO SAVEPOINT \(quotedIdentifier(savepoint))", isCached: false)
        add(sql, .savepoint(.rollBack(savepoint)))
    }

    package mutating func release(_ savepoint: String) {
        let sql = PreparedSQL("RELEASE SAVEPOINT \(quotedIdentifier(savepoint))", isCached: false)
        add(sql, .savepoint(.release(savepoint)))
    }

    private mutating func add(_ sql: PreparedSQL, _ role: Entry.Role) {
        entries.append(Entry(statement: PostgresStatement(sql), role: role))
    }
}

/// The statements that begin and end transactions.
enum TransactionSQL {
    static let commit = PreparedSQL("COMMIT")
    // Never prepared: in a failed transaction it must not depend on anything the connection remembers.
    static let rollback = PreparedSQL("ROLLBACK", isCached: false)
    /// Ends what a transaction has made for the session. A table that a cursor reads cannot be dropped, nor one whose deferred
    /// constraints are still to be checked.
    static let endingObjects = [
        PreparedSQL("SET CONSTRAINTS ALL IMMEDIATE"), PreparedSQL("CLOSE ALL"), PreparedSQL("DISCARD TEMP"),
    ]

    static func savepoint(_ name: String) -> PreparedSQL {
        PreparedSQL("SAVEPOINT \(quotedIdentifier(name))", isCached: false)
    }

    static func begin(_ isolation: IsolationLevel?, readOnly: Bool) -> PreparedSQL {
        let base =
            switch isolation {
            case nil: 0
            case .readCommitted: 2
            case .repeatableRead: 4
            case .serializable: 6
            }
        return begins[base + (readOnly ? 1 : 0)]
    }

    private static let begins: [PreparedSQL] = {
        var begins: [PreparedSQL] = []
        let levels: [IsolationLevel?] = [nil, .readCommitted, .repeatableRead, .serializable]
        for level in levels {
            for suffix in ["", " READ ONLY"] {
                let isolation = level.map { " ISOLATION LEVEL \($0.rawValue)" } ?? ""
                begins.append(PreparedSQL("BEGIN" + isolation + suffix))
            }
        }
        return begins
    }()
}

/// The name in double quotes, with those inside doubled, as the server's `quote_ident` does.
func quotedIdentifier(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
