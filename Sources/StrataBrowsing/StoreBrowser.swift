public import Logging
import StrataClient
import StrataMigrations
public import StrataModels
import StrataRepository

/// Reads any store without its classes: what the database says of itself, objects, histories, migrations, activity. Where it may, it
/// edits single properties, and makes and deletes objects.
///
/// ```swift
/// let browser = try StoreBrowser(url: "postgres://localhost/trips")
/// for schema in try await browser.schemas() { print(schema.name, schema.classes.map(\.name)) }
/// await browser.close()
/// ```
/// Each call reads in one transaction, with a few round trips, in sessions whose `default_transaction_read_only` is on; an edit has a
/// session of its own. A statement that takes longer than `statementTimeout` is ended by the server. Calls throw ``BrowsingError``.
public final class StoreBrowser: Sendable {
    /// Whether ``save(_:in:)``, ``create(_:of:in:)`` and ``delete(_:of:mark:in:)`` are allowed.
    public let allowsEdits: Bool
    let readers: PostgresPool
    let writers: PostgresPool?
    /// What an application's models say of the store in one PostgreSQL schema.
    let models: (postgresSchema: String, frozen: FrozenSchema)?

    /// What the history and `pg_stat_activity` call the browser.
    static let applicationName = "strata-studio"

    /// A browser of the database behind a URL; `nil` for the one that `DATABASE_URL` or libpq's variables name.
    ///
    /// - Parameters:
    ///   - url: as `ModelConfiguration(url:)` takes it.
    ///   - models: those of an application, which say more of its classes than the database does; `nil` for what the database says.
    ///   - postgresSchema: where the store of these models lies.
    ///   - allowsEdits: whether objects may be changed, made and deleted.
    ///   - statementTimeout: the longest that one statement may take.
    ///   - logger: hears of connections and of statements, without values.
    /// - Throws: ``BrowsingError`` for a URL that cannot be read, where nothing names a database, and for models that no container takes. No
    ///   connection is made yet.
    public init(
        url: String?, models: Schema? = nil, in postgresSchema: String = "public", allowsEdits: Bool = false,
        statementTimeout: Duration = .seconds(10),
        logger: Logger = Logger(label: "strata.browser") { _ in SwiftLogNoOpLogHandler() }
    ) throws(BrowsingError) {
        var configuration: PostgresConfiguration
        do {
            guard let named = try url.map({ try PostgresConfiguration(url: $0) }) ?? .environment() else {
                throw BrowsingError(
                    .notFound, "No database is named. Give a URL, or set DATABASE_URL or libpq's PG variables.")
            }
            configuration = named
        } catch {
            throw BrowsingError(error, doing: "read where the database is")
        }
        if configuration.options["application_name"] == nil {
            configuration.options["application_name"] = Self.applicationName
        }
        configuration.limits.statement = statementTimeout
        // A browser that has stopped must not hold a snapshot for ever; one on a busy machine may pause.
        configuration.limits.idleInTransaction = statementTimeout + .seconds(60)
        // Rules of deletion lead from one to the other, and what is browsed is one.
        if let entity = models?.entities.first(where: {
            $0.postgresSchema != nil && $0.postgresSchema != postgresSchema
        }) {
            throw BrowsingError(
                .refused,
                "The models are of several PostgreSQL schemas: \(entity.name) names \(entity.postgresSchema ?? ""), and classes of one can be "
                    + "browsed. Browse without models: then the tables are shown as the catalogs say.")
        }
        do throws(MigrationError) {
            self.models = try models.map { (schema) throws(MigrationError) in
                // Whose tables they are is not said: what is refused of Strata's own alone can be browsed.
                (postgresSchema, try FrozenSchema(freezing: schema, tables: .external))
            }
        } catch {
            throw BrowsingError(.refused, "The models cannot be used: \(error)")
        }
        self.allowsEdits = allowsEdits
        var reading = configuration
        reading.readOnly = true
        let options = PostgresPoolOptions(maximumConnections: 4, idleTimeout: .seconds(60))
        readers = PostgresPool(configuration: reading, options: options, logger: logger) { connection in
            try connection.run(Self.session(readOnly: true))
        }
        writers =
            allowsEdits
            ? PostgresPool(configuration: configuration, options: options, logger: logger) { connection in
                try connection.run(Self.session(readOnly: false))
            } : nil
    }

    /// Values are written as UTC and ISO 8601, whatever the role's settings say.
    private static func session(readOnly: Bool) -> PostgresBatch {
        var batch = PostgresBatch()
        // A function of that name in another schema would run as whoever looks. What is written needs the path that triggers expect.
        if readOnly { batch.add(PostgresStatement("SET search_path = pg_catalog")) }
        for (name, value) in [
            ("default_transaction_read_only", readOnly ? "on" : "off"), ("TimeZone", "UTC"), ("DateStyle", "ISO"),
            ("IntervalStyle", "iso_8601"), ("bytea_output", "hex"), ("extra_float_digits", "1"),
        ] {
            batch.add(PostgresStatement("SET \(name) = '\(value)'"))
        }
        return batch
    }

    /// Closes the connections. Calls that are under way have some seconds to end.
    public func close() async {
        await readers.close()
        await writers?.close()
    }

    /// How many objects or changes a page may have.
    static let pageSizes = 1...10_000

    /// Throws `refused` for a limit that nobody can keep to.
    static func require(_ limit: Int, in range: ClosedRange<Int>) throws(BrowsingError) {
        guard !range.contains(limit) else { return }
        throw BrowsingError(
            .refused, "The limit \(limit) is none: it may be from \(range.lowerBound) to \(range.upperBound).")
    }

    /// Runs `body` in one read-only transaction, which sees one state of the database.
    func read<Value>(
        _ what: String, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        do {
            return try await readers.withConnection(for: what) { connection in
                try await connection.withTransaction(isolation: .repeatableRead, readOnly: true, body)
            }
        } catch {
            throw BrowsingError(error, doing: what)
        }
    }

    /// Runs `body` in one transaction whose author is `studio`.
    func write<Value>(
        _ what: String, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        guard let writers else {
            throw BrowsingError(.refused, "This browser only reads. Start it with edits allowed.")
        }
        do {
            return try await writers.withConnection(for: what) { connection in
                try await connection.withTransaction { connection in
                    var authorship = PostgresBatch()
                    try authorship.set(Authorship(author: "studio"))
                    try await connection.run(authorship)
                    return try await body(connection)
                }
            }
        } catch {
            throw BrowsingError(error, doing: what)
        }
    }
}

extension PostgresConnection {
    /// The rows of a query. One round trip.
    func rows<Value>(
        _ sql: SQLFragment, _ name: String, _ decode: @escaping (PostgresRow) throws -> Value
    ) async throws -> [Value] {
        let rows = Rows<Value>()
        let batch = PostgresBatch(try sql.statement(name: name)) { row in rows.values.append(try decode(row)) }
        try await run(batch)
        return rows.values
    }

    /// Whether there is a table of this name.
    func has(_ tables: TableName...) async throws -> Bool {
        for table in tables {
            let name = SQLFragment.quoted(table.schema) + "." + SQLFragment.quoted(table.name)
            let found = try await rows("SELECT to_regclass(\(bind: name)) IS NOT NULL", "look for a table") {
                try $0.decode(0, as: Bool.self)
            }
            guard found == [true] else { return false }
        }
        return true
    }
}

/// What a closure collects.
final class Rows<Value> {
    var values: [Value] = []
}
