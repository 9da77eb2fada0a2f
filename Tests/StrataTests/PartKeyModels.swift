import Foundation
import Strata

/// Classes with keys of several columns: of relationships, and of attributes of all kinds.
enum Parted {
    static let schema = Schema(
        Purchase.self, Article.self, Line.self, Measurement.self, Ticket.self, Seal.self)

    @Model final class Purchase {
        var number: Int
        @Relationship(deleteRule: .cascade, inverse: \Line.purchase) var lines: [Line] = []
        @Relationship(deleteRule: .cascade, inverse: \Seal.purchase) var seal: Seal?
        @Relationship(inverse: nil) var tickets: [Ticket] = []
        init(_ number: Int) { self.number = number }
    }

    @Model final class Article {
        @Attribute(.primaryKey) var code: String
        var price: Int
        @Relationship(deleteRule: .deny, inverse: \Line.article) var lines: [Line] = []
        init(_ code: String, price: Int = 1) {
            self.code = code
            self.price = price
        }
    }

    @Model final class Line {
        #PrimaryKey<Line>([\.purchase, \.article])
        var purchase: Purchase
        var article: Article
        var quantity: Int
        @Attribute(.preserveValueOnDeletion) var note: String?
        init(_ purchase: Purchase, _ article: Article, quantity: Int = 1) {
            self.purchase = purchase
            self.article = article
            self.quantity = quantity
        }
    }

    /// With a unique value beside the key.
    @Model final class Ticket {
        #PrimaryKey<Ticket>([\.row, \.seat])
        #Unique<Ticket>([\.serial])
        var row: Int
        var seat: String
        var serial: String
        init(_ row: Int, _ seat: String, _ serial: String) {
            self.row = row
            self.seat = seat
            self.serial = serial
        }
    }

    /// At the other end of one object.
    @Model final class Seal {
        #PrimaryKey<Seal>([\.purchase, \.number])
        var purchase: Purchase
        var number: Int
        var text: String
        init(_ purchase: Purchase, _ number: Int, _ text: String) {
            self.purchase = purchase
            self.number = number
            self.text = text
        }
    }

    @Model final class Measurement {
        #PrimaryKey<Measurement>([\.sensor, \.place, \.number])
        var sensor: UUID
        var place: String
        var number: Int
        var value: Int
        init(_ sensor: UUID, _ place: String, _ number: Int, value: Int = 0) {
            self.sensor = sensor
            self.place = place
            self.number = number
            self.value = value
        }
    }
}

/// Keys of several columns that no table can have.
enum Unparted {
    @Model final class Target {
        var name: String = ""
        init() {}
    }
    @Model final class Optional {
        #PrimaryKey<Optional>([\.target, \.number])
        var target: Target?
        var number: Int?
        init() {}
    }
    @Model final class Typed {
        #PrimaryKey<Typed>([\.rate, \.targets])
        #Unique<Typed>([\.rate, \.name])
        var rate: Double = 0
        var name: String = ""
        var targets: [Target] = []
        init() {}
    }
    @Model final class Marked {
        #PrimaryKey<Marked>([\.id, \.number])
        #Unique<Marked>([\.number, \.id])
        @Attribute(.primaryKey) var id: UUID = UUID()
        var number: Int = 0
        init() {}
    }
    @Model(keyColumn: "key") class Base {
        #PrimaryKey<Base>([\.pk, \.number])
        var pk: Int = 0
        var number: Int = 0
        init() {}
    }
    @Model final class Sub: Base {
        @Attribute(column: "number") var name: String = ""
        @Relationship(columns: ["pk", "other"], inverse: nil) var pair: Pair?
    }
    @Model final class Pair {
        #PrimaryKey<Pair>([\.one, \.other])
        var one: Int = 0
        var other: Int = 0
        @Relationship(column: "pair", inverse: \Guest.pairs) var guests: [Guest] = []
        init() {}
    }
    @Model final class Guest {
        var pair: Pair?
        @Relationship(columns: ["guest"], inverseColumn: "pair") var pairs: [Pair] = []
        @Relationship(.ordered, inverse: nil) var list: [Pair] = []
        init() {}
    }
    @Model final class Left {
        #PrimaryKey<Left>([\.one, \.other])
        var one: Int = 0
        var other: Int = 0
        @Relationship(columns: ["one", "other"], inverse: \Right.lefts) var rights: [Right] = []
        init() {}
    }
    @Model final class Right {
        #PrimaryKey<Right>([\.one, \.third])
        var one: Int = 0
        var third: Int = 0
        @Relationship(columns: ["one", "third"]) var lefts: [Left] = []
        init() {}
    }
    @Model final class Named {
        #PrimaryKey<Named>([\.pk, \.number])
        var pk: Int = 0
        var number: Int = 0
        init() {}
    }
}
