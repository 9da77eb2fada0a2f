/// Why a private PostgreSQL server could not be found, started or used.
///
/// ``description`` says what failed, where, and what to do now.
public struct LocalServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, to decide on.
    public enum Code: String, Sendable, Hashable {
        /// No folder with `postgres`, `initdb` and `pg_ctl` was found.
        case postgresNotFound
        /// The data were written by a major version of PostgreSQL that is not installed.
        case versionMismatch
        /// The process runs as root and there is no `setpriv` to start PostgreSQL as somebody else.
        case cannotDropRoot
        /// The path of the Unix socket would be longer than the operating system allows.
        case pathTooLong
        /// A directory or file could not be created, opened or handed over to the server's user.
        case directoryUnusable
        /// `initdb` or `postgres` ended before the server was ready; the text ends with its log.
        case startFailed
        /// The server was neither ready nor gone within the time allowed.
        case timedOut
        /// The server was already stopped by ``LocalServer/stop()``.
        case stopped
    }

    /// The kind of failure.
    public let code: Code

    /// What failed, where, and what to do now.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
