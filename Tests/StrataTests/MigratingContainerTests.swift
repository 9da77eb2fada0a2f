import Foundation
import SampleTripsModels
import Strata
import StrataTestSupport
import Testing

/// What opening with a plan makes of databases in every state, short of running stages.
@Suite struct MigratingContainerTests {
    @Test("an empty database gets the newest tables at once, and the record of it")
    func emptyDatabase() async throws {
        try await withMigratingStore { store in
            for _ in 0..<2 {
                try await store.with(SampleTripsSchemaV4.self) { context in
                    context.insert(
                        BusinessTrip(name: "a", destination: "b", startDate: .now, endDate: .now, perdiem: 4))
                    try await context.save()
                }
            }
            #expect(try await store.recordedVersions() == ["4.0.0 baseline"])
            try await store.with(SampleTripsSchemaV4.self, .verify) { context in
                let count = try await context.fetchCount(FetchDescriptor<Trip>())
                #expect(count == 2)
            }
        }
    }

    @Test("the blocking way does the same")
    func blocking() async throws {
        try await withMigratingStore { store in
            let url = try #require(store.database.foundationURL)
            func open() throws -> ModelContainer {
                try ModelContainer(
                    for: Schema(versionedSchema: SampleTripsSchemaV4.self),
                    migrationPlan: SampleTripsMigrationPlan.self, configurations: ModelConfiguration(url: url))
            }
            let container = try open()
            await container.close()
            #expect(try await store.recordedVersions() == ["4.0.0 baseline"])
        }
    }

    @Test("a store in memory gets the newest tables")
    func inMemory() async throws {
        try await withMigratingStore { store in
            let url = try #require(store.database.foundationURL)
            let container = try await ModelContainer(
                for: Schema(versionedSchema: SampleTripsSchemaV4.self), migrationPlan: SampleTripsMigrationPlan.self,
                configurations: ModelConfiguration(url: url, isStoredInMemoryOnly: true))
            let context = ModelContext(container)
            #expect(try await context.fetchCount(FetchDescriptor<Trip>()) == 0)
            await container.close()
        }
    }

