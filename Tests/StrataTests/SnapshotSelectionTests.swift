import Foundation
import Strata
import StrataMigrations
import Testing

/// Which attributes a snapshot has: all but hidden ones, or those that are named.
@Suite struct SnapshotSelectionTests {
    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func withMembers(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Club.self, Member.self) { store in
            let writer = ModelContext(store.container)
            let club = Club("Chess")
            club.members = [Member("Ada", passwordHash: "secret"), Member("Bob", passwordHash: "secret")]
            writer.insert(club)
            try await writer.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    @Test func `a hidden attribute is in no snapshot, unless it is asked for`() async throws {
        try await withMembers { _, context in
            let members = try await context.fetch(FetchDescriptor<Member>(sortBy: [SortDescriptor(\.name)]))
            let clubs = try await context.fetch(FetchDescriptor<Club>())
            for snapshot in try await context.snapshots(of: members) {
                #expect(!snapshot.contains(\.passwordHash))
                #expect(snapshot.passwordHash == "")
                #expect(try !text(snapshot).contains("secret") && !text(snapshot).contains("passwordHash"))
            }
            let within = try await context.snapshots(of: clubs, including: \.members)
            #expect(try !text(within).contains("secret"))
            let whole = try members[0].snapshot(including: \.passwordHash)
            #expect(whole.passwordHash == "secret")
            #expect(try text(whole).contains(#""passwordHash":"secret""#))
            // JSON without it is read, and leaves it alone.
            let again = try JSONDecoder().decode(
                ModelSnapshot<Member>.self, from: JSONEncoder().encode(try members[0].snapshot()))
            try await context.apply(again, to: members[0], allowing: .everything)
            #expect(members[0].passwordHash == "secret" && !context.hasChanges)
        }
    }

    @Test func `a hidden attribute is no matter of the database`() throws {
        let hidden = try FrozenSchema(freezing: Schema(Hiding.Note.self))
        let shown = try FrozenSchema(freezing: Schema(Showing.Note.self))
        #expect(hidden == shown)
        #expect(hidden.fingerprint == shown.fingerprint)
    }

    @Test func `snapshots have only what is named, and no other column is read`() async throws {
        try await withMembers { store, context in
            let descriptor = FetchDescriptor<Member>(sortBy: [SortDescriptor(\.name)])
            let snapshots = try await context.snapshots(of: descriptor, only: \.name)
            #expect(
                store.recorder.statements == [
                    """
                    SELECT t0."pk", t0."name" FROM "public"."member" AS t0 ORDER BY t0."name" COLLATE "C" ASC, t0."pk"
                    """
                ])
            #expect(store.recorder.roundTrips == 1)
            #expect(snapshots.map(\.name) == ["Ada", "Bob"])
            #expect(!snapshots[0].contains(\.joined) && snapshots[0].joined == 0)
            let id = try #require(snapshots[0].persistentModelID)
            #expect(try text(snapshots[0]) == #"{"class":"Member","name":"Ada","persistentModelID":"\#(id)"}"#)
        }
    }

    @Test func `relationships that are named come with their objects or identifiers`() async throws {
        try await withMembers { store, context in
            let clubs = try await context.snapshots(of: FetchDescriptor<Club>(), only: \.name, \.members)
            #expect(store.recorder.roundTrips == 2)
            #expect(clubs[0].members?.count == 2)
            #expect(try !text(clubs).contains("secret"))
            let members = try await context.snapshots(
                of: FetchDescriptor<Member>(), only: \.name, identifying: [\.club])
            #expect(members[0].identifiers(of: \.club) == clubs.compactMap(\.persistentModelID))
        }
    }

    @Test func `objects in memory give what is named, without the database`() async throws {
        try await withMembers { store, context in
            let members = try await context.fetch(FetchDescriptor<Member>(sortBy: [SortDescriptor(\.name)]))
            store.recorder.reset()
            let snapshots = try await context.snapshots(of: members, only: \.joined, \.passwordHash)
            #expect(snapshots[1].passwordHash == "secret" && !snapshots[1].contains(\.name))
            #expect(try await members[0].snapshot(only: \.name) == context.snapshots(of: members, only: \.name)[0])
            #expect(store.recorder.roundTrips == 0)
            await expectError(.unsupportedKeyPath) { _ = try members[0].snapshot(only: \.shout) }
            await expectError(.unsupportedKeyPath) { _ = try members[0].snapshot(only: \.isSelected) }
        }
    }
}

@Model private final class Club {
    var name: String
    @Relationship(inverse: \Member.club) var members: [Member] = []
    init(_ name: String) { self.name = name }
}

@Model private final class Member {
    var name: String
    var joined = 0
    @Attribute(.hidden) var passwordHash: String
    @Attribute(.ephemeral) var isSelected = false
    var club: Club?
    init(_ name: String, passwordHash: String) {
        self.name = name
        self.passwordHash = passwordHash
    }
    var shout: String { name.uppercased() }
}

private enum Hiding {
    @Model final class Note {
        @Attribute(.hidden, .unique) var text: String
        init(_ text: String) { self.text = text }
    }
}

private enum Showing {
    @Model final class Note {
        @Attribute(.unique) var text: String
        init(_ text: String) { self.text = text }
    }
}
