import Foundation
import StrataModels
import StrataRepository

/// Classes that meet every way in which a change reaches the tables: a hierarchy with a class in the middle, links, links
/// within one class, a to-many relationship without an inverse, large values.
enum HistoryModels {
    static var mapping: StoreMapping {
        StoreMapping(Schema(Trip.self, PersonalTrip.self, FamilyTrip.self, BusinessTrip.self, Person.self, Doc.self))
    }

    @Model class Trip {
        @Attribute(.preserveValueOnDeletion) var name: String
        var destination: String?
        @Attribute(.preserveValueOnDeletion) var starts: Date?
        @Relationship(deleteRule: .cascade, inverse: \Item.trip) var items: [Item] = []
        @Relationship(inverse: \Tag.trips) var tags: [Tag] = []
        @Relationship(deleteRule: .nullify, inverse: nil) var notes: [Note] = []

        init(name: String) { self.name = name }
    }

    @Model class PersonalTrip: Trip {
        @Attribute(.preserveValueOnDeletion) var reason: String?
    }

    @Model final class FamilyTrip: PersonalTrip {
        var kids: Int = 0
    }

    @Model final class BusinessTrip: Trip {
        var perDiem: Decimal = 0
    }

    @Model final class Item {
        @Attribute(.preserveValueOnDeletion) var title: String
        var trip: Trip?
        init(title: String) { self.title = title }
    }

    @Model final class Note {
        var text: String
        init(text: String) { self.text = text }
    }

    @Model final class Tag {
        var name: String
        var trips: [Trip] = []
        init(name: String) { self.name = name }
    }

    @Model final class Person {
        var name: String
        @Relationship(inverse: \Person.followed) var followers: [Person] = []
        var followed: [Person] = []
        init(name: String) { self.name = name }
    }

    @Model final class Doc {
        var number: Int
        @Attribute(.externalStorage) var scan: Data?
        @Attribute(.preserveValueOnDeletion) var digest: Data?
        init(number: Int) { self.number = number }
    }
}
