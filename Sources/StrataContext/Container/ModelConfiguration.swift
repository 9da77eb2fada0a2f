public import Foundation
public import StrataClient
public import StrataModels

/// Where a container keeps its objects: which database, which PostgreSQL schema in it, and how it is reached.
///
/// ```swift
/// ModelConfiguration(url: URL(string: "postgres://app@db.example.com/trips?sslmode=verify-full")!)
/// ```
///
/// Without a URL the environment decides: `DATABASE_URL`, or the `PG*` variables of libpq. With neither, a private
/// server is started for the current folder, its data under `.strata/`. A program that must never fall back to that one,
/// such as a service in production, gives its configuration a URL.
public struct ModelConfiguration: Identifiable, Hashable, Sendable {
    /// SwiftData's places for a store on Apple's systems; accepted, without effect on a server.
    public struct GroupContainer: Hashable, Sendable {
        fileprivate var identifier: String?
        /// SwiftData's default: the app group of the app's entitlements.
        public static let automatic = GroupContainer()
        /// SwiftData's way to use no app group.
        public static let none = GroupContainer()
        /// SwiftData's way to name an app group.
        public static func identifier(_ name: String) -> GroupContainer { GroupContainer(identifier: name) }
    }

    /// SwiftData's databases in iCloud; accepted, without effect on a server.
    public struct CloudKitDatabase: Hashable, Sendable {
        fileprivate var identifier: String?
        /// SwiftData's default: the database of the app's entitlements.
        public static let automatic = CloudKitDatabase()
        /// SwiftData's way to keep a store out of iCloud.
        public static let none = CloudKitDatabase()
        /// SwiftData's way to name a private database.
        public static func `private`(_ name: String) -> CloudKitDatabase { CloudKitDatabase(identifier: name) }
    }

    /// What was given as `groupContainer`; without effect on a server.
    public let groupContainer: GroupContainer
    /// What was given as `cloudKitDatabase`; without effect on a server.
    public let cloudKitDatabase: CloudKitDatabase
    /// The app group that was named; without effect on a server.
    public var groupAppContainerIdentifier: String? { groupContainer.identifier }
    /// The CloudKit database that was named; without effect on a server.
    public var cloudKitContainerIdentifier: String? { cloudKitDatabase.identifier }

    /// The connections a store may hold.
    public struct Pool: Hashable, Sendable {
        /// Connections for asynchronous calls, 8 by default.
        public var maximumConnections = 8
        /// Further connections that blocking calls (lazy loading among them) may open when all others are taken by
        /// asynchronous callers, 4 by default. Without them a blocking call could wait for a task that needs its
        /// thread.
        public var synchronousConnections = 4
        /// How long a call waits for a connection before it fails with an error that says who holds them.
        public var acquireTimeout: Duration = .seconds(10)
        /// How long the server may give no sign while a call waits for its answer, 60 seconds by default; `nil` for any time.
        ///
        /// Then it is asked to stop, and the call throws ``SwiftDataError/storeFailure`` with the code `timeout` in
        /// ``SwiftDataError/underlying``. A statement that takes longer before its first row needs a
        /// ``ModelContext/timeout`` of its own, which replaces this. To within a second.
        public var answerTimeout: Duration? = .seconds(60)
        /// How long the server has to stop a call that was cancelled, or that has run out of time, before the connection is
        /// closed, 5 seconds by default. The call ends then at the latest: with ``SwiftDataError/outcomeUnknown`` when
        /// COMMIT was sent and not answered.
        public var cancellationTimeout: Duration = .seconds(5)

        /// A pool with the defaults.
        public init() {}
        /// A pool with so many connections for asynchronous calls, and the defaults for everything else.
        public init(maximumConnections: Int) { self.maximumConnections = maximumConnections }
    }

