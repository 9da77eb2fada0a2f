import Foundation
import SampleTripsModels
import Strata
import StrataClient
import StrataMigrations
import StrataTestSupport
import Testing

/// Programs of two versions beside each other, while a stage is applied phase by phase.
@Suite struct MigratingPhaseTests {
    @Test("between backfill and contract the old program starts and works, and so does the new one")
    func sideBySide() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingHouse.self, plan: MigratingHousePlan.self) { context in
                context.insert(MigratingHouse.Guest(name: "Ada", room: "12"))
                context.insert(MigratingHouse.Guest(name: "Bob", room: nil))
                try await context.save()
            }
            try await store.apply(MigratingResidentPlan.self, through: .backfill)
            for policy in [MigrationPolicy.apply, .verify] {
                try await store.with(MigratingHouse.self, plan: MigratingHousePlan.self, policy) { context in
                    context.insert(MigratingHouse.Guest(name: "Old \(policy)", room: "7"))
                    try await context.save()
                }
            }
            try await store.with(MigratingResidents.self, plan: MigratingResidentPlan.self, .verify) { context in
                context.insert(MigratingResidents.Resident(name: "New", room: "9"))
                try await context.save()
                let residents = try await context.fetch(
                    FetchDescriptor<MigratingResidents.Resident>(sortBy: [SortDescriptor(\.name)]))
                #expect(residents.map(\.name) == ["Ada", "New", "Old apply", "Old verify"])
                #expect(residents.map(\.room) == ["12", "9", "7", "7"])
            }
            try await store.apply(MigratingResidentPlan.self, through: .contract)
            #expect(
                try await store.texts("SELECT name || room FROM guest JOIN resident USING (pk) ORDER BY 1")
                    == ["Ada12", "New9", "Old apply7", "Old verify7"])
            try await store.with(MigratingResidents.self, plan: MigratingResidentPlan.self, .verify) { _ in }
            for plan in [MigratingHousePlan.self, MigratingResidentPlan.self] as [any SchemaMigrationPlan.Type] {
                let error = try await #require(throws: SwiftDataError.self) {
                    try await store.with(MigratingHouse.self, plan: plan) { _ in }
                }
                #expect(error.code == .backwardMigration)
            }
        }
    }

    @Test("before its backfill is complete the new program does not start under verify")
    func expanded() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingHouse.self, plan: MigratingHousePlan.self) { _ in }
            try await store.apply(MigratingResidentPlan.self, through: .expand)
            let error = try await #require(throws: MigrationError.self) {
                try await store.with(MigratingResidents.self, plan: MigratingResidentPlan.self, .verify) { _ in }
            }
            #expect(error.code == .difference)
            #expect(error.places.contains { $0.contains("phase backfill: copy rows of guest to resident") })
            #expect(!error.places.contains { $0.contains("phase expand") })
        }
    }

    @Test("names that change in contract keep the new program from starting until then")
    func renamed() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingReleased.self, plan: MigratingReleasedPlan.self) { _ in }
            try await store.apply(MigratingRenamedPlan.self, through: .backfill)
            let error = try await #require(throws: MigrationError.self) {
                try await store.with(MigratingRenamed.self, plan: MigratingRenamedPlan.self, .verify) { _ in }
            }
            #expect(error.code == .difference)
            #expect(error.places.count == 1)
            #expect(error.places.first?.contains("switch to the names of version 2.0.0") == true)
            #expect(error.remedy?.contains("apply the phase contract") == true)
            try await store.with(MigratingReleased.self, plan: MigratingReleasedPlan.self, .verify) { _ in }
            try await store.apply(MigratingRenamedPlan.self, through: .contract)
            try await store.with(MigratingRenamed.self, plan: MigratingRenamedPlan.self, .verify) { _ in }
        }
    }

    @Test("a changed delete rule keeps the new program from starting until contract, and the step is named")
    func deleteRule() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingShelves.self, plan: MigratingShelvesPlan.self) { context in
                context.insert(MigratingShelves.Book(title: "A", shelf: MigratingShelves.Shelf(name: "S")))
                try await context.save()
            }
            try await store.apply(MigratingCascadePlan.self, through: .backfill)
            let error = try await #require(throws: MigrationError.self) {
                try await store.with(MigratingCascade.self, plan: MigratingCascadePlan.self, .verify) { _ in }
            }
            #expect(error.code == .difference)
            #expect(error.places.count == 1 && error.places.first?.contains("replace foreign key") == true, "\(error)")
            #expect(error.remedy?.contains("apply the phase contract") == true)
            try await store.with(MigratingShelves.self, plan: MigratingShelvesPlan.self, .verify) { _ in }
            try await store.apply(MigratingCascadePlan.self, through: .contract)
            try await store.with(MigratingCascade.self, plan: MigratingCascadePlan.self, .verify) { context in
                let shelves = try await context.fetch(FetchDescriptor<MigratingCascade.Shelf>())
                for shelf in shelves { context.delete(shelf) }
                try await context.save()
                #expect(try await context.fetchCount(FetchDescriptor<MigratingCascade.Book>()) == 0)
            }
        }
    }

    @Test("the old program starts where the new form of its view is there already")
    func replacedView() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingCounted.self, plan: MigratingCountedPlan.self) { context in
                context.insert(MigratingCounted.Guest(room: "7"))
                try await context.save()
            }
            try await store.apply(MigratingLatestPlan.self, through: .backfill)
            #expect(try await store.texts("SELECT latest::text FROM room_count") == ["1"])
            func expectRooms(_ plan: (any SchemaMigrationPlan.Type)?, _ policy: MigrationPolicy) async throws {
                try await store.with(MigratingCounted.self, plan: plan, policy) { context in
                    let rooms = try await context.fetch(FetchDescriptor<MigratingCounted.RoomCount>())
                    #expect(rooms.map(\.room) == ["7"] && rooms.map(\.guests) == [1])
                }
            }
            try await expectRooms(MigratingCountedPlan.self, .apply)
            try await expectRooms(MigratingCountedPlan.self, .verify)
            try await expectRooms(nil, .apply)
            try await store.apply(MigratingLatestPlan.self, through: .contract)
            try await store.with(MigratingLatest.self, plan: MigratingLatestPlan.self, .verify) { context in
                let rooms = try await context.fetch(FetchDescriptor<MigratingLatest.RoomCount>())
                #expect(rooms.map(\.latest) == [1])
            }
        }
    }

    @Test("a didMigrate that has not run keeps the new program from starting")
    func didMigrate() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingReleased.self, plan: MigratingReleasedPlan.self) { _ in }
            try await store.apply(MigratingLatePlan.self, through: .backfill)
            let error = try await #require(throws: MigrationError.self) {
                try await store.with(MigratingNicknames.self, plan: MigratingLatePlan.self, .verify) { _ in }
            }
            #expect(error.places.count == 1)
            #expect(error.places.first?.contains("run didMigrate with version 2.0.0") == true)
        }
    }

    @Test("the sample's subclasses can be used before contract")
    func sampleTrips() async throws {
        try await withMigratingStore { store in
            try await store.with(SampleTripsSchemaV3.self, plan: MigratingOldPlan.self) { _ in }
            try await store.apply(SampleTripsMigrationPlan.self, through: .backfill)
            try await store.with(SampleTripsSchemaV4.self, .verify) { context in
                context.insert(BusinessTrip(name: "a", destination: "b", startDate: .now, endDate: .now, perdiem: 4))
                try await context.save()
            }
        }
    }
}

