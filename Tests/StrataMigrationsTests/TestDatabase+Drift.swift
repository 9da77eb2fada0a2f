import StrataTestSupport
import Testing

@testable import StrataMigrations

extension TestDatabase {
    /// What `drift` says of the schema `public`: where it is not what a version has, as the server prints that.
    func drift(_ schema: FrozenSchema) async throws -> [String] {
        try await onSession { session in
            let found = try await CatalogInspection.read(schemaName: "public", connection: session)
            let printed = try await blocking {
                try PrintedDefinition(schema.database, found: found.definition, on: session)
            }
            #expect(printed.unread == [])
            return CatalogDifference(expected: printed, found: found).lines
        }
    }
}