    /// Times that the server keeps for each connection of the store, whatever the program does, and how many rows a fetch may give.
    ///
    /// Times are to a millisecond. `nil`, the default, leaves what the database or the role says (PostgreSQL manual, 20.11.1). Where a
    /// context has a ``ModelContext/timeout`` of its own, that holds for its calls in place of ``statementTimeout``. Migrations
    /// have limits of their own. Times are not for a pooler that shares sessions
    /// (``ModelConfiguration/preparedStatements`` `.unnamed`): opening is refused, with what to do.
    public struct Limits: Hashable, Sendable {
        /// The longest that one statement may take. Then it fails with `PostgresError.Code.timeout`.
        public var statementTimeout: Duration?
        /// The longest that one transaction may take. Then the server ends the connection (SQLSTATE 25P04). From PostgreSQL 17
        /// on; opening a container on an older one is refused.
        public var transactionTimeout: Duration?
        /// The longest that an open transaction may do nothing: it holds locks, and keeps old rows from being removed. Then the
        /// server ends the connection (SQLSTATE 25P03).
        public var idleInTransactionTimeout: Duration?
        /// The most rows that one statement of a fetch may give: objects, values, or what a relationship leads to. One more is an error,
        /// ``SwiftDataError/rowLimitExceeded``, and nothing is returned: rows are never silently left out.
        ///
        /// For fetches (`fetch`, `fetchPage`, `fetchIdentifiers`, values, SQL) with what they prefetch, `load(_:_:)` and lazy loading. What is
        /// handed out piece by piece, by `enumerate`, streams and the history, has the size of its pieces instead. Another limit for one
        /// context: ``ModelContext/rowLimit``. At least 1; opening is refused otherwise.
        public var rows: Int?

        /// Limits; what is not given has none.
        public init(
            statementTimeout: Duration? = nil, transactionTimeout: Duration? = nil,
            idleInTransactionTimeout: Duration? = nil, rows: Int? = nil
        ) {
            self.statementTimeout = statementTimeout
            self.transactionTimeout = transactionTimeout
            self.idleInTransactionTimeout = idleInTransactionTimeout
            self.rows = rows
        }

        var session: SessionLimits {
            SessionLimits(
                statement: statementTimeout, transaction: transactionTimeout,
                idleInTransaction: idleInTransactionTimeout)
        }
    }

    /// What errors and logs call the store; `default` unless it was given.
    public var name: String
    /// The entities this configuration keeps; `nil` for all of the container's schema.
    public var schema: Schema?
    /// The database that was given; ``environment`` where none was.
    public var url: URL {
        get { databaseURL ?? Self.environment }
        set { databaseURL = newValue == Self.environment ? nil : newValue }
    }
    /// Stands for a database that was not given: the environment's, or the private local server.
    ///
    /// As SwiftData's, ``url`` is always there. A configuration with this URL is the same as one without.
    public static let environment = URL(string: "strata:environment")!
    /// The database that was given.
    package private(set) var databaseURL: URL?
    /// The PostgreSQL schema that holds the tables.
    public var postgresSchema = "public"
    /// Whether changes may be saved. Without, every transaction is read-only on the server too.
    public let allowsSave: Bool
    /// A store that is made empty and is gone with its container, for tests: a database of its own on a private server of this
    /// process, or a schema of its own on the server that the URL or the environment names.
    public let isStoredInMemoryOnly: Bool
    /// How many connections the store may hold, and how long a call waits for one.
    public var pool = Pool()
    /// Times that the server keeps for each connection, and how many rows a fetch may give; none by default.
    public var limits = Limits()
    /// Where the password comes from when a connection is opened, in place of the URL's; `nil` by default.
    public var password: PasswordSource?
    /// A statement that takes longer is logged at the level `warning`, with its name, its SQL, its rows and its time, and never a
    /// value; `nil`, the default, for none. Where the logger's level is `debug` or lower, all statements are logged there.
    public var slowStatement: Duration?
    /// Whether the database is a copy that was just made of a template with these tables: opening it gives the store an identity of its
    /// own, and does not look at the tables.
    package var isCopyOfAnother = false
    /// Whether a slow statement's plan is logged too, at the level `warning`: how the server carries it out whatever its parameters
    /// (`EXPLAIN` of the generic plan); `false` by default.
    ///
    /// The statement is not carried out again, and no value is in the plan. It is asked for on another connection of the pool while nobody
    /// waits for it, four round trips, one statement at a time and each text at most once a minute. Needs ``slowStatement``; opening is
    /// refused without.
    public var explainsSlowStatements = false
    /// Whether changes are recorded for the history; `true` by default. A class can opt out by itself. Where migrations
    /// make the tables, their plan decides.
    public var recordsHistory = true
    /// Who makes and changes the tables.
    public enum Tables: Hashable, Sendable {
        /// Strata: what is missing is created when a container is opened, or by its migration plan.
        case managed
        /// Somebody else: another program, or migrations of another tool.
        ///
        /// The tables are compared with the models and never created or altered, and no right to do so is asked for: reading takes `SELECT`,
        /// saving what it writes, and `USAGE` on the sequences of keys. Nothing of Strata's is in the database: there is no history,
        /// whatever ``recordsHistory`` says, and no migration plan. Keys of new objects come from the sequence, or the identity, that the
        /// table's key has; of a table without, objects are read, changed and deleted, and not inserted.
        ///
        /// Types and constraints may be wider than the models': `varchar(n)` and `char(n)` for `String`, `numeric(p,s)` for `Decimal`,
        /// `integer` and `smallint` for keys, `timestamp` without time zone for `Date`, taken as UTC (sessions have the time zone UTC;
        /// behind a pooler in transaction mode the role must have it).
        case external
    }

