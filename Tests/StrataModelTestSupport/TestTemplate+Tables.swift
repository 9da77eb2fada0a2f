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
            let found = try await StorePreparation.prepare(mapping, on: connection, mode: .verifyOnly)
            // Who it is, and nothing else that there would be to say of it.
            guard found == StoreIdentity(identifier: found.identifier, number: found.number) else {
                throw TemplateError(label: label, found: found)
            }
        }
    }

    /// What somebody who opens the store would have been told, although it was made a moment ago.
    private struct TemplateError: Error, CustomStringConvertible {
        let label: String
        let found: StoreIdentity

        var description: String {
            "The tables of \(label), made a moment ago, are not what a container finds complete: \(found)"
        }
    }

    private struct Key: Hashable {
        let classes: [ObjectIdentifier]
        let recordsHistory: Bool
    }
}
