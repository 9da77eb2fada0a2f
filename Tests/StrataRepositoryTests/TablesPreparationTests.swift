import Foundation
import StrataClient
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

/// Opening a store: what is created, what is refused, what it costs.
@Suite struct TablesPreparationTests {
    private var mapping: StoreMapping { TripModels.mapping }

    @Test func `An empty database gets its tables and the store its identifier`() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let first = try await StorePreparation.prepare(mapping, on: connection, mode: .createMissing)
            #expect(UUID(uuidString: first.identifier) != nil)
            #expect(first.advice == [])
            #expect(connection.transactionStatus == .idle)
            let again = try await StorePreparation.prepare(mapping, on: connection, mode: .verifyOnly)
            #expect(first.isNew && !again.isNew)
            #expect(again.identifier == first.identifier && again.number == first.number)
            #expect(again.advice == first.advice && again.history == first.history)
        }
    }

    @Test func `The blocking form does the same`() async throws {
        try await withTestDatabase { database in
            let mapping = mapping
            let connection = try await database.connect()
            defer { connection.close() }
            func prepare() throws -> StoreIdentity {
                try StorePreparation.prepare(mapping, on: connection, mode: .createMissing)
            }
            let (first, again) = (try prepare(), try prepare())
            #expect(first.isNew && !again.isNew && first.identifier == again.identifier)
        }
    }

    @Test func `A complete store costs two round trips and takes no lock`() async throws {
        try await withTestDatabase { database in
            let recorder = StatementRecorder()
            let connection = try await database.connect(observer: recorder)
            defer { connection.close() }
            _ = try await StorePreparation.prepare(mapping, on: connection, mode: .createMissing)
            recorder.reset()
            _ = try await StorePreparation.prepare(mapping, on: connection, mode: .createMissing)
            #expect(recorder.roundTrips == 2)
            #expect(!recorder.statements.contains { $0.contains("lock") })
        }
    }

    @Test func `Many starts at the same time all succeed and agree`() async throws {
        try await withTestDatabase { database in
            let identities = try await withThrowingTaskGroup(of: StoreIdentity.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        // As another process would: with a session and a default isolation of its own.
                        let connection = try await database.connect()
                        defer { connection.close() }
                        let level = number.isMultiple(of: 2) ? "read committed" : "serializable"
                        try await connection.execute("SET default_transaction_isolation = '\(level)'")
                        return try await StorePreparation.prepare(
                            TripModels.mapping, on: connection, mode: .createMissing)
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1.identifier) }
            }
            #expect(identities.count == 1)
        }
    }

    @Test func `Two schemas of one database are two stores that share the key blocks`() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let schema = TripModels.mapping.schema
            let first = try await StorePreparation.prepare(StoreMapping(schema), on: connection, mode: .createMissing)
            let second = try await StorePreparation.prepare(
                StoreMapping(schema, in: "Second \"store\""), on: connection, mode: .createMissing)
            #expect(first.identifier != second.identifier)
        }
    }

    @Test func `Tables that are missing are added to those that exist`() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            _ = try await StorePreparation.prepare(mapping, on: connection, mode: .createMissing)
            try await connection.execute("DROP TABLE bucket_list_item")
            try await connection.execute("INSERT INTO trip (name, start_date) VALUES ('kept', now())")
            _ = try await StorePreparation.prepare(mapping, on: connection, mode: .createMissing)
            try await connection.execute("INSERT INTO bucket_list_item (title, trip) SELECT 'swim', pk FROM trip")
            let found = try #require(try await connection.inspect("public")["public"])
            #expect(DefinitionDifference(DatabaseDefinition(mapping), found: found).isEmpty)
        }
    }

    @Test func `Without permission to write, an empty database is refused`() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let error = await #expect(throws: SwiftDataError.self) {
                try await StorePreparation.prepare(mapping, on: connection, mode: .verifyOnly)
            }
            #expect(error?.code == .storeDoesNotFit)
            #expect(error?.message.contains("table trip is missing") == true)
            #expect(error?.message.contains("strata.store") == true)
            let inspection = try await connection.inspect("public", "strata")
            #expect(inspection["public"]?.definition.tables == [])
            #expect(inspection["strata"] == nil)
        }
    }

    @Test func `A store that does not fit is left as it is`() async throws {
        try await withTestDatabase { database in
            try await database.execute("CREATE TABLE trip (pk bigint PRIMARY KEY, name integer)")
            let connection = try await database.connect()
            defer { connection.close() }
            let error = await #expect(throws: SwiftDataError.self) {
                try await StorePreparation.prepare(mapping, on: connection, mode: .createMissing)
            }
            #expect(error?.code == .storeDoesNotFit)
            #expect(error?.message.contains("column trip.name is integer, the property Trip.name needs text") == true)
            #expect(connection.transactionStatus == .idle)
            #expect(try await connection.inspect("public")["public"]?.definition.tables.map(\.name) == ["trip"])
        }
    }

    @Test func `A role without any right to create learns what the server said`() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("SET default_transaction_read_only = on")
            let error = await #expect(throws: PostgresError.self) {
                try await StorePreparation.prepare(mapping, on: connection, mode: .createMissing)
            }
            #expect(error?.sqlState == "25006")
            #expect(connection.transactionStatus == .idle)
        }
    }
}
