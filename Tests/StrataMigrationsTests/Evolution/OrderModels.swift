import StrataModels

/// Trips with stops and guests whose order is stored, or is not.
enum OrderModels {
    enum Unordered {
        @Model class Trip {
            var name: String
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            @Relationship(inverse: \Guest.trips) var guests: [Guest] = []
            @Relationship(inverse: nil) var notes: [Note] = []
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
        @Model class Guest {
            var name: String
            var trips: [Trip] = []
            init(name: String) { self.name = name }
        }
        @Model class Note {
            var text: String
            init(text: String) { self.text = text }
        }
    }

    enum Ordered {
        @Model class Trip {
            var name: String
            @Relationship(.ordered, inverse: \Stop.trip) var stops: [Stop] = []
            @Relationship(.ordered, inverse: \Guest.trips) var guests: [Guest] = []
            @Relationship(.ordered, inverse: nil) var notes: [Note] = []
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
        @Model class Guest {
            var name: String
            @Relationship(.ordered) var trips: [Trip] = []
            init(name: String) { self.name = name }
        }
        @Model class Note {
            var text: String
            init(text: String) { self.text = text }
        }
    }

    enum Renamed {
        @Model class Trip {
            var name: String
            @Relationship(.ordered, originalName: "stops", inverse: \Stop.trip) var halts: [Stop] = []
            @Relationship(.ordered, inverse: \Guest.trips) var guests: [Guest] = []
            @Relationship(.ordered, inverse: nil) var notes: [Note] = []
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
        @Model class Guest {
            var name: String
            @Relationship(.ordered) var trips: [Trip] = []
            init(name: String) { self.name = name }
        }
        @Model class Note {
            var text: String
            init(text: String) { self.text = text }
        }
    }

    static let unordered: [any PersistentModel.Type] = [
        Unordered.Trip.self, Unordered.Stop.self, Unordered.Guest.self, Unordered.Note.self,
    ]
    static let ordered: [any PersistentModel.Type] = [
        Ordered.Trip.self, Ordered.Stop.self, Ordered.Guest.self, Ordered.Note.self,
    ]
    static let renamed: [any PersistentModel.Type] = [
        Renamed.Trip.self, Renamed.Stop.self, Renamed.Guest.self, Renamed.Note.self,
    ]

    /// Two trips with their stops, guests and notes, in an order that is not that of the keys.
    static let rows = [
        "INSERT INTO trip (pk, name) VALUES (1, 'a'), (2, 'b')",
        "INSERT INTO stop (pk, title, trip) VALUES (3, 'z', 1), (1, 'x', 1), (2, 'y', 2), (4, 'w', NULL)",
        "INSERT INTO guest (pk, name) VALUES (1, 'g'), (2, 'h')",
        "INSERT INTO note (pk, text, trip_notes) VALUES (2, 'n', 1), (1, 'm', 1)",
        "INSERT INTO guest_trips (guest_pk, trip_pk) VALUES (2, 1), (1, 1), (2, 2)",
    ]
    static let positions = [
        "UPDATE stop SET stops_position = 10 - pk", "UPDATE note SET notes_position = 5 - pk",
        "UPDATE guest_trips SET guests_position = guest_pk, trips_position = 7 - trip_pk",
    ]
}
