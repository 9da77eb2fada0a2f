import Foundation
import Strata
import StrataModelTestSupport

/// Journeys, of which nothing is deleted at once.
enum Bin {
    @Model class Journey {
        @Attribute(.unique) var code: String
        var title: String = ""
        var price = 0
        @Attribute(.deletionDate) var deletedAt: Date?
        @Attribute(.modificationDate) var changed: Date?
        @Relationship(deleteRule: .cascade, inverse: \Stage.journey) var stages: [Stage] = []
        @Relationship(deleteRule: .deny, inverse: \Bill.journey) var bills: [Bill] = []
        @Relationship(inverse: \Tag.journeys) var tags: [Tag] = []

        init(_ code: String, _ title: String = "", price: Int = 0) {
            self.code = code
            self.title = title
            self.price = price
        }
    }

    @Model final class GuidedJourney: Journey {
        var guide: String = ""
        @Attribute(.modificationDate) var guided = Date.distantPast

        init(_ code: String, guide: String) {
            self.guide = guide
            super.init(code)
        }
    }

    @Model final class Stage {
        var name: String
        var length = 1
        @Attribute(.deletionDate) var removedAt: Date?
        var journey: Journey?
        @Relationship(deleteRule: .cascade, inverse: \Meal.stage) var meals: [Meal] = []

        init(_ name: String, length: Int = 1) {
            self.name = name
            self.length = length
        }
    }

    @Model final class Meal {
        var dish: String
        @Attribute(.deletionDate) var deletedAt: Date?
        var stage: Stage?
        init(_ dish: String) { self.dish = dish }
    }

    @Model final class Bill {
        var number: Int
        @Attribute(.deletionDate) var deletedAt: Date?
        var journey: Journey?
        init(_ number: Int) { self.number = number }
    }

    @Model final class Tag {
        var name: String
        var journeys: [Journey] = []
        init(_ name: String) { self.name = name }
    }

    /// Knows a journey that does not know it, and cannot do without.
    @Model final class Review {
        var text: String
        @Relationship(inverse: nil) var journey: Journey
        init(_ text: String, of journey: Journey) {
            self.text = text
            self.journey = journey
        }
    }

    /// Is deleted for good, with its journeys.
    @Model final class Agency {
        var name: String
        @Relationship(deleteRule: .cascade) var archives: [Folder] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Folder {
        var title: String
        @Attribute(.deletionDate) var deletedAt: Date?
        var agency: Agency?
        init(_ title: String) { self.title = title }
    }

    /// Has one passport, whose row has the key.
    @Model final class Person {
        var name: String
        @Relationship(inverse: \Passport.owner) var passport: Passport?
        init(_ name: String) { self.name = name }
    }

    @Model final class Passport {
        var number: Int
        @Attribute(.deletionDate) var deletedAt: Date?
        var owner: Person
        init(_ number: Int, of owner: Person) {
            self.number = number
            self.owner = owner
        }
    }

    /// Leads on by a key of its own and over pairs, to keys of other kinds.
    @Model final class Album {
        @Attribute(.primaryKey) var id = UUID.v7()
        var title: String
        @Attribute(.deletionDate) var deletedAt: Date?
        @Relationship(deleteRule: .cascade, inverse: nil) var cover: Photo?
        @Relationship(deleteRule: .cascade, inverse: \Photo.albums) var photos: [Photo] = []
        @Relationship(deleteRule: .deny, inverse: \Frame.albums) var frames: [Frame] = []
        init(_ title: String) { self.title = title }
    }

    @Model final class Photo {
        @Attribute(.primaryKey) var code: String
        @Attribute(.deletionDate) var deletedAt: Date?
        var albums: [Album] = []
        init(_ code: String) { self.code = code }
    }

    @Model final class Frame {
        var size: Int
        @Attribute(.deletionDate) var deletedAt: Date?
        var albums: [Album] = []
        init(_ size: Int) { self.size = size }
    }

    static let all: [any PersistentModel.Type] = [
        Journey.self, GuidedJourney.self, Stage.self, Meal.self, Bill.self, Tag.self, Review.self, Agency.self,
        Folder.self,
    ]
}
