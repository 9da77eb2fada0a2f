import Foundation
import Strata
import StrataTestSupport
import Testing

@Suite struct DescribedSchemaTests {
    @Test func `a container cannot be opened with a schema that no classes stand behind`() async throws {
        let written = try JSONEncoder().encode(Schema(Graph.Parent.self))
        let read = try JSONDecoder().decode(Schema.self, from: written)
        #expect(read == Schema(Graph.Parent.self))
        let schemas = [read, Schema(Schema.Entity("Parent"))]
        for schema in schemas {
            let error = try await #require(throws: SwiftDataError.self) {
                try await ModelContainer(
                    for: schema, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
            }
            #expect(error.code == .invalidSchema)
            #expect(error.message.contains("Parent: no class stands behind the entity"), "\(error.message)")
        }
    }

    @Test func `neither can one of its configurations`() async throws {
        let schema = Schema(Graph.Parent.self)
        let read = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
        await expectError(.configurationSchemaNotFoundInContainerSchema) {
            _ = try await ModelContainer(
                for: schema, configurations: ModelConfiguration("a", schema: read, isStoredInMemoryOnly: true))
        }
    }
}
