import Foundation
import Strata
import Testing

@Model private final class Team {
    var name: String
    @Relationship(deleteRule: .nullify, minimumModelCount: 1, maximumModelCount: 3, inverse: \Player.team)
    var players: [Player] = []
    @Relationship(deleteRule: .nullify, maximumModelCount: 2, inverse: \Fan.teams) var fans: [Fan] = []
    init(_ name: String, players: [Player]) {
        self.name = name
        self.players = players
    }
}

@Model private final class Player {
    var name: String
    var team: Team?
    @Relationship(deleteRule: .cascade, inverse: \Trick.player) var tricks: [Trick] = []
    init(_ name: String, team: Team? = nil) {
        self.name = name
        self.team = team
    }
}

@Model private final class Fan {
    var name: String
    var teams: [Team] = []
    init(_ name: String) { self.name = name }
}

@Model private final class Trick {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: nil) var inventor: Player?
    var player: Player?
    init(_ name: String) { self.name = name }
}

/// Limits of the number of objects, where memory does not know it.
@Suite struct CountLimitTests {
    private func withTeam(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Team.self, Player.self, Fan.self, Trick.self) { store in
            let context = ModelContext(store.container)
            context.insert(Team("T", players: [Player("a"), Player("b")]))
            try await context.save()
            try await body(store, ModelContext(store.container))
        }
    }

    private func players(_ context: ModelContext) async throws -> [Player] {
        try await context.fetch(FetchDescriptor<Player>(sortBy: [SortDescriptor(\.name)]))
    }

    @Test func `a child that leaves an unloaded parent is counted`() async throws {
        try await withTeam { store, context in
            let players = try await players(context)
            players[0].team = nil
            store.recorder.reset()
            try await context.save()
            #expect(store.recorder.roundTrips == 1)
            players[1].team = nil
            do {
                try await context.save()
                Issue.record("no error")
            } catch let error as SwiftDataError {
                #expect(error.code == .modelValidationFailure)
                #expect(error.message.contains("Team.players has 0 objects; it must have at least 1"))
                #expect(error.identifiers.map(\.entityName) == ["Team"])
            }
            #expect(context.hasChanges)
            let reader = ModelContext(store.container)
            let left = try await reader.fetch(FetchDescriptor<Player>())
            #expect(left.count { $0.team != nil } == 1)
        }
    }

    @Test func `a child that comes to an unloaded parent is counted`() async throws {
        try await withTeam { store, context in
            let team = try await context.only(Team.self)
            context.insert(Player("c", team: team))
            try await context.save()
            let other = ModelContext(store.container)
            let same = try await other.only(Team.self)
            other.insert(Player("d", team: same))
            await expectError(.modelValidationFailure) { try await other.save() }
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Player>()) == 3)
        }
    }

    @Test func `a deleted child is counted, and its parent may go too`() async throws {
        try await withTeam { store, context in
            let players = try await players(context)
            for player in players { context.delete(player) }
            await expectError(.modelValidationFailure) { try await context.save() }
            context.delete(try await context.only(Team.self))
            store.recorder.reset()
            try await context.save()
            // Nobody asks for the number of players of a team that goes.
            #expect(!store.recorder.statements.contains { $0.hasSuffix("FOR NO KEY UPDATE") })
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Player>()) == 0)
        }
    }

    @Test func `a child deleted by a rule or by a predicate is counted`() async throws {
        try await withTeam { store, context in
            let players = try await players(context)
            for player in players {
                let trick = Trick("of \(player.name)")
                trick.inventor = player
                context.insert(trick)
            }
            try await context.save()
            let other = ModelContext(store.container)
            for trick in try await other.fetch(FetchDescriptor<Trick>()) { other.delete(trick) }
            await expectError(.modelValidationFailure) { try await other.save() }
            other.rollback()
            try other.delete(model: Player.self)
            await expectError(.modelValidationFailure) { try await other.save() }
            other.rollback()
            try other.delete(model: Player.self, where: #Predicate { $0.name == "a" })
            try await other.save()
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Player>()) == 1)
        }
    }

    @Test func `links are counted from both sides`() async throws {
        try await withTeam { store, context in
            let team = try await context.only(Team.self)
            for name in ["x", "y"] {
                let fan = Fan(name)
                fan.teams = [team]
                context.insert(fan)
            }
            try await context.save()
            let other = ModelContext(store.container)
            let fan = Fan("z")
            fan.teams = [try await other.only(Team.self)]
            other.insert(fan)
            await expectError(.modelValidationFailure) { try await other.save() }
            fan.teams = []
            try await other.save()
        }
    }

    @Test(.timeLimit(.minutes(1))) func `contexts at the same time cannot take more than the last place`() async throws
    {
        try await withTeam { store, _ in
            let container = store.container
            let saved = Shared(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let context = ModelContext(container)
                        let team = try #require(try await context.fetch(FetchDescriptor<Team>()).first)
                        context.insert(Player("n\(number)", team: team))
                        do {
                            try await context.save()
                            saved.withLock { $0 += 1 }
                        } catch SwiftDataError.modelValidationFailure {}
                    }
                }
                try await group.waitForAll()
            }
            #expect(saved.value == 1)
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Player>()) == 3)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `contexts at the same time cannot take all away`() async throws {
        try await withTeam { store, _ in
            let container = store.container
            let saved = Shared(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in ["a", "b"] {
                    group.addTask {
                        let context = ModelContext(container)
                        let found = try await context.fetch(
                            FetchDescriptor<Player>(predicate: #Predicate { $0.name == name }))
                        for player in found { if name == "a" { player.team = nil } else { context.delete(player) } }
                        do {
                            try await context.save()
                            saved.withLock { $0 += 1 }
                        } catch SwiftDataError.modelValidationFailure {}
                    }
                }
                try await group.waitForAll()
            }
            #expect(saved.value == 1)
        }
    }
}
