import Strata

/// Models that hang together in every way there is: what is unsaved at one end shows at all others. Half of them have names of
/// their own in the database, some of which queries use for something else.
enum World {
    static let schema = Schema(
        Team.self, Player.self, Captain.self, Keeper.self, Tag.self, Trophy.self, Locker.self, Contract.self)

    @Model(table: "clubs", keyColumn: "c0") final class Team {
        @Attribute(.unique, column: "No.") var code: Int
        var name: String
        @Attribute(column: "pk") var city: String?
        var founded = Date(timeIntervalSince1970: 0)
        @Relationship(deleteRule: .cascade, inverse: \Player.team) var players: [Player] = []
        @Relationship(table: "club_tags", column: "club", inverseColumn: "tag", inverse: \Tag.teams) var tags: [Tag] =
            []
        @Relationship(column: "won by", inverse: nil) var trophies: [Trophy] = []
        @Relationship(column: "stored_0") var parent: Team?
        @Relationship(deleteRule: .cascade, inverse: \Team.parent) var branches: [Team] = []
        @Relationship(inverse: nil) var rival: Team?

        init(_ code: Int, _ name: String) {
            self.code = code
            self.name = name
        }
    }

    @Model(table: "people", keyColumn: "stored_0", classColumn: "c1") class Player {
        var name: String
        @Attribute(column: "class") var score: Double = 0
        @Relationship(column: "pk") var team: Team?
        var mentor: Player?
        @Relationship(deleteRule: .nullify, inverse: \Player.mentor) var pupils: [Player] = []
        @Relationship(deleteRule: .cascade, inverse: \Locker.player) var locker: Locker?

        init(_ name: String) { self.name = name }
    }

    @Model(table: "Chiefs") final class Captain: Player {
        @Attribute(column: "c1") var years: Int = 1
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
        @Relationship(column: "owner\"s id") var player: Player?
        init(_ number: Int) { self.number = number }
    }

    @Model final class Contract {
        var pay: Int
        var captain: Captain?
        init(_ pay: Int) { self.pay = pay }
    }
}
