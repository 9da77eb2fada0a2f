import Foundation
import Strata
import StrataTestSupport
import Testing

/// A plan of which two stores keep parts.
@Suite struct MigratingStoresTests {
    /// Two databases, one for trips and one for members.
    private struct Places {
        let trips: MigratingStore
        let members: MigratingStore

        func configurations(_ trips: [any PersistentModel.Type], _ members: [any PersistentModel.Type]) throws
            -> [ModelConfiguration]
        {
            [
                ModelConfiguration(
                    "trips", schema: Schema(trips), url: try #require(self.trips.database.foundationURL)),
                ModelConfiguration(
                    "members", schema: Schema(members), url: try #require(self.members.database.foundationURL)),
            ]
        }

        func open(
            _ version: any VersionedSchema.Type, plan: any SchemaMigrationPlan.Type = StoresPlan.self,
            policy: MigrationPolicy = .apply, _ configurations: [ModelConfiguration]
        ) async throws -> ModelContainer {
            try await ModelContainer(
                for: Schema(versionedSchema: version), migrationPlan: plan, migrations: policy,
                configurations: configurations)
        }

        func configurationsV3() throws -> [ModelConfiguration] {
            try configurations([StoresV3.Trip.self], [StoresV3.Member.self])
        }

        func migrate(_ policy: MigrationPolicy = .apply) async throws {
            try await open(StoresV3.self, policy: policy, configurationsV3()).close()
        }

        /// Both stores at version 1, with two trips and two accounts.
        func fill() async throws {
            let container = try await open(
                StoresV1.self, configurations([StoresV1.Trip.self], [StoresV1.Account.self]))
            let context = ModelContext(container)
            for name in ["A", "B"] {
                context.insert(StoresV1.Trip(name: name, stops: [StoresV1.Stop(title: "\(name)1")]))
                context.insert(StoresV1.Account(email: "\(name)@x"))
            }
            try await context.save()
            await container.close()
        }

        func tables(_ store: MigratingStore) async throws -> [String] {
            try await store.texts("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        }
    }

    private func withPlaces(_ body: (Places) async throws -> Void) async throws {
        try await withMigratingStore("trips") { trips in
            try await withMigratingStore("members") { members in
                try await body(Places(trips: trips, members: members))
            }
        }
    }

    private func expectMigrated(_ places: Places) async throws {
        #expect(try await places.tables(places.trips) == ["stop", "tag", "trip"])
        #expect(try await places.tables(places.members) == ["invoice", "member"])
        let container = try await places.open(StoresV3.self, policy: .verify, places.configurationsV3())
        let context = ModelContext(container)
        let trips = try await context.fetch(FetchDescriptor<StoresV3.Trip>(sortBy: [SortDescriptor(\.name)]))
        #expect(trips.map(\.name) == ["A", "B"])
        #expect(trips.map { $0.stops.map(\.title) } == [["A1"], ["B1"]])
        // Each closure ran once.
        #expect(trips.map(\.days) == [3, 3])
        let members = try await context.fetch(FetchDescriptor<StoresV3.Member>(sortBy: [SortDescriptor(\.mail)]))
        #expect(members.map(\.mail) == ["A@x", "B@x"])
        #expect(members.map { $0.invoices.map(\.text) } == [["A 3, B 3"], ["A 3, B 3"]])
        await container.close()
    }

    @Test func `each store gets the tables of its classes, version by version, and code sees all stores`() async throws
    {
        try await withPlaces { places in
            try await places.fill()
            #expect(try await places.tables(places.trips) == ["stop", "trip"])
            #expect(try await places.tables(places.members) == ["account"])
            await #expect(throws: MigrationError.self) { try await places.migrate(.verify) }
            try await places.migrate()
            for store in [places.trips, places.members] {
                let versions = try await store.recordedVersions().map { $0.prefix(5) }
                #expect(versions == ["1.0.0", "2.0.0", "3.0.0"])
            }
            try await expectMigrated(places)
        }
    }

    @Test func `the order of the configurations makes no difference, and blocking is the same`() async throws {
        try await withPlaces { places in
            try await places.fill()
            let configurations = try places.configurationsV3()
            func open() throws {
                try ModelContainer(
                    for: Schema(versionedSchema: StoresV3.self), migrationPlan: StoresPlan.self,
                    configurations: configurations.reversed()
                ).close()
            }
            try open()
            try await expectMigrated(places)
        }
    }

    @Test func `empty databases get the newest tables at once`() async throws {
        try await withPlaces { places in
            try await places.migrate()
            #expect(try await places.trips.recordedVersions() == ["3.0.0 baseline"])
            #expect(try await places.members.recordedVersions() == ["3.0.0 baseline"])
        }
    }

    @Test func `an empty database beside one that is behind goes all the way with it`() async throws {
        try await withPlaces { places in
            let first = try await ModelContainer(
                for: Schema([StoresV1.Account.self]),
                configurations: ModelConfiguration(url: try #require(places.members.database.foundationURL)))
            let context = ModelContext(first)
            context.insert(StoresV1.Account(email: "a@x"))
            try await context.save()
            await first.close()
            try await places.migrate()
            #expect(try await places.trips.recordedVersions().first == "1.0.0 baseline")
            #expect(try await places.members.recordedVersions().first == "1.0.0 baseline")
            #expect(try await places.members.texts("SELECT text FROM invoice") == [""])
        }
    }

    @Test func `a stage that ended in one store goes on with the other`() async throws {
        try await withPlaces { places in
            try await places.fill()
            // What the second store of the order cannot make.
            try await places.trips.database.execute("CREATE TABLE tag (a int)")
            await #expect(throws: MigrationError.self) { try await places.migrate() }
            #expect(try await places.members.recordedVersions().last?.hasPrefix("3.0.0") == true)
            #expect(try await places.trips.recordedVersions().last?.hasPrefix("2.0.0") == true)
            try await places.trips.database.execute("DROP TABLE tag")
            try await places.migrate()
            try await expectMigrated(places)
        }
    }

    @Test func `code of a stage is refused where a store is ahead`() async throws {
        try await withPlaces { places in
            try await places.fill()
            // The second of the order, by somebody else.
            try await ModelContainer(
                for: Schema(StoresAlone.models, version: StoresAlone.versionIdentifier),
                migrationPlan: StoresAlonePlan.self,
                configurations: ModelConfiguration(url: try #require(places.trips.database.foundationURL))
            ).close()
            let error = try await #require(throws: SwiftDataError.self) { try await places.migrate() }
            #expect(error.code == .unsupportedFeature)
            #expect(error.message.contains("runs code over several stores"), "\(error.message)")
            #expect(try await places.members.recordedVersions().last?.hasPrefix("2.0.0") == true)
        }
    }

    @Test func `what would move objects between stores is refused before anything is written`() async throws {
        try await withPlaces { places in
            func message(
                _ version: any VersionedSchema.Type, _ plan: any SchemaMigrationPlan.Type,
                _ configurations: [ModelConfiguration]
            ) async throws -> String {
                let error = try await #require(throws: SwiftDataError.self) {
                    try await places.open(version, plan: plan, configurations)
                }
                return "\(error.code): \(error.message)"
            }
            let divided = try places.configurations([StoresV1.Trip.self], [StoresV1.Account.self])
            var text = try await message(StoresV1.self, StoresJoinedPlan.self, divided)
            #expect(text.hasPrefix("unsupportedFeature: Version 0.1.0 relates classes that version 1.0.0 keeps in"))
            #expect(text.contains("Account in \"members\"; Trip in \"trips\""))
            text = try await message(StoresV1.self, StoresStatementPlan.self, divided)
            #expect(text.hasPrefix("unsupportedFeature: The stage to version 1.0.0 has a statement of its own (.sql)"))
            text = try await message(StoresV1.self, StoresMovingPlan.self, divided)
            #expect(text.hasPrefix("unsupportedFeature: The stage to version 1.0.0 moves values from one store to"))
            text = try await message(StoresV1.self, StoresDroppingPlan.self, divided)
            #expect(text.hasPrefix("configurationSchemaNotFoundInContainerSchema: No configuration keeps Note of"))
            let open = [divided[0], ModelConfiguration("rest", url: divided[1].url)]
            try await places.open(StoresV1.self, plan: StoresDroppingPlan.self, open).close()
            #expect(try await places.tables(places.members) == ["account"])
        }
    }

    @Test func `a relationship from what is left to what another configuration keeps is refused`() async throws {
        try await withPlaces { places in
            let stops = ModelConfiguration(
                "guests", schema: Schema(StoresLeaning.Guest.self),
                url: try #require(places.trips.database.foundationURL))
            let rest = ModelConfiguration("rest", url: try #require(places.members.database.foundationURL))
            let error = try await #require(throws: SwiftDataError.self) {
                try await ModelContainer(for: StoresLeaning.Visit.self, configurations: stops, rest)
            }
            #expect(error.code == .duplicateConfiguration)
            #expect(error.message.contains("Guest is kept by the configuration \"guests\""))
        }
    }
}

enum StoresLeaning {
    @Model final class Visit {
        var guest: Guest?
        init() {}
    }

    @Model final class Guest {
        var name: String
        init(name: String) { self.name = name }
    }
}

/// The part of the trips, by itself.
enum StoresAlone: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
    static var models: [any PersistentModel.Type] { [StoresV3.Trip.self] }
}

enum StoresAlonePlan: SchemaMigrationPlan {
    enum V1: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
        static var models: [any PersistentModel.Type] { [StoresV1.Trip.self] }
    }

    enum V2: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
        static var models: [any PersistentModel.Type] { [StoresV2.Trip.self] }
    }

    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, StoresAlone.self] }
    static var stages: [MigrationStage] {
        [
            .lightweight(fromVersion: V1.self, toVersion: V2.self),
            .lightweight(fromVersion: V2.self, toVersion: StoresAlone.self),
        ]
    }
}

/// A version before the first, in which trips and accounts were related.
enum StoresJoinedPlan: SchemaMigrationPlan {
    enum V0: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(0, 1, 0) }
        static var models: [any PersistentModel.Type] { [Trip.self, Account.self] }

