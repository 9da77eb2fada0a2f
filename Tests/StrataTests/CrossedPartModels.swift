import Strata

/// Many-to-many relationships of classes with keys of several columns: to a class with a key of one, to another such class, and to themselves.
enum Crossed {
    static let schema = Schema(Seat.self, Show.self, Perk.self)

    @Model final class Seat {
        #PrimaryKey<Seat>([\.row, \.number])
        var row: Int
        var number: String
        var label = ""
        @Relationship(.ordered, inverse: \Show.seats) var shows: [Show] = []
        @Relationship(maximumModelCount: 3, inverse: \Perk.seats) var perks: [Perk] = []
        @Relationship(deleteRule: .deny, inverse: \Seat.besides) var beside: [Seat] = []
        var besides: [Seat] = []
        init(_ row: Int, _ number: String) {
            self.row = row
            self.number = number
        }
    }

    @Model final class Show {
        var name: String
        @Relationship(.ordered) var seats: [Seat] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Perk {
        #PrimaryKey<Perk>([\.code, \.level])
        var code: String
        var level: Int
        @Relationship(deleteRule: .cascade) var seats: [Seat] = []
        init(_ code: String, _ level: Int) {
            self.code = code
            self.level = level
        }
    }
}
