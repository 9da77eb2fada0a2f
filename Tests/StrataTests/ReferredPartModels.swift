import Foundation
import Strata

/// Classes that lead to lines, whose key is of several columns: by columns of their own, and by columns that other properties have, too.
enum Referred {
    static let schema = Schema(
        Purchase.self, Article.self, Line.self, Remark.self, Refund.self, Label.self, Photo.self)

    @Model final class Purchase {
        var number: Int
        @Relationship(deleteRule: .cascade, inverse: \Line.purchase) var lines: [Line] = []
        @Relationship(deleteRule: .cascade, inverse: \Refund.purchase) var refunds: [Refund] = []
        init(_ number: Int) { self.number = number }
    }

    @Model final class Article {
        @Attribute(.primaryKey) var code: String
        @Relationship(deleteRule: .deny, inverse: \Line.article) var lines: [Line] = []
        init(_ code: String) { self.code = code }
    }

    @Model final class Line {
        #PrimaryKey<Line>([\.purchase, \.article])
        var purchase: Purchase
        var article: Article
        var quantity: Int
        @Relationship(deleteRule: .cascade, inverse: \Remark.line) var remarks: [Remark] = []
        @Relationship(inverse: \Refund.line) var refunds: [Refund] = []
        @Relationship(inverse: \Label.line) var label: Label?
        /// Without an inverse: columns of the photos that no property shows.
        @Relationship(inverse: nil) var photos: [Photo] = []
        @Relationship(inverse: nil) var substitute: Line?
        init(_ purchase: Purchase, _ article: Article, quantity: Int = 1) {
            self.purchase = purchase
            self.article = article
            self.quantity = quantity
        }
    }

    /// Has to have a line, by columns that the rule names.
    @Model final class Remark {
        var text: String
        var line: Line
        init(_ text: String, _ line: Line) {
            self.text = text
            self.line = line
        }
    }

    /// The purchase is part of the key and of the reference.
    @Model final class Refund {
        #PrimaryKey<Refund>([\.purchase, \.number])
        #Index<Refund>([\.purchase, \.line, \.number])
        var purchase: Purchase
        var number: Int
        @Relationship(columns: ["purchase", "article_code"]) var line: Line?
        init(_ purchase: Purchase, _ number: Int, _ line: Line? = nil) {
            self.purchase = purchase
            self.number = number
            self.line = line
        }
    }

    /// At the other end of one line.
    @Model final class Label {
        var text: String
        @Relationship(columns: ["purchase_id", "article_id"]) var line: Line?
        init(_ text: String, _ line: Line? = nil) {
            self.text = text
            self.line = line
        }
    }

    /// One of each kind for a line; beside the others, in tests of its own.
    @Model final class Stamp {
        #Unique<Stamp>([\.line, \.kind])
        @Relationship(inverse: nil) var line: Line
        var kind: String
        var value: Int
        init(_ line: Line, _ kind: String, _ value: Int) {
            self.line = line
            self.kind = kind
            self.value = value
        }
    }

    @Model final class Photo {
        var name: String
        init(_ name: String) { self.name = name }
    }
}

/// References to keys of several columns that no table can have.
enum Unreferred {
    @Model final class Pair {
        #PrimaryKey<Pair>([\.one, \.other])
        var one: Int = 0
        var other: String = ""
        init() {}
    }
    @Model final class Named {
        @Relationship(column: "pair", inverse: nil) var single: Pair?
        @Relationship(columns: ["a"], inverse: nil) var few: Pair?
        @Relationship(columns: ["b", "b"], inverse: nil) var twice: Pair?
        @Relationship(columns: ["c", "d"], inverse: nil) var plain: Target?
        @Relationship(columns: ["one", "other"], inverse: nil) var shared: Pair?
        var one: String = ""
        var other: String = ""
        init() {}
    }
    @Model final class Target {
        var name: String = ""
        init() {}
    }
    /// Columns of references that may change: by an attribute, and by another reference.
    @Model final class Loose {
        var one: Int = 0
        @Relationship(columns: ["one", "b"], inverse: nil) var first: Pair?
        @Relationship(columns: ["c", "d"], inverse: nil) var second: Pair?
        @Relationship(columns: ["c", "e"], inverse: nil) var third: Pair?
        init() {}
    }
    @Model final class Distinct {
        #PrimaryKey<Distinct>([\.one, \.number])
        #Unique<Distinct>([\.pair], nulls: .notDistinct)
        var one: Int = 0
        var number: Int = 0
        @Relationship(columns: ["one", "b"], inverse: nil) var pair: Pair?
        init() {}
    }
    @Model final class Part {
        #PrimaryKey<Part>([\.pair, \.number])
        @Relationship(inverse: nil) var pair: Pair
        var number: Int = 0
        init(_ pair: Pair) { self.pair = pair }
    }
}
