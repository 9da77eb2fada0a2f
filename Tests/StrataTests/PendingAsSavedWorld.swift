import Strata

/// Models that hang together in every way there is: what is unsaved at one end shows at all others.
enum World {
    static let schema = Schema(
        Team.self, Player.self, Captain.self, Keeper.self, Tag.self, Trophy.self, Locker.self, Contract.self)

    @Model final class Team {
        @Attribute(.unique) var code: Int
        var name: String
        var city: String?
        var founded = Date(timeIntervalSince1970: 0)
        @Relationship(deleteRule: .cascade, inverse: \Player.team) var players: [Player] = []
        @Relationship(inverse: \Tag.teams) var tags: [Tag] = []
        @Relationship(inverse: nil) var trophies: [Trophy] = []
        var parent: Team?
        @Relationship(deleteRule: .cascade, inverse: \Team.parent) var branches: [Team] = []
        @Relationship(inverse: nil) var rival: Team?

        init(_ code: Int, _ name: String) {
            self.code = code
            self.name = name
        }
    }

    @Model class Player {
        var name: String
        var score: Double = 0
        var team: Team?
        var mentor: Player?
        @Relationship(deleteRule: .nullify, inverse: \Player.mentor) var pupils: [Player] = []
        @Relationship(deleteRule: .cascade, inverse: \Locker.player) var locker: Locker?

        init(_ name: String) { self.name = name }
    }

    @Model final class Captain: Player {
        var years: Int = 1
        @Relationship(deleteRule: .nullify, inverse: \Contract.captain) var contracts: [Contract] = []
    }

    @Model final class Keeper: Player {
        var saves: Int?
    }

    @Model final class Tag {
        var label: String
        var teams: [Team] = []
        init(_ label: String) { self.label = label }
    }

    @Model final class Trophy {
        var title: String
        var year: Int
        init(_ title: String, _ year: Int) {
            self.title = title
            self.year = year
        }
    }

    @Model final class Locker {
        var number: Int
        var player: Player?
        init(_ number: Int) { self.number = number }
    }

    @Model final class Contract {
        var pay: Int
        var captain: Captain?
        init(_ pay: Int) { self.pay = pay }
    }
}
