import Foundation
import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// The sample's own files, applied by the sample's own program.
@Suite("SampleTrips from its first version to its last")
struct SampleTripsProcessTests {
    @Test("the program and the container keep the same rows, duplicates and all")
    func sameRows() async throws {
        try await withTestDatabase("files") { files in
            try await withTestDatabase("container") { container in
                for database in [files, container] { try await insert(on: database) }
                #expect(try await count("trip", files) == ["7"])

                let baseline = try await SampleTripsProcess.run("baseline", "1", "--database-url", files.url)
                #expect(baseline.exitCode == 0, "\(baseline.errors)")
                let apply = try await SampleTripsProcess.run("apply", environment: ["DATABASE_URL": files.url])
                #expect(apply.exitCode == 0, "\(apply.errors)")
                #expect(apply.output.contains("is at version 4.0.0"))
                try await with(SampleTripsSchemaV4.self, plan: SampleTripsMigrationPlan.self, on: container) { _ in }

                for query in Self.queries {
                    let rows = try await files.texts(query)
                    #expect(try await container.texts(query) == rows, "\(query)")
                    #expect(!rows.isEmpty, "\(query)")
                }
                // Three names were there twice; no item and no place to stay is lost with them.
                #expect(try await count("trip", files) == ["4"])
                #expect(try await count("bucket_list_item", files) == ["7"])
                #expect(try await count("living_accommodation", files) == ["2"])
                for command in ["status", "drift"] {
                    let run = try await SampleTripsProcess.run(command, "--database-url", files.url)
                    #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
                }
                // The new classes can be used on what the files made.
                try await with(SampleTripsSchemaV4.self, plan: SampleTripsMigrationPlan.self, on: files) { context in
                    let day = Date(timeIntervalSinceReferenceDate: 0)
                    context.insert(
                        BusinessTrip(name: "Rome", destination: "Rome", startDate: day, endDate: day, perdiem: 40))
                    try await context.save()
                    #expect(try await context.fetchCount(FetchDescriptor<Trip>()) == 5)
                }
            }
        }
    }

    @Test("the files in the repository are those of the plan")
    func check() async throws {
        let run = try await SampleTripsProcess.run("generate", "--check")
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    // MARK: - Rows

    private static let queries = [
        "SELECT to_jsonb(t)::text FROM trip AS t ORDER BY pk",
        "SELECT to_jsonb(t)::text FROM bucket_list_item AS t ORDER BY pk",
        "SELECT to_jsonb(t)::text FROM living_accommodation AS t ORDER BY pk",
        "SELECT version || ' ' || fingerprint FROM strata.schema_version ORDER BY number",
    ]

    /// Trips of version 1, made by its models: some of one name, some of one name but for blanks.
    private func insert(on database: TestDatabase) async throws {
        try await with(SampleTripsSchemaV1.self, plan: nil, on: database) { context in
            for (number, name) in ["Paris", "Kyoto", "Paris", " Kyoto ", "Lima", "Lima ", "Oslo"].enumerated() {
                let start = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)
                let trip = SampleTripsSchemaV1.Trip(
                    name: name, destination: "to \(name)", startDate: start, endDate: start + 86_400)
                context.insert(trip)
                trip.bucketList = [SampleTripsSchemaV1.BucketListItem(title: "item \(number)")]
                if number == 2 || number == 4 {
                    trip.livingAccommodation = SampleTripsSchemaV1.LivingAccommodation(
                        placeName: "house \(number)", address: name)
                }
                // One at a time: the keys are the same on every database then.
                try await context.save()
            }
        }
    }

    private func with(
        _ version: any VersionedSchema.Type, plan: (any SchemaMigrationPlan.Type)?, on database: TestDatabase,
        _ body: (ModelContext) async throws -> Void
    ) async throws {
        let url = try #require(database.foundationURL)
        let container = try await ModelContainer(
            for: Schema(versionedSchema: version), migrationPlan: plan, configurations: ModelConfiguration(url: url))
        do {
            try await body(ModelContext(container))
            await container.close()
        } catch {
            await container.close()
            throw error
        }
    }

    private func count(_ table: String, _ database: TestDatabase) async throws -> [String] {
        try await database.texts("SELECT count(*)::text FROM \(table)")
    }

}
