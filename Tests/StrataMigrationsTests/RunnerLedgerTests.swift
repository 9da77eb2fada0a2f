import StrataClient
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataMigrations

@Suite("The ledger", .timeLimit(.minutes(2)))
struct RunnerLedgerTests {
    @Test("Its statements create exactly what its definition says, and can be run again")
    func creation() async throws {
        try await withTestDatabase { database in
            let statements = LibraryInstallation.statements
            for sql in statements + statements { try await database.execute(sql) }
            let connection = try await database.connect()
            defer { connection.close() }
            let inspection = DatabaseInspection(schemas: [LibrarySchema.name])
            var batch = PostgresBatch()
            try inspection.add(to: &batch)
            try await connection.run(batch)
            let found = try #require(inspection[LibrarySchema.name])
            let difference = CatalogDifference(
                expected: DatabaseDefinition(
                    tables: LibrarySchema.definition.tables + MigrationLedger.definition.tables,
                    sequences: LibrarySchema.definition.sequences), found: found.definition)
            #expect(difference.lines == [])
        }
    }
}
