import StrataModels

/// Trips that lead to places, towns or guides, by relationships of every kind.
enum TargetModels {
    enum ToPlace {
        @Model class Trip {
            var name: String = ""
            @Relationship(inverse: nil) var goal: Place?
            init() {}
        }
        @Model class Place {
            var name: String = ""
            init() {}
        }
        @Model class Town: Place { var mayor: String? }
        @Model class Guide {
            var name: String = ""
            init() {}
        }
    }
    enum ToTown {
        @Model class Trip {
            var name: String = ""
            @Relationship(inverse: nil) var goal: Town?
            init() {}
        }
        @Model class Place {
            var name: String = ""
            init() {}
        }
        @Model class Town: Place { var mayor: String? }
        @Model class Guide {
            var name: String = ""
            init() {}
        }
    }
    enum ToGuide {
        @Model class Trip {
            var name: String = ""
            @Relationship(inverse: nil) var goal: Guide?
            init() {}
        }
        @Model class Place {
            var name: String = ""
            init() {}
        }
        @Model class Town: Place { var mayor: String? }
        @Model class Guide {
            var name: String = ""
            init() {}
        }
    }
    enum PlaceTrips {
        @Model class Trip {
            var name: String = ""
            var goal: Place?
            init() {}
        }
        @Model class Place {
            var name: String = ""
            @Relationship(inverse: \Trip.goal) var trips: [Trip] = []
            init() {}
        }
        @Model class Town: Place { var mayor: String? }
    }
    enum TownTrips {
        @Model class Trip {
            var name: String = ""
            var goal: Town?
            init() {}
        }
        @Model class Place {
            var name: String = ""
            init() {}
        }
        @Model class Town: Place {
            var mayor: String?
            @Relationship(inverse: \Trip.goal) var trips: [Trip] = []
        }
    }
    enum HiddenPlaces {
        @Model class Trip {
            var name: String = ""
            @Relationship(inverse: nil) var goals: [Place] = []
            init() {}
        }
        @Model class Place {
            var name: String = ""
            init() {}
        }
        @Model class Town: Place { var mayor: String? }
    }
    enum HiddenTowns {
        @Model class Trip {
            var name: String = ""
            @Relationship(inverse: nil) var goals: [Town] = []
            init() {}
        }
        @Model class Place {
            var name: String = ""
            init() {}
        }
        @Model class Town: Place { var mayor: String? }
    }
    enum PairedPlaces {
        @Model class Trip {
            var name: String = ""
            @Relationship(inverse: \Place.trips) var goals: [Place] = []
            init() {}
        }
        @Model class Place {
            var name: String = ""
            var trips: [Trip] = []
            init() {}
        }
        @Model class Town: Place { var mayor: String? }
    }
    enum PairedTowns {
        @Model class Trip {
            var name: String = ""
            @Relationship(inverse: \Town.trips) var goals: [Town] = []
            init() {}
        }
        @Model class Place {
            var name: String = ""
            init() {}
        }
        @Model class Town: Place {
            var mayor: String?
            var trips: [Trip] = []
        }
    }
    /// Places hold their trips without the trips' knowledge: the owner is a class with a subclass.
    enum PlaceHolds {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Place {
            var name: String = ""
            @Relationship(inverse: nil) var trips: [Trip] = []
            init() {}
        }
        @Model class Town: Place { var mayor: String? }
    }
    enum TownHolds {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Place {
            var name: String = ""
            init() {}
        }
        @Model class Town: Place {
            var mayor: String?
            @Relationship(inverse: nil) var trips: [Trip] = []
        }
    }

    static let places = [
        "INSERT INTO place (pk, class, name) VALUES (1, 'Place', 'Alps'), (2, 'Town', 'Rome'), (3, 'Town', 'Oslo')",
        "INSERT INTO town (pk, mayor) VALUES (2, 'Numa'), (3, NULL)",
    ]
    static func goals(_ list: Int?...) -> [String] {
        places
            + list.enumerated().map {
                "INSERT INTO trip (pk, name, goal) VALUES (\($0 + 1), 't', \($1.map { "\($0)" } ?? "NULL"))"
            }
    }
    static let trips = "INSERT INTO trip (pk, name) VALUES (1, 't'), (2, 't'), (3, 't')"
}
