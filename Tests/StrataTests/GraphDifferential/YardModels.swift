import Foundation
import Strata

/// The models of the differential run: every kind of relationship, every delete rule, three levels of classes.
enum Yard {
    static let schema = Schema(
        Site.self, Job.self, Bill.self, Asset.self, Machine.self, Robot.self, Part.self, Tag.self, Person.self,
        Badge.self,
        Skill.self)

    /// A text that no other object has: short and long, with marks that mean something to SQL, and some that are the same to Swift's `==`.
    static func key(_ number: Int) -> String {
        let twin = number / 2
        return switch number % 6 {
        case 0: "é\(twin)"
        case 1: "e\u{301}\(twin)"
        case 2: "k\(number)"
        case 3: "\(number)"
        case 4: "'\(number)\" %_\\:,()😀"
        default: "\(number)" + String(repeating: "long ", count: number % 40 + 2)
        }
    }

    @Model final class Site {
        @Attribute(.primaryKey, column: "pk") var id: String
        var number: Int
        var name: String = ""
        var size: Int = 0
        var note: String?
        @Relationship(.ordered, deleteRule: .cascade, inverse: \Job.site) var jobs: [Job] = []
        @Relationship(deleteRule: .nullify, inverse: \Asset.site) var assets: [Asset] = []
        @Relationship(deleteRule: .deny, inverse: \Bill.site) var bills: [Bill] = []
        @Relationship(inverse: nil) var keys: [Badge] = []
        init(_ number: Int) {
            self.number = number
            id = Yard.key(number)
        }
    }

    @Model final class Job {
        var number: Int
        var name: String = ""
        var size: Int = 0
        var note: String?
        var site: Site?
        init(_ number: Int) { self.number = number }
    }

    @Model final class Bill {
        var number: Int
        var name: String = ""
        var size: Int = 0
        var note: String?
        var site: Site?
        var payer: Person?
        init(_ number: Int) { self.number = number }
    }

    @Model class Asset {
        @Attribute(.primaryKey, column: "pk") var id: String
        var number: Int
        var name: String = ""
        var size: Int = 0
        var note: String?
        var site: Site?
        var holder: Asset?
        @Relationship(deleteRule: .cascade, inverse: \Asset.holder) var contents: [Asset] = []
        @Relationship(deleteRule: .nullify, inverse: \Tag.asset) var tags: [Tag] = []
        init(_ number: Int) {
            self.number = number
            id = Yard.key(number)
        }
    }

    @Model class Machine: Asset {
        var power: Int = 0
        @Relationship(deleteRule: .cascade, inverse: \Part.machine) var parts: [Part] = []
    }

    @Model final class Robot: Machine {
        var motto: String?
    }

    @Model final class Part {
        var number: Int
        var name: String = ""
        var size: Int = 0
        var note: String?
        var machine: Machine
        init(_ number: Int, machine: Machine) {
            self.number = number
            self.machine = machine
        }
    }

    @Model final class Tag {
        var number: Int
        var name: String = ""
        var size: Int = 0
        var note: String?
        var asset: Asset
        init(_ number: Int, asset: Asset) {
            self.number = number
            self.asset = asset
        }
    }

    @Model final class Person {
        @Attribute(.primaryKey, column: "pk") var id: UUID = UUID.v7()
        var number: Int
        var name: String = ""
        var size: Int = 0
        var note: String?
        var boss: Person?
        @Relationship(deleteRule: .nullify, inverse: \Person.boss) var reports: [Person] = []
        @Relationship(deleteRule: .nullify, inverse: \Badge.person) var badge: Badge?
        @Relationship(deleteRule: .noAction, inverse: \Bill.payer) var bills: [Bill] = []
        @Relationship(inverse: \Skill.people) var skills: [Skill] = []
        init(_ number: Int) { self.number = number }
    }

    @Model final class Badge {
        var number: Int
        var name: String = ""
        var size: Int = 0
        var note: String?
        var person: Person?
        init(_ number: Int) { self.number = number }
    }

    @Model final class Skill {
        @Attribute(.primaryKey, column: "pk") var id: UUID = UUID.v7()
        var number: Int
        var name: String = ""
        var size: Int = 0
        var note: String?
        /// Unique: a new object takes the place of a row that has the same.
        @Attribute(.unique) var code: String?
        var people: [Person] = []
        init(_ number: Int) { self.number = number }
    }
}

/// What every class of the yard has.
protocol YardModel: PersistentModel {
    var name: String { get set }
    var size: Int { get set }
    var note: String? { get set }
}

extension Yard.Site: YardModel {}
extension Yard.Job: YardModel {}
extension Yard.Bill: YardModel {}
extension Yard.Asset: YardModel {}
extension Yard.Part: YardModel {}
extension Yard.Tag: YardModel {}
extension Yard.Person: YardModel {}
extension Yard.Badge: YardModel {}
extension Yard.Skill: YardModel {}
