import SampleTripsModels
import Strata
import StrataMigrations
import StrataRepository
import StrataTestSupport
import Testing

/// The sample's classes, their frozen form, and the tables that a container and the sample's files make of them.
@Suite struct SampleTripsSchemaTests {
    static let sample = Schema(
        Trip.self, BusinessTrip.self, PersonalTrip.self, BucketListItem.self, LivingAccommodation.self,
        version: Schema.Version(4, 0, 0))

    @Test func `SampleTrips is frozen with its hierarchy`() throws {
        let frozen = try FrozenSchema(freezing: Self.sample)
        #expect(frozen.version == Schema.Version(4, 0, 0))
        #expect(
            frozen.entities.map(\.name) == [
                "BucketListItem", "BusinessTrip", "LivingAccommodation", "PersonalTrip", "Trip",
            ])
        let trip = try #require(frozen.entity(named: "Trip"))
        #expect(trip.attributes.map(\.column) == ["name", "destination", "start_date", "end_date"])
        #expect(trip.attributes[2].originalName == "start_date")
        #expect(trip.attributes[2].options == [.preserveValueOnDeletion])
        #expect(trip.attributes[2].type == "timestamptz")
        #expect(trip.uniques == [["name", "startDate", "endDate"]])
        #expect(trip.indexes.map(\.properties) == [["startDate"], ["destination"]])
        #expect(trip.relationships[0].storage == .inverseForeignKey(table: "bucket_list_item", column: "trip"))
        #expect(trip.relationships[0].deleteRule == "cascade")
        let personal = try #require(frozen.entity(named: "PersonalTrip"))
        #expect(personal.parent == "Trip")
        #expect(frozen.chain(of: personal).map(\.name) == ["Trip", "PersonalTrip"])
        #expect(personal.attributes.map(\.name) == ["reason"])
        #expect(personal.attributes[0].cases == ["family", "reunion", "wellness"])
        #expect(personal.attributes[0].defaultExpression == nil)
        #expect(try FrozenSchema(canonicalJSON: frozen.canonicalJSON, file: "V4.json") == frozen)
    }

    @Test func `SampleTrips and its frozen form are recorded alike`() throws {
        let frozen = try FrozenSchema(freezing: Self.sample)
        #expect(HistoryDescription(frozen) == HistoryDescription(StoreMapping(Self.sample)))
        #expect(HistoryDescription(frozen).json == HistoryDescription(StoreMapping(Self.sample)).json)
    }

    @Test func `A container on an empty database makes what the files make`() async throws {
        let applied = try await withTestDatabase("files") { database in
            let run = try await SampleTripsProcess.run("apply", "--database-url", database.url)
            #expect(run.exitCode == 0, "\(run.errors)")
            return try await inspect(database)
        }
        let made = try await withTestDatabase("container") { database in
            let container = try await ModelContainer(
                for: Self.sample, configurations: ModelConfiguration(url: try #require(database.foundationURL)))
            await container.close()
            return try await inspect(database)
        }
        // Both ways: nothing is missing, and nothing is left.
        #expect(CatalogDifference(expected: applied.definition, found: made).lines == [])
        #expect(CatalogDifference(expected: made.definition, found: applied).lines == [])
    }

    private func inspect(_ database: TestDatabase) async throws -> CatalogInspection {
        let connection = try await database.connect()
        defer { connection.close() }
        return try await CatalogInspection.read(schemaName: "public", connection: connection)
    }
}
