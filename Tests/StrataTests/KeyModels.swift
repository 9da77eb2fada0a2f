import Foundation
import Strata

/// Classes with keys of each kind that refer to each other.
enum Keyed {
    static let schema = Schema(
        Person.self, Employee.self, Manager.self, Letter.self, Badge.self, Club.self, Note.self, Stamp.self)

    @Model class Person {
        #Unique<Person>([\.mail])
        @Attribute(.primaryKey) var id: UUID = UUID.v7()
        var mail: String
        @Attribute(.preserveValueOnDeletion) var name: String
        @Relationship(deleteRule: .cascade, inverse: \Letter.sender) var letters: [Letter] = []
        var boss: Person?
        @Relationship(inverse: \Person.boss) var staff: [Person] = []
        var clubs: [Club] = []
        @Relationship(.ordered, deleteRule: .cascade, inverse: nil) var notes: [Note] = []

        init(_ name: String) {
            self.name = name
            mail = name.lowercased() + "@x"
        }
    }

    @Model class Employee: Person {
        var salary: Int = 0
        @Relationship(deleteRule: .cascade, inverse: \Badge.owner) var badge: Badge?
    }

    @Model final class Manager: Employee {
        var level: Int = 1
    }

    /// With a key that Strata gives.
    @Model final class Letter {
        var text: String
        var sender: Person?
        @Relationship(deleteRule: .cascade, inverse: \Stamp.letter) var stamps: [Stamp] = []
        init(_ text: String, _ sender: Person? = nil) {
            self.text = text
            self.sender = sender
        }
    }

    /// With a key that goes with one of another kind.
    @Model final class Stamp {
        @Attribute(.primaryKey) var id: UUID = UUID.v7()
        var value: Int
        var letter: Letter?
        init(_ value: Int) { self.value = value }
    }

    @Model final class Badge {
        @Attribute(.primaryKey, column: "badge_no") var number: Int
        var colour: String = "red"
        var owner: Employee?
        init(_ number: Int) { self.number = number }
    }

    @Model final class Club {
        @Attribute(.primaryKey) var id: UUID = UUID()
        var title: String
        @Relationship(inverse: \Person.clubs) var members: [Person] = []
        init(_ title: String) { self.title = title }
    }

    @Model final class Note {
        @Attribute(.primaryKey) var id: UUID = UUID.v7()
        var text: String
        init(_ text: String) { self.text = text }
    }
}

/// Two classes whose objects have the same numbers.
enum SameNumbers {
    static let schema = Schema(Ticket.self, Seat.self)

    @Model final class Ticket {
        @Attribute(.primaryKey) var number: Int
        @Attribute(.unique) var code: String
        var seat: Seat?
        init(_ number: Int, _ code: String) {
            self.number = number
            self.code = code
        }
    }

    @Model final class Seat {
        @Attribute(.primaryKey) var number: Int
        @Attribute(.unique) var code: String
        @Relationship(inverse: \Ticket.seat) var tickets: [Ticket] = []
        init(_ number: Int, _ code: String) {
            self.number = number
            self.code = code
        }
    }
}

/// Keys that cannot be.
enum Unkeyed {
    @Model final class Rate {
        @Attribute(.primaryKey) var rate: Double = 0
        init() {}
    }
    @Model final class Optional {
        @Attribute(.primaryKey) var id: UUID?
        init() {}
    }
    @Model final class Composite {
        @Attribute(.primaryKey) var first: UUID = UUID()
        @Attribute(.primaryKey) var second: Int = 1
        init() {}
    }
    @Model class Base {
        var name: String = ""
        init() {}
    }
    @Model final class Sub: Base {
        @Attribute(.primaryKey) var id: UUID = UUID()
    }
    @Model(keyColumn: "key") final class Named {
        @Attribute(.primaryKey, .unique) var id: UUID = UUID()
        init() {}
    }
    @Model final class Indexed {
        #Index<Indexed>([\.id, \.name])
        @Attribute(.primaryKey) var id: UUID = UUID()
        var name: String = ""
        init() {}
    }
}
