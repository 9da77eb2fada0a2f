import Foundation
import Strata

/// Models in which every kind of relationship and every delete rule occurs.
enum Graph {
    static let schema = Schema(
        Parent.self, Child.self, Owner.self, Passport.self, Student.self, Course.self, Employee.self, Album.self,
        Photo.self, Vehicle.self, Car.self, Truck.self, Garage.self, Wheel.self, Department.self, Duty.self,
        Member.self, Budget.self, Label.self, Sticker.self, Person.self, Account.self)

    @Model final class Parent {
        var name: String
        var note: String?
        @Relationship(deleteRule: .cascade, inverse: \Child.parent) var children: [Child] = []

        init(_ name: String, children: [Child] = []) {
            self.name = name
            self.children = children
        }
    }

    @Model final class Child {
        var name: String
        var age: Int
        var parent: Parent?

        init(_ name: String, age: Int = 0, parent: Parent? = nil) {
            self.name = name
            self.age = age
            self.parent = parent
        }
    }

    @Model final class Owner {
        var name: String
        @Relationship(inverse: \Passport.owner) var passport: Passport?
        init(_ name: String) { self.name = name }
    }

    @Model final class Passport {
        var number: Int
        var owner: Owner?
        init(_ number: Int, owner: Owner? = nil) {
            self.number = number
            self.owner = owner
        }
    }

    @Model final class Student {
        var name: String
        @Relationship(inverse: \Course.students) var courses: [Course] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Course {
        var title: String
        var students: [Student] = []
        init(_ title: String) { self.title = title }
    }

    @Model final class Employee {
        var name: String
        var boss: Employee?
        @Relationship(inverse: \Employee.boss) var reports: [Employee] = []
        init(_ name: String, boss: Employee? = nil) {
            self.name = name
            self.boss = boss
        }
    }

    @Model final class Album {
        var name: String
        @Relationship(inverse: \Photo.album) var photos: [Photo]?
        init(_ name: String) { self.name = name }
    }

    @Model final class Photo {
        var title: String
        var caption: String = ""
        var stars: Int = 0
        @Attribute(.externalStorage) var pixels: Data?
        @Attribute(.ephemeral) var isSelected = false
        var album: Album?
        init(_ title: String, pixels: Data? = nil) {
            self.title = title
            self.pixels = pixels
        }
    }

    @Model class Vehicle {
        var name: String
        var garage: Garage?
        init(_ name: String) { self.name = name }
    }

    @Model final class Car: Vehicle {
        var seats: Int = 5
        @Relationship(deleteRule: .cascade, inverse: \Wheel.car) var wheels: [Wheel] = []
    }

    @Model final class Truck: Vehicle {
        var tons: Double = 1
    }

    @Model final class Wheel {
        var position: Int
        var car: Car?
        init(_ position: Int) { self.position = position }
    }

    @Model final class Garage {
        var name: String
        @Relationship(inverse: \Vehicle.garage) var vehicles: [Vehicle] = []
        @Relationship(inverse: nil) var favourite: Vehicle?
        init(_ name: String) { self.name = name }
    }

    /// One relationship for each delete rule.
    @Model final class Department {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Duty.department) var duties: [Duty] = []
        @Relationship(deleteRule: .nullify, inverse: \Member.department) var members: [Member] = []
        @Relationship(deleteRule: .deny, inverse: \Budget.department) var budgets: [Budget] = []
        @Relationship(deleteRule: .noAction, inverse: \Label.department) var labels: [Label] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Duty {
        var name: String
        var department: Department?
        init(_ name: String) { self.name = name }
    }

    @Model final class Member {
        var name: String
        var department: Department?
        init(_ name: String) { self.name = name }
    }

    @Model final class Budget {
        var amount: Int
        var department: Department?
        init(_ amount: Int) { self.amount = amount }
    }

    @Model final class Label {
        var text: String
        var department: Department?
        init(_ text: String) { self.text = text }
    }

    @Model final class Sticker {
        var text: String
        /// Required, and known to this side only.
        @Relationship(inverse: nil) var person: Person
        init(_ text: String, person: Person) {
            self.text = text
            self.person = person
        }
    }

    /// Refers to its own class without an inverse: objects that hold each other.
    @Model final class Person {
        var name: String
        @Relationship(inverse: nil) var friend: Person?
        @Relationship(inverse: nil) var contacts: [Person] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Account {
        @Attribute(.unique) var email: String
        var name: String
        var visits: Int = 0
        init(_ email: String, name: String) {
            self.email = email
            self.name = name
        }
    }
}
