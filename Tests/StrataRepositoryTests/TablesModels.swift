import Foundation
import StrataModels
import StrataRepository

/// The trips of the examples: a hierarchy, a one-to-many and a one-to-one relationship that cascade.
enum TripModels {
    static var mapping: StoreMapping { StoreMapping(Schema(Trip.self, BusinessTrip.self, PersonalTrip.self)) }

    @Model class Trip {
        #Unique<Trip>([\.name, \.startDate])
        #Index<Trip>([\.startDate])
        var name: String
        var startDate: Date
        @Relationship(deleteRule: .cascade, inverse: \BucketListItem.trip) var bucketList: [BucketListItem] = []
        @Relationship(deleteRule: .cascade, inverse: \LivingAccommodation.trip) var livingAccommodation:
            LivingAccommodation?

        init(name: String, startDate: Date) {
            self.name = name
            self.startDate = startDate
        }
    }

    @Model final class BusinessTrip: Trip {
        var perdiem: Double = 0
    }

    @Model final class PersonalTrip: Trip {
        enum Reason: String, Codable { case family, wellness }
        var reason: Reason

        init(name: String, startDate: Date, reason: Reason) {
            self.reason = reason
            super.init(name: name, startDate: startDate)
        }
    }

    @Model final class BucketListItem {
        var title: String
        var trip: Trip?
        init(title: String) { self.title = title }
    }

    @Model final class LivingAccommodation {
        @Attribute(.externalStorage) var photo: Data?
        var trip: Trip?
        init() {}
    }
}

/// Every type that has a column, and every form of it.
enum TypeModels {
    static var mapping: StoreMapping { StoreMapping(Schema(Everything.self)) }

    struct Place: Codable {
        var latitude = 0.0
    }

    enum Grade: Int, Codable { case first, second }
    enum Colour: String, Codable { case red }

    enum PlaceTransformer: AttributeTransformer {
        static func transformed(_ value: Place) throws -> Data { Data("\(value.latitude)".utf8) }
        static func restored(_ data: Data) throws -> Place {
            Place(latitude: Double(String(decoding: data, as: UTF8.self)) ?? 0)
        }
    }

    @Model final class Everything {
        #Index<Everything>([\.int, \.string], [\.date])
        #Index<Everything>(.gin([\.strings]), .hash([\.uuid]), .brin([\.date]))
        @Attribute(.unique) var string = ""
        var int = 0
        var int8: Int8 = 0
        var int16: Int16 = 0
        var int32: Int32 = 0
        var int64: Int64 = 0
        var uint8: UInt8 = 0
        var uint16: UInt16 = 0
        var uint32: UInt32 = 0
        var uint64: UInt64 = 0
        var double = 0.0
        var float: Float = 0
        var bool = false
        var date = Date.distantPast
        var data = Data()
        @Attribute(.externalStorage) var large: Data?
        var uuid = UUID()
        var decimal: Decimal = 0
        var url: URL?
        var grade = Grade.first
        var colour: Colour?
        var place = Place()
        var strings: [String] = []
        var ints: [Int] = []
        var dates: [Date]?
        var grades: [Grade] = []
        @Attribute(.codable) var nested: [[Int]] = []
        @Attribute(.transformable(by: PlaceTransformer.self)) var transformed: Place = Place()
        @Attribute(.ephemeral) var isOpen = false

        init() {}
    }
}

/// Every delete rule, and every way to store a relationship.
enum RuleModels {
    static var mapping: StoreMapping {
        StoreMapping(Schema(Author.self, Book.self, Novel.self, Edition.self, Tag.self, Person.self))
    }

    @Model final class Author {
        @Relationship(deleteRule: .deny, inverse: \Book.author) var books: [Book] = []
        @Relationship(deleteRule: .nullify, inverse: \Book.editor) var edited: [Book] = []
        @Relationship(deleteRule: .noAction, inverse: \Book.critic) var criticised: [Book] = []
        @Relationship(deleteRule: .cascade, inverse: \Novel.hero) var novels: [Novel] = []
        @Relationship(inverse: \Book.owner) var owned: [Book] = []
        init() {}
    }

    @Model class Book {
        var author: Author
        var editor: Author?
        var critic: Author?
        var owner: Author
        @Relationship(inverse: nil) var previous: Book?
        @Relationship(deleteRule: .cascade, inverse: nil) var editions: [Edition] = []
        @Relationship(inverse: \Tag.books) var tags: [Tag] = []

        init(author: Author) {
            self.author = author
            self.owner = author
        }
    }

    @Model final class Novel: Book {
        var hero: Author?
    }

    @Model final class Edition {
        @Attribute(.unique) var isbn = ""
        init() {}
    }

    @Model final class Tag {
        var books: [Book] = []
        init() {}
    }

    @Model final class Person {
        @Relationship(.unique, inverse: nil) var desk: Edition?
        var mentor: Person?
        @Relationship(inverse: \Person.followed) var followers: [Person] = []
        var followed: [Person] = []
        init() {}
    }
}
