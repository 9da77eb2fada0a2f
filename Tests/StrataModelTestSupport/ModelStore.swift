import Foundation
import Logging
package import Strata
import StrataClient
package import StrataTestSupport
import Testing

/// A container for models of a test's own, on a database of its own.
package struct ModelStore {
    package let container: ModelContainer
    package let recorder: StatementRecorder
    package let database: TestDatabase

    /// A second container for the same tables, as another process would have.
    package func reopened(_ schema: Schema, configure: (inout ModelConfiguration) -> Void = { _ in }) async throws
        -> ModelContainer
    {
        var configuration = ModelConfiguration(url: try #require(database.foundationURL))
        configure(&configuration)
        return try await ModelContainer(for: schema, configurations: [configuration], logger: Logger(label: "test"))
    }

    /// Ends the sessions of the container, as a restarting server does.
    package func killConnections() async throws {
        try await database.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                + "AND pid <> pg_backend_pid()")
    }
}

/// Runs `body` with a fresh store for these classes that is gone afterwards.
package func withModelStore(
    _ types: any PersistentModel.Type..., label: String = "", connections: Int = 8,
    file: String = #fileID, line: Int = #line, _ body: (ModelStore) async throws -> Void
) async throws {
    try await withModelStore(
        of: Schema(types), label, file: file, line: line,
        configure: { $0.pool = ModelConfiguration.Pool(maximumConnections: connections) }, body)
}

/// Runs `body` with a fresh store for the classes of a schema that is gone afterwards.
///
/// Its tables are a copy of those that the first test with these classes made: how a container makes tables is shown by the
/// suites about opening.
package func withModelStore(
    of schema: Schema, _ label: String = "", recordsHistory: Bool = true, file: String = #fileID, line: Int = #line,
    configure: (inout ModelConfiguration) -> Void = { _ in }, _ body: (ModelStore) async throws -> Void
) async throws {
    let template = TestTemplate.tables(of: schema, recordsHistory: recordsHistory)
    try await withTestDatabase(label, template: template, file: file, line: line) { database in
        let recorder = StatementRecorder()
        var configuration = ModelConfiguration(url: try #require(database.foundationURL))
        configuration.recordsHistory = recordsHistory
        configuration.isCopyOfAnother = true
        configure(&configuration)
        let container = try await ModelContainer(
            opening: schema, configurations: [configuration], logger: Logger(label: "test"), observer: recorder)
        recorder.reset()
        do {
            try await body(ModelStore(container: container, recorder: recorder, database: database))
        } catch {
            await container.close()
            throw error
        }
        await container.close()
    }
}

/// Runs `body` with a container for classes whose tables another program has made, by these statements.
package func withExternalTables(
    _ tables: [String], _ types: [any PersistentModel.Type], file: String = #fileID, line: Int = #line,
    _ body: (ModelStore) async throws -> Void
) async throws {
    try await withTestDatabase(file: file, line: line) { database in
        try await database.execute(tables)
        let recorder = StatementRecorder()
        var configuration = ModelConfiguration(url: try #require(database.foundationURL))
        configuration.tables = .external
        let container = try await ModelContainer(
            opening: Schema(types), configurations: [configuration], logger: Logger(label: "test"), observer: recorder)
        recorder.reset()
        do {
            try await body(ModelStore(container: container, recorder: recorder, database: database))
        } catch {
            await container.close()
            throw error
        }
        await container.close()
    }
}
