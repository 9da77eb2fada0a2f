import Foundation
import Strata

/// What one query finds in a context.
struct QueryResult {
    let objects: [any PersistentModel]
    let identifiers: [PersistentIdentifier]
    let count: Int
}

/// A random descriptor of any class.
struct RandomQuery {
    let name: String
    /// Whether the order is part of the result.
    let isOrdered: Bool
    let run: (ModelContext) async throws -> QueryResult

    private init<T: PersistentModel>(_ name: String, _ descriptor: FetchDescriptor<T>) {
        self.name =
            "\(T.self) \(name), limit \(String(describing: descriptor.fetchLimit)) offset "
            + "\(String(describing: descriptor.fetchOffset)) sort \(descriptor.sortBy.map { String(describing: $0.keyPath) })"
        isOrdered = !descriptor.sortBy.isEmpty || descriptor.fetchLimit != nil || descriptor.fetchOffset != nil
        run = { context in
            QueryResult(
                objects: try await context.fetch(descriptor),
                identifiers: try await context.fetchIdentifiers(descriptor),
                count: try await context.fetchCount(descriptor))
        }
    }

    static func random(_ random: inout SeededGenerator) -> RandomQuery {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3:
            make(
                teams(&random, depth: Int.random(in: 0...2, using: &random)),
                [
                    SortDescriptor(\World.Team.name), SortDescriptor(\World.Team.city, order: .reverse),
                    SortDescriptor(\World.Team.parent?.name), SortDescriptor(\World.Team.rival?.code),
                    SortDescriptor(\World.Team.founded),
                ], &random)
        case 4...6:
            make(
                players(&random, depth: Int.random(in: 0...2, using: &random)),
                [
                    SortDescriptor(\World.Player.name), SortDescriptor(\World.Player.score, order: .reverse),
                    SortDescriptor(\World.Player.team?.name), SortDescriptor(\World.Player.mentor?.team?.code),
                    SortDescriptor(\World.Player.locker?.number),
                ], &random)
        case 7: make(captains(&random), [SortDescriptor(\World.Captain.years), SortDescriptor(\.team?.name)], &random)
        case 8: make(tags(&random), [SortDescriptor(\World.Tag.label)], &random)
        default: rest(&random)
        }
    }

    private static func make<T: PersistentModel>(
        _ part: (String, Predicate<T>), _ sorts: [SortDescriptor<T>], _ random: inout SeededGenerator
    ) -> RandomQuery {
        var descriptor = FetchDescriptor<T>(predicate: Int.random(in: 0..<8, using: &random) == 0 ? nil : part.1)
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            if let sort = sorts.randomElement(using: &random) { descriptor.sortBy.append(sort) }
        }
        if Int.random(in: 0..<3, using: &random) == 0 { descriptor.fetchLimit = Int.random(in: 0...4, using: &random) }
        if Int.random(in: 0..<4, using: &random) == 0 { descriptor.fetchOffset = Int.random(in: 0...3, using: &random) }
        return RandomQuery(descriptor.predicate == nil ? "all" : part.0, descriptor)
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        ["a", "b", "c", "é", "Z"].randomElement(using: &random) ?? ""
    }

    private static func teams(_ random: inout SeededGenerator, depth: Int) -> (String, Predicate<World.Team>) {
        typealias Team = World.Team
        if depth > 0 {
            let (a, b) = (teams(&random, depth: depth - 1), teams(&random, depth: depth - 1))
            let (p, q) = (a.1, b.1)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: return ("(\(a.0) and \(b.0))", #Predicate<Team> { p.evaluate($0) && q.evaluate($0) })
            case 1: return ("(\(a.0) or \(b.0))", #Predicate<Team> { p.evaluate($0) || q.evaluate($0) })
            case 2: return ("not \(a.0)", #Predicate<Team> { !p.evaluate($0) })
            case 3: return ("branches with \(a.0)", #Predicate<Team> { $0.branches.contains { p.evaluate($0) } })
            default:
                return (
                    "tags shared with \(a.0)",
                    #Predicate<Team> { $0.tags.contains { $0.teams.contains { p.evaluate($0) } } }
                )
            }
        }
        let (t, n) = (text(&random), Int.random(in: 0...3, using: &random))
        switch Int.random(in: 0..<17, using: &random) {
        case 0: return ("name == \(t)", #Predicate<Team> { $0.name == t })
        case 1: return ("city == nil", #Predicate<Team> { $0.city == nil })
        case 2: return ("city != \(t)", #Predicate<Team> { $0.city != t })
        case 3: return ("parent name \(t)", #Predicate<Team> { $0.parent?.name == t })
        case 4: return ("no parent", #Predicate<Team> { $0.parent == nil })
        case 5: return ("players > \(n)", #Predicate<Team> { $0.players.count > n })
        case 6: return ("a player \(t)", #Predicate<Team> { $0.players.contains { $0.name == t } })
        case 7: return ("players score", #Predicate<Team> { $0.players.allSatisfy { $0.score > 0 } })
        case 8: return ("tag \(t)", #Predicate<Team> { $0.tags.contains { $0.label == t } })
        case 9: return ("tags \(n)", #Predicate<Team> { $0.tags.count == n })
        case 10: return ("trophies \(n)", #Predicate<Team> { $0.trophies.count >= n })
        case 11: return ("trophy \(t)", #Predicate<Team> { $0.trophies.contains { $0.title == t } })
        case 12: return ("rival", #Predicate<Team> { $0.rival?.name != t })
        case 13: return ("rival's players", #Predicate<Team> { ($0.rival?.players.count ?? 0) > n })
        case 14: return ("a captain", #Predicate<Team> { $0.players.contains { $0 is World.Captain } })
        case 15: return ("code", #Predicate<Team> { $0.code > n })
        default: return ("founded", #Predicate<Team> { $0.founded > Date(timeIntervalSince1970: 0) })
        }
    }

    private static func players(_ random: inout SeededGenerator, depth: Int) -> (String, Predicate<World.Player>) {
        typealias Player = World.Player
        if depth > 0 {
            let (a, b) = (players(&random, depth: depth - 1), players(&random, depth: depth - 1))
            let (p, q) = (a.1, b.1)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return ("(\(a.0) and \(b.0))", #Predicate<Player> { p.evaluate($0) && q.evaluate($0) })
            case 1: return ("(\(a.0) or \(b.0))", #Predicate<Player> { p.evaluate($0) || q.evaluate($0) })
            case 2: return ("not \(a.0)", #Predicate<Player> { !p.evaluate($0) })
            default: return ("pupils with \(a.0)", #Predicate<Player> { $0.pupils.contains { p.evaluate($0) } })
            }
        }
        let (t, n) = (text(&random), Int.random(in: 0...3, using: &random))
        let team = teams(&random, depth: 0)
        let p = team.1
        switch Int.random(in: 0..<13, using: &random) {
        case 0: return ("name \(t)", #Predicate<Player> { $0.name == t })
        case 1: return ("no team", #Predicate<Player> { $0.team == nil })
        case 2: return ("team \(t)", #Predicate<Player> { $0.team?.name == t })
        case 3: return ("team's city", #Predicate<Player> { $0.team?.city == nil })
        case 4: return ("team's parent", #Predicate<Player> { $0.team?.parent?.name == t })
        case 5: return ("no mentor", #Predicate<Player> { $0.mentor == nil })
        case 6: return ("mentor \(t)", #Predicate<Player> { $0.mentor?.name == t })
        case 7: return ("locker", #Predicate<Player> { ($0.locker?.number ?? 0) > n })
        case 8: return ("no locker", #Predicate<Player> { $0.locker == nil })
        case 9: return ("captains of \(n)", #Predicate<Player> { (($0 as? World.Captain)?.years ?? 0) >= n })
        case 10: return ("keepers", #Predicate<Player> { $0 is World.Keeper })
        case 11:
            return (
                "of a team with \(team.0)", #Predicate<Player> { if let t = $0.team { p.evaluate(t) } else { false } }
            )
        default: return ("same name as team", #Predicate<Player> { $0.team?.name == $0.name })
        }
    }

    private static func captains(_ random: inout SeededGenerator) -> (String, Predicate<World.Captain>) {
        let (t, n) = (text(&random), Int.random(in: 0...3, using: &random))
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return ("years", #Predicate<World.Captain> { $0.years > n })
        case 1: return ("contract", #Predicate<World.Captain> { $0.contracts.contains { $0.pay > n } })
        default: return ("mates", #Predicate<World.Captain> { c in c.team?.players.contains { $0.name == t } ?? false })
        }
    }

    private static func tags(_ random: inout SeededGenerator) -> (String, Predicate<World.Tag>) {
        let (t, n) = (text(&random), Int.random(in: 0...3, using: &random))
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return ("label", #Predicate<World.Tag> { $0.label == t })
        case 1: return ("teams", #Predicate<World.Tag> { $0.teams.count > n })
        default: return ("team named", #Predicate<World.Tag> { $0.teams.contains { $0.name == t } })
        }
    }

    private static func rest(_ random: inout SeededGenerator) -> RandomQuery {
        let (t, n) = (text(&random), Int.random(in: 0...3, using: &random))
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            return make(
                ("title", #Predicate<World.Trophy> { $0.title == t }), [SortDescriptor(\World.Trophy.year)], &random)
        case 1:
            return make(
                ("of", #Predicate<World.Locker> { $0.player?.team?.name == t }), [SortDescriptor(\World.Locker.number)],
                &random)
        default:
            return make(
                ("of", #Predicate<World.Contract> { $0.captain?.years ?? 0 > n }),
                [SortDescriptor(\World.Contract.captain?.name)], &random)
        }
    }
}
