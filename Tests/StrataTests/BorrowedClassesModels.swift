import Foundation
import Strata

// A version whose classes are all its own, the next one, and the first one again with most classes of the next.

enum OwnedV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] {
        [Trip.self, Stop.self, Guest.self, Place.self, Note.self, Vehicle.self, Car.self]
    }

    @Model final class Trip {
        #Unique<Trip>([\.name, \.leader])
        #Index<Trip>([\.leader])
        var name: String
        /// Inferred.
        var stops: [Stop] = []
        /// Many to many; the other side says so.
        var guests: [Guest] = []
        /// One to one.
        @Relationship(deleteRule: .cascade, inverse: \Place.trip) var place: Place?
        /// Without an inverse.
        @Relationship(deleteRule: .cascade, inverse: nil) var notes: [Note] = []
        /// To itself.
        @Relationship(inverse: \Trip.followers) var leader: Trip?
        var followers: [Trip] = []
        init(name: String) { self.name = name }
    }

    @Model final class Stop {
        #Unique<Stop>([\.title, \.trip])
        var title: String
        var trip: Trip?
        init(title: String) { self.title = title }
    }

    @Model final class Guest {
        var name: String
        @Relationship(inverse: \Trip.guests) var trips: [Trip] = []
        @Relationship(deleteRule: .deny, inverse: nil) var favourite: Trip?
        init(name: String) { self.name = name }
    }

    @Model final class Place {
        var city: String
        var trip: Trip?
        init(city: String) { self.city = city }
    }

    @Model final class Note {
        var text: String
        init(text: String) { self.text = text }
    }

    @Model class Vehicle {
        /// One way, out of a hierarchy.
        @Relationship(.ordered, deleteRule: .nullify, inverse: nil) var trips: [Trip] = []
        init() {}
    }

    @Model final class Car: Vehicle {
        var plate: String?
        /// Required.
        @Relationship(inverse: nil) var owner: Guest
        init(owner: Guest) {
            self.owner = owner
            super.init()
        }
    }
}

enum OwnedV2: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] {
        [Trip.self, Stop.self, Guest.self, Place.self, Note.self, Vehicle.self, Car.self]
    }

    @Model final class Trip {
        #Unique<Trip>([\.name, \.leader])
        #Index<Trip>([\.leader])
        var name: String
        var days: Int = 1
        var stops: [Stop] = []
        var guests: [Guest] = []
        @Relationship(deleteRule: .cascade, inverse: \Place.trip) var place: Place?
        @Relationship(deleteRule: .cascade, inverse: nil) var notes: [Note] = []
        @Relationship(inverse: \Trip.followers) var leader: Trip?
        var followers: [Trip] = []
        init(name: String) { self.name = name }
    }

    @Model final class Stop {
        #Unique<Stop>([\.title, \.trip])
        var title: String
        var trip: Trip?
        init(title: String) { self.title = title }
    }

    @Model final class Guest {
        var name: String
        @Relationship(inverse: \Trip.guests) var trips: [Trip] = []
        @Relationship(deleteRule: .deny, inverse: nil) var favourite: Trip?
        init(name: String) { self.name = name }
    }

    @Model final class Place {
        var city: String
        var trip: Trip?
        init(city: String) { self.city = city }
    }

    @Model final class Note {
        var text: String
        init(text: String) { self.text = text }
    }

    @Model class Vehicle {
        @Relationship(.ordered, deleteRule: .nullify, inverse: nil) var trips: [Trip] = []
        init() {}
    }

    @Model final class Car: Vehicle {
        var plate: String?
        @Relationship(inverse: nil) var owner: Guest
        init(owner: Guest) {
            self.owner = owner
            super.init()
        }
    }
}

/// Version 1, with nothing of its own but trips.
enum BorrowedV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { OwnedV2.models.replacing(Trip.self) }

    @Model final class Trip {
        #Unique<Trip>([\.name, \.leader])
        #Index<Trip>([\.leader])
        var name: String
        var stops: [OwnedV2.Stop] = []
        var guests: [OwnedV2.Guest] = []
        @Relationship(deleteRule: .cascade, inverse: \OwnedV2.Place.trip) var place: OwnedV2.Place?
        @Relationship(deleteRule: .cascade, inverse: nil) var notes: [OwnedV2.Note] = []
        @Relationship(inverse: \Trip.followers) var leader: Trip?
        var followers: [Trip] = []
        init(name: String) { self.name = name }
    }
}

/// A superclass is replaced, and its subclass is not.
enum BorrowedSubclassV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { OwnedV2.models.replacing(Vehicle.self) }

    @Model class Vehicle {
        init() {}
    }
}
