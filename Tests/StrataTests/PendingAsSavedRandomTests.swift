import Foundation
import Strata
import Testing

/// Random objects, random unsaved changes, random queries: each finds before the save what it finds after it.
@Suite struct PendingAsSavedRandomTests {
    private static let cases = 60
    private static let names = ["a", "b", "c", "é", "Z"]

    @Test(arguments: 0..<4) func `queries find before the save what they find after it`(part: Int) async throws {
        try await withModelStore(
            World.Team.self, World.Player.self, World.Captain.self, World.Keeper.self, World.Tag.self,
            World.Trophy.self, World.Locker.self, World.Contract.self, label: "\(part)"
        ) { store in
            var refused = 0
            for index in 0..<Self.cases {
                let seed = UInt64(part * Self.cases + index)
                if try await !compare(seed, store) { refused += 1 }
                try await ModelContext(store.container).eraseAll()
            }
            #expect(refused < Self.cases / 4, "Too many of the random saves were refused to say much.")
        }
    }

    /// - Returns: whether there was something to compare: a save may be refused.
    private func compare(_ seed: UInt64, _ store: ModelStore) async throws -> Bool {
        var random = SeededGenerator(seed)
        let setup = ModelContext(store.container)
        fill(setup, &random)
        try await setup.save()

        let context = ModelContext(store.container)
        var log: [String] = []
        try await change(context, &random, &log)
        var found: [(query: RandomQuery, result: QueryResult)] = []
        for _ in 0..<6 {
            let query = RandomQuery.random(&random)
            do {
                found.append((query, try await query.run(context)))
            } catch {
                Issue.record("seed \(seed): \(query.name) failed: \(error)\n\(log.joined(separator: "\n"))")
            }
            if let (query, result) = found.last {
                let identifiers = result.objects.map(\.persistentModelID)
                #expect(
                    query.isOrdered
                        ? identifiers == result.identifiers : Set(identifiers) == Set(result.identifiers),
                    "seed \(seed): \(query.name)")
            }
        }
        do { try await context.save() } catch is SwiftDataError { return false }
        let fresh = ModelContext(store.container)
        for (query, before) in found {
            let after = try await query.run(fresh)
            let (old, new) = (before.objects.map(\.persistentModelID), after.identifiers)
            let isSame = query.isOrdered ? old == new : Set(old) == Set(new) && old.count == new.count
            #expect(
                isSame && before.count == after.count,
                "seed \(seed): \(query.name)\nbefore \(old.map(\.id))\nafter \(new.map(\.id))\ncounts \(before.count) \(after.count)\n\(log.joined(separator: "\n"))"
            )
        }
        return true
    }

    private func fill(_ context: ModelContext, _ random: inout SeededGenerator) {
        func name() -> String { Self.names.randomElement(using: &random) ?? "" }
        func maybe<M>(_ models: [M]) -> M? { Bool.random(using: &random) ? models.randomElement(using: &random) : nil }
        let tags = Self.names.map { World.Tag($0) }
        var teams: [World.Team] = []
        var players: [World.Player] = []
        for code in 0..<Int.random(in: 2...6, using: &random) {
            let team = World.Team(code, name())
            context.insert(team)
            team.city = Bool.random(using: &random) ? name() : nil
            team.parent = maybe(teams)
            team.rival = maybe(teams)
            for tag in tags where Int.random(in: 0..<3, using: &random) == 0 { team.tags.append(tag) }
            for year in 0..<Int.random(in: 0...2, using: &random) { team.trophies.append(World.Trophy(name(), year)) }
            teams.append(team)
        }
        for _ in 0..<Int.random(in: 2...8, using: &random) {
            let player = newPlayer(context, &random)
            player.team = maybe(teams)
            player.mentor = maybe(players)
            if let captain = player as? World.Captain { captain.contracts.append(World.Contract(players.count)) }
            if Bool.random(using: &random) { player.locker = World.Locker(players.count) }
            players.append(player)
        }
    }

    private func newPlayer(_ context: ModelContext, _ random: inout SeededGenerator) -> World.Player {
        let name = Self.names.randomElement(using: &random) ?? ""
        let player: World.Player
        switch Int.random(in: 0..<3, using: &random) {
        case 0: player = World.Player(name)
        case 1:
            let captain = World.Captain(name)
            captain.years = Int.random(in: 0...4, using: &random)
            player = captain
        default: player = World.Keeper(name)
        }
        player.score = Double(Int.random(in: -1...3, using: &random))
        context.insert(player)
        return player
    }

    // MARK: Changes

    private func change(_ context: ModelContext, _ random: inout SeededGenerator, _ log: inout [String]) async throws {
        func some<M: PersistentModel>(_: M.Type) async throws -> [M] {
            var descriptor = FetchDescriptor<M>()
            descriptor.fetchLimit = Int.random(in: 1...6, using: &random)
            return try await context.fetch(descriptor)
        }
        var teams = try await some(World.Team.self)
        var players = try await some(World.Player.self)
        let tags = try await some(World.Tag.self)
        let trophies = try await some(World.Trophy.self)
        for _ in 0..<Int.random(in: 1...7, using: &random) {
            let (name, other) = (Self.names.randomElement(using: &random), Self.names.randomElement(using: &random))
            guard let name, let other else { return }
            let team = teams.filter { !$0.isDeleted }.randomElement(using: &random)
            let second = teams.filter { !$0.isDeleted }.randomElement(using: &random)
            let player = players.filter { !$0.isDeleted }.randomElement(using: &random)
            let mentor = players.filter { !$0.isDeleted }.randomElement(using: &random)
            let tag = tags.randomElement(using: &random)
            let step = Int.random(in: 0..<24, using: &random)
            log.append("step \(step): \(name), team \(team?.code ?? -1), second \(second?.code ?? -1)")
            switch step {
            case 0, 1: team?.name = name
            case 2: team?.city = Bool.random(using: &random) ? nil : name
            case 3:
                team?.founded = Date(timeIntervalSince1970: 0.000_000_4)
                team?.name = other
            case 4: if let team, team !== second, second?.parent == nil { team.parent = second }
            case 5: team?.parent = nil
            case 6: team?.rival = second
            case 7: player?.team = team
            case 8: if let player { team?.players.append(player) }
            case 9: if let first = team?.players.first { team?.players.removeAll { $0 === first } }
            case 10:
                player?.name = name
                player?.score = 2.5
            case 11: if player !== mentor { player?.mentor = mentor }
            case 12: if let tag, let team, !team.tags.contains(where: { $0 === tag }) { team.tags.append(tag) }
            case 13: if let tag, let first = tag.teams.first { tag.teams.removeAll { $0 === first } }
            case 14:
                if let trophy = trophies.randomElement(using: &random), let team,
                    !team.trophies.contains(where: { $0 === trophy })
                {
                    team.trophies.append(trophy)
                }
            case 15: team?.trophies.removeAll()
            case 16:
                let new = World.Team(Int.random(in: 0...9, using: &random), name)
                context.insert(new)
                new.rival = team
                new.parent = second
                if let tag { new.tags.append(tag) }
                if Bool.random(using: &random) { new.trophies.append(World.Trophy(other, 9)) }
                teams.append(new)
            case 17:
                let new = newPlayer(context, &random)
                new.team = team
                new.mentor = mentor
                if Bool.random(using: &random) { new.locker = World.Locker(9) }
                players.append(new)
            case 18: if let team { context.delete(team) }
            case 19: if let player { context.delete(player) }
            case 20: if let tag, !tag.isDeleted { context.delete(tag) }
            case 21: try context.delete(model: World.Player.self, where: #Predicate { $0.name == name })
            case 22: try context.delete(model: World.Team.self, where: #Predicate { $0.parent?.name == name })
            default: player?.locker = Bool.random(using: &random) ? nil : World.Locker(7)
            }
        }
    }
}

extension ModelContext {
    /// Deletes everything, for the next round.
    fileprivate func eraseAll() async throws {
        try delete(model: World.Team.self)
        try delete(model: World.Player.self)
        try delete(model: World.Tag.self)
        try delete(model: World.Trophy.self)
        try delete(model: World.Locker.self)
        try delete(model: World.Contract.self)
        try await save()
    }
}