extension MigratingStore {
    /// As the migration tool does it.
    func apply(
        _ plan: any SchemaMigrationPlan.Type, through phase: MigrationPhase, to number: Int? = nil
    ) async throws {
        let scripts = try MigrationChain(plan: plan).scripts(in: "public")
        let configuration = database.configuration
        let closures = try PlanClosures(plan: plan, configuration: configuration, schemaName: "public")
        try await offThePool {
            try MigrationRunner(configuration: configuration, schemaName: "public", closures: closures)
                .apply(scripts, through: phase, to: number)
        }
    }
}

enum MigratingHouse: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self] }
    @Model final class Guest {
        var name: String
        var room: String?
        init(name: String, room: String?) {
            self.name = name
            self.room = room
        }
    }
}

enum MigratingResidents: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self, Resident.self] }
    @Model class Guest {
        var name: String
        init(name: String) { self.name = name }
    }
    @Model final class Resident: Guest {
        var room: String?
        init(name: String, room: String?) {
            self.room = room
            super.init(name: name)
        }
    }
}

enum MigratingHousePlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingHouse.self] }
    static var stages: [MigrationStage] { [] }
}

enum MigratingResidentPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingHouse.self, MigratingResidents.self] }
    static var stages: [MigrationStage] {
        [
            .lightweight(
                fromVersion: MigratingHouse.self, toVersion: MigratingResidents.self,
                changes: [.split(MigratingResidents.Resident.self, where: "room IS NOT NULL")])
        ]
    }
}

