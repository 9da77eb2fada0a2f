package import StrataClient
import StrataRepository

/// What statements really took, seen while they ran on a scratch copy: proof instead of folklore.
package struct ObservedLocks: Hashable, Sendable {
    /// The strongest lock on each table that was there before, in PostgreSQL's spelling: `AccessExclusiveLock`. Tables go by
    /// the names they had when the statements began.
    package var modes: [String: String]
    /// Tables whose rows were written anew.
    package var rewritten: Set<String>

    /// Runs the statements in a transaction and commits them.
    ///
    /// Throws what the server refuses. Costs what the statements cost: never meant for a database in use.
    ///
    /// - Parameter tables: object identifiers of the tables to look at; `nil` for all of the schema.
    package init(
        running statements: [String], in schemaName: String, of tables: Set<String>? = nil,
        on connection: PostgresConnection
    ) throws {
        var modes: [String: String] = [:]
        var rewritten: Set<String> = []
        try connection.withTransaction(isolation: .readCommitted) { connection in
            let before = try TableFile.read(in: schemaName, on: connection).filter {
                tables?.contains($0.table) ?? true
            }
            for sql in statements { try connection.run(sql) }
            // Read before the commit: locks end with it. A dropped table still has its lock, but no name any more.
            for (table, mode) in try Self.locks(on: connection) {
                guard let name = before.first(where: { $0.table == table })?.name else { continue }
                if Self.rank(mode) > modes[name].map(Self.rank) ?? -1 { modes[name] = mode }
            }
            rewritten = TableFile.rewritten(before, try TableFile.read(in: schemaName, on: connection))
        }
        self.modes = modes
        self.rewritten = rewritten
    }

    package init(modes: [String: String] = [:], rewritten: Set<String> = []) {
        self.modes = modes
        self.rewritten = rewritten
    }

    /// Where a step took more than it declares, or wrote a table anew; empty when its word is good.
    ///
    /// Reads never count, nor do writes to other tables that a trigger of the declared one makes: they stop nobody.
    package func lines(exceeding step: MigrationStep) -> [String] {
        let declared = Self.rank(of: step.lock)
        let written = Self.rank(of: .rowExclusive)
        let locks = modes.sorted { $0.key < $1.key }.compactMap { table, mode -> String? in
            let taken = Self.rank(mode)
            if step.tables.contains(table) {
                return taken > declared ? "\(table): \(mode) was taken, \(step.lock.rawValue) is declared" : nil
            }
            let allowed = declared >= written ? written : Self.rank(of: .none)
            return taken > allowed ? "\(table): \(mode) was taken, and the step does not name the table" : nil
        }
        return locks + rewritten.sorted().map { "\($0): all rows were written anew" }
    }

    private static func locks(on connection: PostgresConnection) throws -> [(table: String, mode: String)] {
        var locks: [(table: String, mode: String)] = []
        let query: SQLFragment = """
            SELECT relation::text, mode FROM pg_catalog.pg_locks \
            WHERE locktype = 'relation' AND granted AND pid = pg_catalog.pg_backend_pid()
            """
        try connection.run(
            PostgresBatch(try query.statement()) { row in
                locks.append((table: try row.decode(0), mode: try row.decode(1)))
            })
        return locks
    }

    /// From the weakest to the strongest (manual, 13.3.1).
    private static let order = [
        "AccessShareLock", "RowShareLock", "RowExclusiveLock", "ShareUpdateExclusiveLock", "ShareLock",
        "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock",
    ]

    private static func rank(_ mode: String) -> Int { order.firstIndex(of: mode) ?? order.count }

    private static func rank(of lock: MigrationStep.Lock) -> Int {
        rank(lock == .none ? "RowShareLock" : lock.rawValue + "Lock")
    }
}

/// A table and the file its rows lie in.
struct TableFile: Hashable {
    var name: String
    /// The object identifier, as text: it survives every renaming.
    var table: String
    var file: String

    static func read(in schemaName: String, on connection: PostgresConnection) throws -> [TableFile] {
        var files: [TableFile] = []
        let query: SQLFragment = """
            SELECT c.relname::text, c.oid::text, pg_catalog.pg_relation_filenode(c.oid)::text \
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
            WHERE n.nspname = \(bind: schemaName) AND c.relkind = 'r'
            """
        try connection.run(
            PostgresBatch(try query.statement()) { row in
                files.append(TableFile(name: try row.decode(0), table: try row.decode(1), file: try row.decode(2)))
            })
        return files
    }

    /// The names, as they were, of the tables that lie in another file now.
    static func rewritten(_ before: [TableFile], _ after: [TableFile]) -> Set<String> {
        let files = Dictionary(after.map { ($0.table, $0.file) }) { first, _ in first }
        return Set(before.filter { old in files[old.table].map { $0 != old.file } ?? false }.map(\.name))
    }
}

extension PostgresConnection {
    fileprivate func run(_ sql: String) throws {
        try run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
    }
}
