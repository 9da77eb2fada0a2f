import Foundation
import StrataModels

/// Classes with something wrong in each: what the macros cannot see, because it takes two classes or a constant's value.
enum WrongModels {
    static let three = 3
    static let less = -1
    static let preserve = Schema.Attribute.Option.preserveValueOnDeletion

    @Model final class Twin { init() {} }
    enum Other {
        @Model final class Twin { init() {} }
    }

    // Inverses
    @Model final class Flight {
        var pilots: [Pilot] = []
        init() {}
    }
    @Model final class Pilot {
        var current: Flight?
        var next: Flight?
        init() {}
    }
    @Model final class Parent {
        @Relationship(inverse: \Stranger.other) var children: [Child] = []
        init() {}
    }
    @Model final class Child { init() {} }
    @Model final class Stranger {
        var other: Child?
        init() {}
    }

    @Model class Vessel {
        @Relationship(inverse: \Sailor.ship) var crew: [Sailor] = []
        var harbor: Harbor?
        init() {}
    }
    @Model final class Ship: Vessel {}
    @Model final class Sailor {
        var ship: Ship?
        init() {}
    }
    @Model final class Harbor {
        @Relationship(inverse: \Ship.harbor) var ships: [Ship] = []
        init() {}
    }

    // Names
    @Model final class HTMLPage {
        var pageURL = ""
        var pageUrl = ""
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var PK = 0
        var xmin = 0
        @Relationship(deleteRule: .nullify, inverse: nil) var links: [Link] = []
        init() {}
    }
    @Model final class HtmlPage { init() {} }
    @Model final class Link {
        var htmlPageLinks = 0
        init() {}
    }
    @Model final class Guild {
        @Relationship(inverse: \Member.guilds) var members: [Member] = []
        init() {}
    }
    @Model final class Member {
        var guilds: [Guild] = []
        init() {}
    }
    @Model final class GuildMembers { init() {} }

    // History
    @Model class Diary {
        var text = ""
        init() {}
    }
    @Model final class Secret: Diary {
        static let recordsHistory = false
    }
    @Model class Draft {
        class var recordsHistory: Bool { false }
        var text = ""
        init() {}
    }
    @Model final class Letter: Draft {
        override class var recordsHistory: Bool { true }
    }
    // Constraints
    @Model class Base {
        var name = ""
        var words: [String] = []
        init() {}
    }
    @Model final class Sub: Base {
        #Unique<Sub>([\.name, \.code])
        #Index<Sub>([\.code, \.name])
        #Index<Sub>([\.name])
        var code = 0
    }
    @Model final class Inherited: Base {
        #Unique<Inherited>([\.name])
        var extra = 0
    }
    struct Place: Codable { var city = "" }
    @Model class Openable {
        @Attribute(.ephemeral) var open = false
        var upper: String { "" }
        init() {}
    }
    @Model final class Constrained: Openable {
        #Unique<Constrained>([\.many, \.number], [\.open], [\.upper])
        #Index<Constrained>([\.place], [\.photo])
        #Index<Constrained>(
            .rtree([\.number]), .gin([\.number]), .hash([\.number, \.text]), .brin([\.flag]), .gin([\.one]))
        var number = 0
        var text = ""
        var flag = false
        @Attribute(.unique) var document = Place()
        @Attribute(.unique, .externalStorage) var photo = Data()
        var place = Place()
        @Relationship(inverse: nil) var many: [Child] = []
        @Relationship(inverse: nil) var one: Child?
    }

    // Attributes
    @Model final class Attributes {
        @Attribute(.externalStorage) var text = ""
        var matrix: [[Int]] = []
        @Attribute(.ephemeral, WrongModels.preserve) var kept = false
        init() {}
    }

    // Relationships
    @Model final class Counts {
        @Relationship(minimumModelCount: WrongModels.three, maximumModelCount: 2, inverse: nil) var few: [Child] = []
        @Relationship(maximumModelCount: 2, inverse: nil) var two: Child?
        @Relationship(minimumModelCount: WrongModels.less, inverse: nil) var negative: [Child] = []
        init() {}
    }
    @Model final class Denied {
        @Relationship(deleteRule: .deny, inverse: nil) var owner: Child
        init(owner: Child) { self.owner = owner }
    }
    @Model final class Egg {
        @Relationship(inverse: \Hen.egg) var hen: Hen
        init(hen: Hen) { self.hen = hen }
    }
    @Model final class Hen {
        var egg: Egg
        init(egg: Egg) { self.egg = egg }
    }
    @Model final class Husband {
        @Relationship(inverse: \Wife.husband) var wife: Wife?
        init() {}
    }
    @Model final class Wife {
        #Unique<Wife>([\.husband])
        var husband: Husband?
        init() {}
    }

    // Conditions
    @Model class Rule {
        #Check<Rule>("child") { $0.child?.number == 1 }
        #Check<Rule>("count") { $0.children.count > 1 }
        #Check<Rule>("hidden") { $0.note == "x" }
        #Check<Rule>("class") { $0.number > 1 }
        #Check<Rule>("now") { $0.number != WrongModels.next }
        #Check<Rule>("literal") { _ in true }
        #Check<Rule>("labels") { $0.labels.count > 1 }
        #Check<Rule>("sum") { $0.price + $0.fee > 0 }
        #Index<Rule>(.binary([\.number], including: [\.number, \.children])) { $0.child?.number == 1 }
        #Index<Rule>(.trigram([\.name])) { $0.number > 1 }
        #Index<Rule>(.sorted([.lowercased(\.text)]))
        var number = 0
        var name = ""
        var child: RuleChild?
        @Relationship(inverse: nil) var children: [RuleChild] = []
        var price = 0.0
        var fee = 0.0
        var labels: [String: Int] = [:]
        @Transient var note = ""
        @Attribute(.codable) var text: String = ""
        init() {}
    }
    @Model final class LongRule {
        #Index<LongRule>([\.name]) { $0.name.lowercased() != $0.city.lowercased() }
        var name = ""
        var city = ""
        init() {}
    }
    @Model final class SubRule: Rule {
        #Check<SubRule>("both") { $0.own > $0.number }
        #Index<SubRule>([\.number]) { $0.own > 1 }
        var own = 0
        override init() { super.init() }
    }
    @Model final class RuleChild {
        var number = 0
        init() {}
    }
    nonisolated(unsafe) private static var made = 0
    static var next: Int {
        made += 1
        return made
    }
}
