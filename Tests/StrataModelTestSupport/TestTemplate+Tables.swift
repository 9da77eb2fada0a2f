package import Strata
import StrataClient
import StrataModels
import StrataRepository
package import StrataTestSupport

extension TestTemplate {
    /// A database with what all stores share, and no store.
    private static let library = TestTemplate("library") { database in
        let connection = try await database.connect()
        defer { connection.close() }
        try await StorePreparation.createLibrary(on: connection)
    }

    /// A database with the tables that a container makes for a schema, made once in a process, where whoever opens the store again
    /// finds nothing amiss.
    package static func tables(of schema: Schema, recordsHistory: Bool = true) -> TestTemplate {
        let label = schema.entities.map(\.name).joined(separator: ",")
        let key = Key(classes: schema.entities.map { ObjectIdentifier($0.descriptor) }, recordsHistory: recordsHistory)
        return shared(key, label, on: .library) { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let mapping = StoreMapping(schema, recordsHistory: recordsHistory)
            _ = try await StorePreparation.prepare(mapping, on: connection, mode: .createMissing)
            _ = try await StorePreparation.prepare(mapping, on: connection, mode: .verifyOnly)
        }
    }

    private struct Key: Hashable {
        let classes: [ObjectIdentifier]
        let recordsHistory: Bool
    }
}