    @Test("many processes may start at once on an empty database")
    func race() async throws {
        try await withMigratingStore { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await store.with(SampleTripsSchemaV4.self) { _ in } }
                }
                try await group.waitForAll()
            }
            #expect(try await store.recordedVersions() == ["4.0.0 baseline"])
        }
    }

    @Test("tables of a container without a plan are taken for the version they are of")
    func adoption() async throws {
        try await withMigratingStore { store in
            try await store.with(SampleTripsSchemaV4.self, plan: nil) { _ in }
            await #expect(throws: MigrationError.self) {
                try await store.with(SampleTripsSchemaV4.self, .verify) { _ in }
            }
            try await store.database.execute("CREATE TABLE somebody_elses (a int)")
            try await store.with(SampleTripsSchemaV4.self) { _ in }
            #expect(try await store.recordedVersions() == ["4.0.0 baseline"])
        }
    }

    @Test("tables of no version are an error with the differences to the nearest")
    func unknownTables() async throws {
        try await withMigratingStore { store in
            try await store.with(SampleTripsSchemaV4.self, plan: nil) { _ in }
            try await store.database.execute("ALTER TABLE business_trip ADD COLUMN colour text")
            let error = try await #require(throws: SwiftDataError.self) {
                try await store.with(SampleTripsSchemaV4.self) { _ in }
            }
            #expect(error.code == .unknownSchema)
            #expect(error.message.contains("Version 4.0.0 is the nearest"))
            #expect(error.message.contains("business_trip.colour"))
            #expect(try await store.texts("SELECT 'x' WHERE to_regclass('strata.schema_version') IS NOT NULL").isEmpty)
        }
    }

    @Test("a database that is newer than the container is an error")
    func backward() async throws {
        try await withMigratingStore { store in
            try await store.with(SampleTripsSchemaV4.self) { _ in }
            // A version the plan knows, and one that it does not.
            let plans: [any SchemaMigrationPlan.Type] = [SampleTripsMigrationPlan.self, MigratingOldPlan.self]
            for plan in plans {
                let error = try await #require(throws: SwiftDataError.self) {
                    try await store.with(SampleTripsSchemaV3.self, plan: plan) { _ in }
                }
                #expect(error.code == .backwardMigration)
            }
        }
    }

    @Test("a version that was edited after it was applied is an error with the differences")
    func edited() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingReleased.self, plan: MigratingReleasedPlan.self) { _ in }
            let error = try await #require(throws: SwiftDataError.self) {
                try await store.with(MigratingEdited.self, plan: MigratingEditedPlan.self) { _ in }
            }
            #expect(error.code == .unknownSchema)
            #expect(error.message.contains("Guest.age"), "\(error.message)")
            // Applied by psql there is no description; the tables say the same.
            try await store.database.execute("UPDATE strata.schema_version SET description = NULL")
            let second = try await #require(throws: SwiftDataError.self) {
                try await store.with(MigratingEdited.self, plan: MigratingEditedPlan.self, .verify) { _ in }
            }
            #expect(second.code == .unknownSchema)
            #expect(second.message.contains("guest.age"), "\(second.message)")
        }
    }

    @Test("a version that the plan has lost is an error that lists those it has")
    func lost() async throws {
        try await withMigratingStore { store in
            try await store.with(SampleTripsSchemaV4.self) { _ in }
            try await store.database.execute("UPDATE strata.schema_version SET version = '2.5.0'")
            let error = try await #require(throws: SwiftDataError.self) {
                try await store.with(SampleTripsSchemaV4.self) { _ in }
            }
            #expect(error.code == .unknownSchema)
            #expect(error.message.contains("1.0.0, 2.0.0, 3.0.0, 4.0.0"))
        }
    }

    @Test("verifying writes nothing")
    func verifyEmpty() async throws {
        try await withMigratingStore { store in
            let error = try await #require(throws: MigrationError.self) {
                try await store.with(SampleTripsSchemaV4.self, .verify) { _ in }
            }
            #expect(error.code == .difference)
            await #expect(throws: MigrationError.self) {
                _ = try await store.open(SampleTripsSchemaV4.self, allowsSave: false)
            }
            let relations = try await store.texts(
                "SELECT relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace "
                    + "WHERE nspname IN ('public', 'strata')")
            #expect(relations.isEmpty)
        }
    }

    @Test("a container without a plan creates no tables beside those of migrations")
    func withoutPlan() async throws {
        try await withMigratingStore { store in
            try await store.with(SampleTripsSchemaV3.self, plan: MigratingOldPlan.self) { _ in }
            // Fits: nothing is missing.
            try await store.with(SampleTripsSchemaV3.self, plan: nil) { _ in }
            let error = try await #require(throws: SwiftDataError.self) {
                try await store.with(SampleTripsSchemaV4.self, plan: nil) { _ in }
            }
            #expect(error.code == .storeDoesNotFit)
            #expect(error.message.contains("apply the migrations"))
            #expect(error.message.contains("A class that is in no version of the plan needs one"))
            #expect(try await store.texts("SELECT 'x' WHERE to_regclass('business_trip') IS NOT NULL").isEmpty)
            // In another schema of the same database nobody has migrated anything.
            var configuration = ModelConfiguration(url: try #require(store.database.foundationURL))
            configuration.postgresSchema = "other"
            let container = try await ModelContainer(
                for: Schema(versionedSchema: SampleTripsSchemaV4.self), configurations: configuration)
            await container.close()
        }
    }
}

/// The plan of the program before the last version.
enum MigratingOldPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { SampleTripsMigrationPlan.schemas.dropLast() }
    static var stages: [MigrationStage] { SampleTripsMigrationPlan.stages.dropLast() }
}

enum MigratingReleased: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self] }
    @Model final class Guest {
        var name: String
        init(name: String) { self.name = name }
    }
}

enum MigratingEdited: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self] }
    @Model final class Guest {
        var name: String
        var age: Int?
        init(name: String) { self.name = name }
    }
}

enum MigratingReleasedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingReleased.self] }
    static var stages: [MigrationStage] { [] }
}

enum MigratingEditedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingEdited.self] }
    static var stages: [MigrationStage] { [] }
}
