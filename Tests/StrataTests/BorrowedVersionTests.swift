import ChangingTrips
import Foundation
import Strata
import StrataTestSupport
import Testing

/// A plan whose first version has classes of the second.
@Suite struct BorrowedVersionTests {
    @Test func `a database of the version before is migrated with its objects`() async throws {
        try await withMigratingStore { store in
            try await store.with(CopiedGuests.self, plan: CopiedGuestsPlan.self) { context in
                let (guest, room) = (CopiedGuests.Guest(name: "A"), CopiedGuests.Room(number: 7))
                let visit = CopiedGuests.Visit(day: .now, guest: guest)
                visit.room = room
                context.insert(visit)
                try await context.save()
            }
            try await store.with(GuestsV2.self, plan: GuestsPlan.self) { context in
                let guest = try #require(try await context.fetch(FetchDescriptor<Guest>()).first)
                try await context.load([guest], \.visits)
                #expect(guest.name == "A" && guest.mail == nil && guest.visits.count == 1)
                let visit = try #require(guest.visits.first)
                try await context.load([visit], \.room)
                #expect(visit.room?.number == 7)
                guest.mail = "a@x"
                context.insert(Visit(day: .now, guest: guest))
                try await context.save()
            }
            let versions = try await store.recordedVersions().map { $0.prefix(5) }
            #expect(versions == ["1.0.0", "2.0.0"])
        }
    }

    @Test func `a container cannot be opened at a version that borrows related classes`() async throws {
        try await withMigratingStore { store in
            let plans: [(any SchemaMigrationPlan.Type)?] = [GuestsPlan.self, nil]
            for plan in plans {
                let error = try await #require(throws: SwiftDataError.self) {
                    try await store.with(GuestsV1.self, plan: plan) { _ in }
                }
                #expect(error.code == .invalidSchema)
                #expect(error.message.contains("Visit.guest: it leads to ChangingTrips.Guest"), "\(error.message)")
                #expect(error.message.contains("ChangingTrips.GuestsV1.Guest"))
            }
            #expect(try await store.texts("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'").isEmpty)
        }
    }
}

/// Version 1 with copies of all classes, as it would be without borrowing.
enum CopiedGuests: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Guest.self, Visit.self, Room.self] }

    @Model final class Guest {
        var name: String
        @Relationship(deleteRule: .cascade) var visits: [Visit] = []
        init(name: String) { self.name = name }
    }

    @Model final class Visit {
        var day: Date
        var guest: Guest?
        var room: Room?
        init(day: Date, guest: Guest?) {
            self.day = day
            self.guest = guest
        }
    }

    @Model final class Room {
        var number: Int
        var visits: [Visit] = []
        init(number: Int) { self.number = number }
    }
}

enum CopiedGuestsPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [CopiedGuests.self] }
    static var stages: [MigrationStage] { [] }
}
