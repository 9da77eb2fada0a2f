import StrataModels

/// Trips and stops, related in every way there is.
enum LinkModels {
    enum None {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            init(title: String) { self.title = title }
        }
    }
    enum ToOne {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            @Relationship(inverse: nil) var trip: Trip?
            init(title: String) { self.title = title }
        }
    }
    enum Required {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            @Relationship(inverse: nil) var trip: Trip
            init(title: String, trip: Trip) {
                self.title = title
                self.trip = trip
            }
        }
    }
    enum Renamed {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            @Relationship(originalName: "trip", inverse: nil) var journey: Trip?
            init(title: String) { self.title = title }
        }
    }
    enum Many {
        @Model class Trip {
            var name: String
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
    }
    enum Cascade {
        @Model class Trip {
            var name: String
            @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
    }
    enum Deny {
        @Model class Trip {
            var name: String
            @Relationship(deleteRule: .deny, inverse: \Stop.trip) var stops: [Stop] = []
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
    }
    enum NoAction {
        @Model class Trip {
            var name: String
            @Relationship(deleteRule: .noAction, inverse: \Stop.trip) var stops: [Stop] = []
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
    }
    enum Hidden {
        @Model class Trip {
            var name: String
            @Relationship(inverse: nil) var stops: [Stop] = []
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            init(title: String) { self.title = title }
        }
    }
    enum Pairs {
        @Model class Trip {
            var name: String
            @Relationship(inverse: \Stop.trips) var stops: [Stop] = []
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            @Relationship(originalName: "trip") var trips: [Trip] = []
            init(title: String) { self.title = title }
        }
    }
    enum OneToOne {
        @Model class Trip {
            var name: String
            @Relationship(inverse: \Stop.trip) var stop: Stop?
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            @Relationship(originalName: "trips") var trip: Trip?
            init(title: String) { self.title = title }
        }
    }

    enum Holds {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            @Relationship(inverse: nil) var trips: [Trip] = []
            init(title: String) { self.title = title }
        }
    }

    static let trips = "INSERT INTO trip (pk, name) VALUES (1, 'Rome'), (2, 'Oslo')"
    static let stops = "INSERT INTO stop (pk, title) VALUES (1, 'a'), (2, 'b'), (3, 'c')"
    static let unrelated = [trips, stops]
    static let toOne = [trips, "INSERT INTO stop (pk, title, trip) VALUES (1, 'a', 1), (2, 'b', 1), (3, 'c', NULL)"]
    static let alone = [trips, "INSERT INTO stop (pk, title, trip) VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', NULL)"]
    static let hidden = [
        trips, "INSERT INTO stop (pk, title, trip_stops) VALUES (1, 'a', 1), (2, 'b', 1), (3, 'c', NULL)",
    ]
    static let pairs = [trips, stops, "INSERT INTO stop_trips (stop_pk, trip_pk) VALUES (1, 1), (2, 1)"]
    static let manyPairs = [trips, stops, "INSERT INTO stop_trips (stop_pk, trip_pk) VALUES (1, 1), (1, 2), (2, 1)"]
}
