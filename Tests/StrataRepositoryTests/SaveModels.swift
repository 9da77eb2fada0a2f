import Foundation
import StrataModels

/// Models in which everything that a save has to order occurs.
enum SaveModels {
    static let schema = Schema(
        Trip.self, BusinessTrip.self, Item.self, Lodging.self, Guest.self, City.self, Country.self, Note.self,
        Badge.self,
        Company.self)

    @Model class Trip {
        #Unique<Trip>([\.name])
        var name: String
        var destination: String?
        var days: Int
        @Relationship(deleteRule: .cascade, inverse: \Item.trip) var items: [Item] = []
        @Relationship(deleteRule: .nullify, inverse: \Lodging.trip) var lodging: Lodging?
        @Relationship(inverse: \Guest.trips) var guests: [Guest] = []
        /// Without an inverse: a hidden column of the notes.
        @Relationship(deleteRule: .nullify, inverse: nil) var notes: [Note] = []

        init(_ name: String, destination: String? = nil, days: Int = 1) {
            self.name = name
            self.destination = destination
            self.days = days
        }
    }

    @Model final class BusinessTrip: Trip {
        #Unique<BusinessTrip>([\.code])
        var code: String?
        var company: Company?
        var perdiem: Double = 0
        var tags: [String] = []
    }

    /// Its trips go with it, and their foreign key stands in a subclass's table.
    @Model final class Company {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \BusinessTrip.company) var trips: [BusinessTrip] = []
        init(_ name: String) { self.name = name }
    }

    struct Place: Codable, Equatable { var latitude: Double }

    @Model final class Item {
        var title: String
        var trip: Trip?
        var place: Place?
        var amount: Decimal?
        @Attribute(.externalStorage) var photo: Data?
        @Attribute(.ephemeral) var isSelected = false
        init(_ title: String, trip: Trip? = nil) {
            self.title = title
            self.trip = trip
        }
    }

    @Model final class Lodging {
        var name: String
        var trip: Trip?
        init(_ name: String) { self.name = name }
    }

    @Model final class Guest {
        var name: String
        var trips: [Trip] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Note {
        var text: String
        init(_ text: String) { self.text = text }
    }

    /// City and country refer to each other; a city refers to cities.
    @Model final class City {
        var name: String
        @Relationship(inverse: nil) var country: Country
        @Relationship(inverse: nil) var twin: City?
        init(_ name: String, country: Country) {
            self.name = name
            self.country = country
        }
    }

    @Model final class Country {
        var name: String
        @Relationship(inverse: nil) var capital: City?
        @Relationship(deleteRule: .deny, minimumModelCount: 1, maximumModelCount: 2, inverse: \Badge.country)
        var badges: [Badge]?
        init(_ name: String) { self.name = name }
    }

    @Model final class Badge {
        var number: Int16
        var country: Country?
        init(_ number: Int16) { self.number = number }
    }
}