enum MigratingRenamed: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self] }
    @Model final class Guest {
        @Attribute(originalName: "name") var fullName: String
        init(fullName: String) { self.fullName = fullName }
    }
}

enum MigratingRenamedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingReleased.self, MigratingRenamed.self] }
    static var stages: [MigrationStage] {
        [.lightweight(fromVersion: MigratingReleased.self, toVersion: MigratingRenamed.self)]
    }
}

enum MigratingLatePlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingReleased.self, MigratingNicknames.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: MigratingReleased.self, toVersion: MigratingNicknames.self, willMigrate: nil,
                didMigrate: { _ in })
        ]
    }
}

enum MigratingShelves: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Shelf.self, Book.self] }

    @Model final class Shelf {
        var name: String
        var books: [Book] = []
        init(name: String) { self.name = name }
    }

    @Model final class Book {
        var title: String
        var shelf: Shelf?
        init(title: String, shelf: Shelf) {
            self.title = title
            self.shelf = shelf
        }
    }
}

enum MigratingCascade: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Shelf.self, Book.self] }

    @Model final class Shelf {
        var name: String
        @Relationship(deleteRule: .cascade) var books: [Book] = []
        init(name: String) { self.name = name }
    }

    @Model final class Book {
        var title: String
        var shelf: Shelf?
        init(title: String) { self.title = title }
    }
}

enum MigratingShelvesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingShelves.self] }
    static var stages: [MigrationStage] { [] }
}

enum MigratingCascadePlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingShelves.self, MigratingCascade.self] }
    static var stages: [MigrationStage] {
        [.lightweight(fromVersion: MigratingShelves.self, toVersion: MigratingCascade.self)]
    }
}

enum MigratingCounted: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self, RoomCount.self] }
    @Model final class Guest {
        var room: String
        init(room: String) { self.room = room }
    }
    @Model final class RoomCount: DatabaseView {
        static let definition: SQLStatement = """
            SELECT min(\(\Guest.persistentModelID)) AS \(column: \RoomCount.persistentModelID), \
            \(\Guest.room) AS \(column: \RoomCount.room), count(*) AS \(column: \RoomCount.guests)
            FROM \(Guest.self) GROUP BY \(\Guest.room)
            """
        var room: String
        var guests: Int
    }
}

/// The view tells one thing more.
enum MigratingLatest: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self, RoomCount.self] }
    @Model final class Guest {
        var room: String
        init(room: String) { self.room = room }
    }
    @Model final class RoomCount: DatabaseView {
        static let definition: SQLStatement = """
            SELECT min(\(\Guest.persistentModelID)) AS \(column: \RoomCount.persistentModelID), \
            \(\Guest.room) AS \(column: \RoomCount.room), count(*) AS \(column: \RoomCount.guests), \
            count(*) AS \(column: \RoomCount.latest)
            FROM \(Guest.self) GROUP BY \(\Guest.room)
            """
        var room: String
        var guests: Int
        var latest: Int
    }
}

enum MigratingCountedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingCounted.self] }
    static var stages: [MigrationStage] { [] }
}

enum MigratingLatestPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingCounted.self, MigratingLatest.self] }
    static var stages: [MigrationStage] {
        [.lightweight(fromVersion: MigratingCounted.self, toVersion: MigratingLatest.self)]
    }
}
