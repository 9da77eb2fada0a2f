package import StrataClient

/// One thing a migration does, with all that is needed to run it, run it again, and know that it is done.
package struct MigrationStep: Hashable, Sendable {
    /// How the statements are run.
    package enum Execution: Hashable, Sendable {
        /// All statements in one transaction, together with the record that the step is done.
        case transaction
        /// One statement outside a transaction: concurrent index builds.
        case alone
        /// The statements, repeated for ranges of keys, each range in its own transaction with its checkpoint.
        ///
        /// They read their range from the settings `strata.batch_first` and `strata.batch_last` (both
        /// inclusive), so that plain psql runs it as well: there the range is everything.
        case batches(table: String, key: String, size: Int, kind: RowKey.Kind = .integer)
        /// A closure of the plan; nothing that SQL can say.
        case closure(StageClosure)
        /// Queries whose rows are what is wrong; none means well. First column: key, second: what it holds. Written to
        /// the checks file, run in its place before anything is dropped.
        case verify
    }

    /// The strongest lock a step takes on a table that is in use (PostgreSQL manual, 13.3.1).
    package enum Lock: String, CaseIterable, Codable, Hashable, Sendable {
        case none = "None"
        case rowExclusive = "RowExclusive"
        case shareUpdateExclusive = "ShareUpdateExclusive"
        case shareRowExclusive = "ShareRowExclusive"
        case accessExclusive = "AccessExclusive"
    }

    /// Whether the history's triggers record what the step writes.
    package enum History: String, Codable, Hashable, Sendable {
        case on, off
    }

    /// `4.3`: the stage's number and the position in it.
    package var id: String
    package var phase: MigrationPhase
    /// What it does, as it was planned.
    package var operation: MigrationOperation
    /// One line for people: `add column trip.rating`.
    package var title: String
    package var execution: Execution
    package var lock: Lock
    /// The tables the lock is taken on, without their schema.
    package var tables: [String]
    /// Columns of the first of the tables whose NOT NULL or foreign key the step changes: until contract begins, code of
    /// either version finds them as its own version does not say.
    package var columns: [String]
    package var history: History
    /// Milliseconds a statement waits for a lock; 0 waits without end, as concurrent builds must.
    package var lockTimeout: Int
    /// Milliseconds a statement may take; 0 is without end.
    package var statementTimeout: Int
    /// SQL without parameters and without the closing semicolon.
    package var statements: [String]
    /// A query of one boolean that says whether the step has happened already, where the catalogs can tell.
    package var done: String?
    /// Takes the step back without losing anything; empty where that cannot be.
    package var undo: [String]
    /// The index a concurrent build makes; the runner looks whether it is valid.
    package var index: String?
    /// The code of the check that it asks once more.
    package var repeatedCheck: String?
    /// What people should know: `drops trip.notes (acknowledged)`.
    package var notes: [String]

    package init(
        id: String = "", phase: MigrationPhase, operation: MigrationOperation = .custom, title: String,
        execution: Execution = .transaction, lock: Lock = .none,
        tables: [String] = [], columns: [String] = [], history: History = .on, lockTimeout: Int = 2000,
        statementTimeout: Int = 60_000,
        statements: [String], done: String? = nil, undo: [String] = [], index: String? = nil,
        repeatedCheck: String? = nil, notes: [String] = []
    ) {
        self.id = id
        self.phase = phase
        self.operation = operation
        self.title = title
        self.execution = execution
        self.lock = lock
        self.tables = tables
        self.columns = columns
        self.history = history
        self.lockTimeout = lockTimeout
        self.statementTimeout = statementTimeout
        self.statements = statements
        self.done = done
        self.undo = undo
        self.index = index
        self.repeatedCheck = repeatedCheck
        self.notes = notes
    }
}

/// The closures of a custom stage.
package enum StageClosure: String, Codable, Hashable, Sendable {
    case willMigrate
    case didMigrate
}