    /// Who makes and changes the tables; ``Tables-swift.enum/managed`` by default.
    ///
    /// ```swift
    /// var configuration = ModelConfiguration(url: url)
    /// configuration.tables = .external
    /// ```
    public var tables = Tables.managed
    /// How statements are prepared; `.unnamed` behind a pooler in transaction mode.
    public var preparedStatements = PreparedStatements.named()

    /// Where the server itself is reached when ``url`` leads to a pooler in transaction mode: such a pooler delivers no
    /// notifications. Used for one connection, while history is observed. `nil` for ``url``.
    public var directURL: URL?
    /// Servers that follow the one of ``url`` by streaming replication (PostgreSQL manual, 27.2.5), each as a URL of the same database: contexts that
    /// say so read there (``ModelContext/reading-swift.property``). None by default. The password of ``password`` is for them too.
    ///
    /// Each has a pool of its own, as large as ``pool``. Nothing is connected to before a context reads there, and one that does not answer is no
    /// error: reads go to another one or to the primary. A server that is no standby of this primary is not read from, and the log says so.
    public var replicas: [URL] = []
    /// What reads from ``replicas`` promise.
    public var replication = Replication()

    /// What reads from replicas promise.
    public struct Replication: Hashable, Sendable {
        /// How old may be what is read, 10 seconds by default: everything is seen that was committed so long ago or earlier. `nil` for any age.
        ///
        /// Known by asking the primary how far it is, each time a quarter of this time is over while somebody reads, and each connection to a
        /// replica once in this time. So the primary must have answered within that time: where it does not, reads throw its error. With `nil`
        /// those go on of which the container knows that the replica follows the primary.
        public var maximumLag: Duration? = .seconds(10)
        /// How long a read waits while all replicas are too far behind before it goes to the primary, 250 milliseconds by default.
        public var catchUpTimeout: Duration = .milliseconds(250)

        /// The defaults, or something else.
        public init(maximumLag: Duration? = .seconds(10), catchUpTimeout: Duration = .milliseconds(250)) {
            self.maximumLag = maximumLag
            self.catchUpTimeout = catchUpTimeout
        }
    }

    /// Which PostgreSQL schemas of the database hold the tables of tenants, beside ``postgresSchema``; `nil`, the default, for none.
    ///
    /// ```swift
    /// configuration.tenants = ModelConfiguration.Tenants()
    /// ```
    /// `ModelContainer.tenant(_:)` needs it. In a container with several configurations, the classes of those without it are shared by all
    /// tenants.
    public var tenants: Tenants?