        @Model final class Trip {
            var name: String
            var account: Account?
            init(name: String) { self.name = name }
        }

        @Model final class Account {
            var email: String
            init(email: String) { self.email = email }
        }
    }

    static var schemas: [any VersionedSchema.Type] { [V0.self, StoresV1.self] }
    static var stages: [MigrationStage] {
        [
            .lightweight(
                fromVersion: V0.self, toVersion: StoresV1.self, changes: [.dropped(\V0.Trip.account)])
        ]
    }
}

enum StoresBefore: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(0, 1, 0) }
    static var models: [any PersistentModel.Type] { [Trip.self, Account.self] }

    @Model final class Trip {
        var name: String
        var contact: String?
        init(name: String) { self.name = name }
    }

    @Model final class Account {
        init() {}
    }
}

enum StoresMovingPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [StoresBefore.self, StoresV1.self] }
    static var stages: [MigrationStage] {
        [
            .lightweight(
                fromVersion: StoresBefore.self, toVersion: StoresV1.self,
                changes: [.renamed(\StoresBefore.Trip.contact, to: \StoresV1.Account.email)])
        ]
    }
}

enum StoresStatementPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [StoresBefore.self, StoresV1.self] }
    static var stages: [MigrationStage] {
        [.lightweight(fromVersion: StoresBefore.self, toVersion: StoresV1.self, changes: [.sql("SELECT 1")])]
    }
}

/// A version in which there was a class that is gone.
enum StoresDroppingPlan: SchemaMigrationPlan {
    enum V0: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(0, 1, 0) }
        static var models: [any PersistentModel.Type] { [StoresV1.Trip.self, StoresV1.Account.self, Note.self] }

        @Model final class Note {
            var text: String
            init(text: String) { self.text = text }
        }
    }

    static var schemas: [any VersionedSchema.Type] { [V0.self, StoresV1.self] }
    static var stages: [MigrationStage] {
        [.lightweight(fromVersion: V0.self, toVersion: StoresV1.self, changes: [.dropped(V0.Note.self)])]
    }
}
