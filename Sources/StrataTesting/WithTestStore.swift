import Logging
import StrataClient
public import StrataContext
import StrataTestDatabases

/// Runs `body` with a container on a database of its own, which is gone afterwards, also when the test throws.
///
/// ```swift
/// @Test func aTripHasADestination() async throws {
///     try await withTestStore(for: Trip.self) { container in
///         let context = ModelContext(container)
///         context.insert(Trip(name: "Visit", destination: "Paris"))
///         try await context.save()
///     }
/// }
/// ```
/// The tables of these classes are made once in a process, in a template that each store is a copy of: stores do not see each other,
/// and tests run side by side. The server is the one that `DATABASE_URL` or libpq's `PG*` variables name, whose user must be allowed to
/// create databases; else a private one, started once and gone with the process. At most eight stores are in use at the same time
/// (the variable `STRATA_TEST_DATABASES`); further tests wait. A store within another one's `body` does not count.
///
/// Everything that a container does works in it: transactions, several contexts, actors, history, live results. Where `body` needs
/// nothing but one context, ``withRolledBackTransaction(in:_:)`` is faster.
/// - Parameters:
///   - types: the classes, and those their relationships lead to; name each subclass.
///   - migrationPlan: makes the tables, as in `ModelContainer(for:migrationPlan:)`; one of its versions has exactly these classes.
///   - configure: changes the configuration before the store is opened. The URL is the test's whatever it is set to.
///   - fileID: where the test is, for the database's name; leave it out.
///   - line: as `fileID`.
///   - body: the test. Its result is returned.
/// - Throws: what `body` throws; what opening a container throws; ``SwiftDataError`` with the code `loadIssueModelContainer` when the
///   database cannot be made.
public func withTestStore<Result>(
    for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configure: (inout ModelConfiguration) -> Void = { _ in }, fileID: String = #fileID, line: Int = #line,
    _ body: (ModelContainer) async throws -> Result
) async throws -> Result {
    try await withTestStore(
        for: Schema(types), migrationPlan: migrationPlan, configure: configure, fileID: fileID, line: line, body)
}

/// Runs `body` with a container for a schema on a database of its own, which is gone afterwards, also when the test throws.
///
/// As the form with classes.
public func withTestStore<Result>(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configure: (inout ModelConfiguration) -> Void = { _ in }, fileID: String = #fileID, line: Int = #line,
    _ body: (ModelContainer) async throws -> Result
) async throws -> Result {
    var configuration = ModelConfiguration()
    configure(&configuration)
    let template = TestTemplate.store(of: schema, migrationPlan, configuration)
    return try await explainingMissingDatabase {
        try await withTestDatabase(template: template, file: fileID, line: line) { database in
            var configuration = configuration
            configuration.url = try database.modelURL
            configuration.isCopyOfAnother = true
            let container = try await ModelContainer(
                opening: schema, migrationPlan: migrationPlan, configurations: [configuration],
                logger: Logger(label: "strata"), observers: [ExpectationObserver()])
            do {
                let result = try await body(container)
                await container.close()
                return result
            } catch {
                await container.close()
                throw error
            }
        }
    }
}

/// What the server says when it refuses to make a database, with what to do about it.
private func explainingMissingDatabase<Result>(_ work: () async throws -> Result) async throws -> Result {
    do {
        return try await work()
    } catch let error as PostgresError {
        throw SwiftDataError(
            .loadIssueModelContainer,
            "The database of a test could not be made: \(error.message)\nA test makes one of its own. On the server that DATABASE_URL or "
                + "the PG* variables name, the user must be allowed to: ALTER ROLE … CREATEDB. Without these variables a "
                + "private server is used.", underlying: error)
    }
}