    /// How often history is looked at while it is observed. `nil` for what fits the server: every second where it tells
    /// of commits, every 80 milliseconds where it cannot (a standby, a pooler, `max_prepared_transactions` above 0).
    public var historyPollInterval: Duration?

    /// Name, place and PostgreSQL schema: two configurations of one container differ in one of them. Holds no password.
    public var id: String { text(withoutURL: "environment or private server") }

    /// A configuration for all entities in the environment's database, or in a throw-away store:
    ///
    /// ```swift
    /// let container = try await ModelContainer(
    ///     for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    /// ```
    public init(isStoredInMemoryOnly: Bool = false) {
        self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// A configuration for these classes, and those their relationships lead to, in the environment's database or in a
    /// throw-away store. Subclasses are not inferred: name each.
    public init(for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
        self.init(nil, schema: Schema(types), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// A configuration in the environment's database, in the private local server, or in a throw-away store.
    ///
    /// - Parameters:
    ///   - name: what errors and logs call the store; `default` when it is `nil`.
    ///   - schema: the entities it keeps; `nil` for all that no other configuration of the container keeps.
    ///   - isStoredInMemoryOnly: whether the store is made empty and is gone with its container.
    ///   - allowsSave: whether changes may be saved.
    ///   - groupContainer: without effect on a server.
    ///   - cloudKitDatabase: without effect on a server.
    public init(
        _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
        groupContainer: GroupContainer = .automatic, cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.name = name ?? "default"
        self.schema = schema
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        self.allowsSave = allowsSave
        self.groupContainer = groupContainer
        self.cloudKitDatabase = cloudKitDatabase
    }

    /// A configuration in the database that a URL names.
    ///
    /// ```swift
    /// ModelConfiguration(url: URL(string: "postgres://app@db.example.com/trips")!, postgresSchema: "tenant_17")
    /// ```
    /// - Parameters:
    ///   - name: what errors and logs call the store; `default` when it is `nil`.
    ///   - schema: the entities it keeps; `nil` for all that no other configuration of the container keeps.
    ///   - url: a `postgres://` or `postgresql://` URL with libpq's parameters (PostgreSQL manual, 34.1.1.2).
    ///   - replicas: servers that follow it, for contexts that read there.
    ///   - postgresSchema: the PostgreSQL schema that holds the tables.
    ///   - isStoredInMemoryOnly: whether the tables go to a schema of their own, which is dropped with the container.
    ///   - allowsSave: whether changes may be saved.
    ///   - cloudKitDatabase: without effect on a server.
    public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, replicas: [URL] = [], postgresSchema: String = "public",
        isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true, cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.name = name ?? "default"
        self.schema = schema
        self.postgresSchema = postgresSchema
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        self.allowsSave = allowsSave
        groupContainer = .automatic
        self.cloudKitDatabase = cloudKitDatabase
        self.replicas = replicas
        self.url = url
    }

    /// The spelling of the first beta.
    @available(*, deprecated, message: "write cloudKitDatabase: .private(…); it has no effect on a server")
    public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
        cloudKitContainerIdentifier: String
    ) {
        self.init(
            name, schema: schema, url: url, allowsSave: allowsSave,
            cloudKitDatabase: .private(cloudKitContainerIdentifier))
    }
}

extension ModelConfiguration: CustomStringConvertible {
    /// Name and place, without the password. Where the environment decides, the place is the variable that does.
    public var description: String { text(withoutURL: "\(ServerSource(self))") }

    private func text(withoutURL place: String) -> String {
        let place =
            databaseURL.map {
                (try? PostgresConfiguration(url: $0.absoluteString).description) ?? "a URL that cannot be read"
            } ?? place
        return "\(name) (\(place), schema \(postgresSchema))"
    }
}

extension ModelConfiguration: CustomDebugStringConvertible, CustomReflectable {
    /// The same as ``description``: a password in the URL must not reach a log.
    public var debugDescription: String { description }
    /// Shows ``description`` only, so that `dump` and reflecting loggers print no password either.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": description]) }
}
