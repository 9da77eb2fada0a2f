import Foundation
import Logging
import SampleTripsModels
import Strata
import StrataClient
import StrataIntrospection
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

/// A database that the tests read classes from, and the folder of those that were written of it.
enum IntrospectedDatabase: String, CaseIterable, Sendable {
    case trading = "Trading"
    case unusual = "Unusual"
    case trips = "Trips"

    private var tests: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    }

    /// The folder of the target.
    var folder: URL { tests.appendingPathComponent("IntrospectedModels/\(rawValue)", isDirectory: true) }

    var schemaName: String { rawValue + "Schema" }

    /// Runs `body` with the database.
    func with(_ body: (TestDatabase, PostgresConnection) async throws -> Void) async throws {
        try await withTestDatabase("introspected \(rawValue)") { database in
            let connection = try await database.connect()
            defer { connection.close() }
            switch self {
            case .trips:
                _ = try await StorePreparation.prepare(
                    StoreMapping(Schema(versionedSchema: SampleTripsSchemaV4.self)), on: connection,
                    mode: .createMissing)
            case .trading, .unusual:
                let file = tests.appendingPathComponent(
                    "StrataIntrospectionTests/Databases/\(rawValue.lowercased()).sql")
                // One by one: a prepared statement is one command.
                for statement in try String(contentsOf: file, encoding: .utf8).components(separatedBy: ";\n") {
                    let text = statement.trimmingCharacters(in: .whitespacesAndNewlines)
                    if !text.isEmpty { try await database.execute(text) }
                }
            }
            try await body(database, connection)
        }
    }
}

extension TestDatabase {
    /// A container on tables that are somebody else's.
    func container(
        of schema: any VersionedSchema.Type, tables: ModelConfiguration.Tables = .external,
        configure: (inout ModelConfiguration) -> Void = { _ in }
    ) async throws -> ModelContainer {
        var configuration = ModelConfiguration(url: try #require(foundationURL))
        configuration.tables = tables
        configure(&configuration)
        return try await ModelContainer(
            for: Schema(versionedSchema: schema), configurations: [configuration], logger: Logger(label: "test"))
    }
}

extension PostgresConnection {
    /// The rows of a query, each as its values in text form, separated by `|`.
    func lines(_ sql: String) async throws -> [String] {
        var lines: [String] = []
        try await run(
            PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))) { row in
                lines.append(try row.decodeIfPresent(0, as: String.self) ?? "NULL")
            })
        return lines
    }
}
