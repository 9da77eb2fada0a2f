/// How to reach a PostgreSQL server.
///
/// ```swift
/// let configuration = try PostgresConfiguration(url: "postgres://app@db.example.com/trips?sslmode=verify-full")
/// ```
///
/// Everything libpq understands can be said: several hosts, `target_session_attrs`, `sslmode`, `passfile`, `service`…
/// The description never shows a password.
public struct PostgresConfiguration: Sendable, Hashable {
    /// libpq's connection keywords (manual, section "Parameter Key Words") and their values.
    public var options: [String: String]

    /// How statements are prepared. Default: by name, the 256 most recently used on each connection.
    public var preparedStatements: PreparedStatements = .named()

    /// Whether every transaction is started READ ONLY, so that the server refuses to write. Default: false.
    public var readOnly = false

    /// Where the password comes from, if not from the options, the environment or a password file.
    public var password: PasswordSource?

    /// The time zone of each session; `nil` for the server's.
    package var timeZone: String?

    /// The times that the server keeps for each session.
    package var limits = SessionLimits()

    /// A configuration from libpq's keywords.
    public init(options: [String: String]) {
        self.options = options
    }

    /// A configuration from a URL such as `postgres://user:password@host:5432/database?sslmode=require`.
    ///
    /// Throws ``PostgresError`` with the code `invalidConfiguration`; its text does not repeat the URL.
    public init(url: String) throws {
        self.init(options: try ConnectionString.parse(url: url))
    }

    /// A configuration from keywords and values such as `host=/tmp dbname=trips`.
    ///
    /// Throws ``PostgresError`` with the code `invalidConfiguration`; its text does not repeat values.
    public init(keywords: String) throws {
        self.init(options: try ConnectionString.parse(keywords))
    }

    /// The same server without the times of ``limits``: for work that takes as long as it takes.
    package var withoutLimits: PostgresConfiguration {
        var copy = self
        copy.limits = SessionLimits()
        return copy
    }

    /// The server named by `DATABASE_URL`, else by the variables `PGHOST`, `PGHOSTADDR`, `PGPORT`, `PGDATABASE`, `PGUSER`
    /// or `PGSERVICE` together with libpq's others; nil when none of these is set.
    ///
    /// Throws ``PostgresError`` with the code `invalidConfiguration` when `DATABASE_URL` cannot be read.
    public static func environment() throws -> PostgresConfiguration? {
        try ConnectionString.environment().map { PostgresConfiguration(options: $0) }
    }

    /// The environment variables that ``environment()`` finds a server in, such as `["DATABASE_URL"]`; empty when it finds none.
    package static var environmentVariables: [String] { ConnectionString.namingVariables }

    /// The server's host name, address or socket directory; several are separated by commas.
    public var host: String? {
        get { options["host"] ?? options["hostaddr"] }
        set { options["host"] = newValue }
    }

    /// The server's port; nil when the default (5432) is used or several are given.
    public var port: Int? {
        get { options["port"].flatMap { Int($0) } }
        set { options["port"] = newValue.map { String($0) } }
    }

    /// The user (role) that connects.
    public var user: String? {
        get { options["user"] }
        set { options["user"] = newValue }
    }

    /// The database; by default the server takes the user's name.
    public var database: String? {
        get { options["dbname"] }
        set { options["dbname"] = newValue }
    }

    /// The name shown in `pg_stat_activity`.
    public var applicationName: String? {
        get { options["application_name"] }
        set { options["application_name"] = newValue }
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The keywords without passwords.
    public var description: String {
        let shown = options.sorted { $0.key < $1.key }.map { key, value in
            "\(key)=\(ConnectionString.isSecret(key) ? "********" : value)"
        }
        return "PostgresConfiguration(\(shown.joined(separator: " ")))"
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// Shows the description only, so that `dump` and string interpolation of containing types reveal no password.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": description]) }
}
