import StrataClient

/// Why a migration could not be generated, checked or applied: what failed, where, and what to do now.
///
/// A command ends with ``Code/exitCode``; the word of the code stands in JSON output.
public struct MigrationError: Error, Sendable {
    /// The kind of failure, with the exit code of the process and a word that stands in JSON output as `code`.
    ///
    /// Both are stable: continuous integration can tell "try again" (8, 9, 12) from "a person must look" (4 to 7, 13).
    ///
    /// | exit | word | what happened | what to do |
    /// |---|---|---|---|
    /// | 0 | `ok` | done, or nothing to do | |
    /// | 1 | `unexpected` | none of the others | read the message |
    /// | 2 | `usage` | wrong arguments, configuration or plan | correct them |
    /// | 3 | `difference` | something is pending, or files are missing | `apply`, or `generate` |
    /// | 4 | `drift` | the tables are not what the record says | correct the tables, or `baseline` |
    /// | 5 | `integrity` | files, versions and the database's record do not fit together | restore what was changed |
    /// | 6 | `lint` | a rule of level error fired | take the safe form |
    /// | 7 | `preflight_refused` | the data does not allow it; no table was changed | correct the rows that are named |
    /// | 8 | `runner_locked` | another runner is at work | run it again later |
    /// | 9 | `lock_not_available` | a lock on a table could not be had | run it again |
    /// | 10 | `step_rolled_back` | a step failed; the database is as before it | remove the cause, `apply` |
    /// | 11 | `step_failed` | a step outside a transaction failed | remove the cause, `apply` goes on |
    /// | 12 | `connection` | no server, login or rights; a server too old or read-only; a pooler | correct it, run it again |
    /// | 13 | `plan_refused` | the plan does not say what becomes of something, or asks for what cannot be | correct the plan |
    public enum Code: String, CaseIterable, Codable, Sendable {
        /// Nothing of the kinds below.
        case unexpected
        /// Wrong arguments, configuration or migration plan.
        case usage
        /// Something is pending or missing: migrations not applied, files not generated.
        case difference
        /// The live database does not look as the record of migrations says, or has tables and no record.
        case drift
        /// An applied file, a released schema version or the sum file was changed, is missing or holds a merge conflict;
        /// or the database is at a version that the code does not know, such as a newer one.
        case integrity
        /// A lint rule of level error fired.
        case lint
        /// The data does not allow the change, or a stage has no way back; no table was changed.
        case preflightRefused = "preflight_refused"
        /// Another runner is at work.
        case runnerLocked = "runner_locked"
        /// A lock on a table could not be had within all retries; running again is safe.
        case lockNotAvailable = "lock_not_available"
        /// A step failed and was rolled back; the database is as it was before that step.
        case stepRolledBack = "step_rolled_back"
        /// A step that cannot run in a transaction failed; `apply` goes on where it stopped.
        case stepFailed = "step_failed"
        /// No connection, wrong credentials or too few rights, a server that is too old or takes no writes, or a pooler
        /// that does not keep the session.
        case connection
        /// The plan does not say what becomes of a class or property, or asks for what no stage can do; no database was
        /// asked, and nothing was written.
        case planRefused = "plan_refused"

        /// What the process ends with, 1 to 13.
        public var exitCode: Int32 {
            switch self {
            case .unexpected: 1
            case .usage: 2
            case .difference: 3
            case .drift: 4
            case .integrity: 5
            case .lint: 6
            case .preflightRefused: 7
            case .runnerLocked: 8
            case .lockNotAvailable: 9
            case .stepRolledBack: 10
            case .stepFailed: 11
            case .connection: 12
            case .planRefused: 13
            }
        }
    }

    /// The kind of failure.
    public let code: Code
    /// What failed, in one line or several.
    public let message: String
    /// Where: a file and line, a step, an entity's property. One line each.
    public let places: [String]
    /// What to do now.
    public let remedy: String?
    /// The error of the server or of a custom stage behind it.
    public let underlying: (any Error)?

    package init(
        _ code: Code, _ message: String, places: [String] = [], remedy: String? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.places = places
        self.remedy = remedy
        self.underlying = underlying
    }

    /// The SQLSTATE, where the server refused something.
    public var sqlState: String? { (underlying as? PostgresError)?.sqlState }
}

extension MigrationError: CustomStringConvertible {
    /// The message, the places and the remedy, a line each.
    public var description: String {
        ([message] + places.map { "  --> " + $0 } + (remedy.map { ["  fix: " + $0] } ?? [])).joined(separator: "\n")
    }
}
