import StrataModels

/// Trips with subclasses and with relationships of every kind, on every level.
enum RelatedModels {
    /// Two levels, each with what other tables refer to and with what is unique.
    enum Short {
        @Model class Trip {
            @Attribute(.unique) var code: String?
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Business: Trip {
            @Attribute(.unique) var number: Int?
            @Relationship(inverse: \Bill.trip) var bills: [Bill] = []
            @Relationship(inverse: \Guest.trips) var guests: [Guest] = []
        }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
        @Model class Bill {
            var trip: Business?
            init() {}
        }
        @Model class Guest {
            var trips: [Business] = []
            init() {}
        }
    }
    /// A class in between takes the unique number and the bills.
    enum Long {
        @Model class Trip {
            @Attribute(.unique) var code: String?
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Paid: Trip {
            @Attribute(.unique) var number: Int?
            @Relationship(inverse: \Bill.trip) var bills: [Bill] = []
        }
        @Model class Business: Paid {
            @Relationship(inverse: \Guest.trips) var guests: [Guest] = []
        }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
        @Model class Bill {
            var trip: Paid?
            init() {}
        }
        @Model class Guest {
            var trips: [Business] = []
            init() {}
        }
    }
    /// Everything by another name at once.
    enum Named {
        @Model class Journey {
            @Attribute(.unique, originalName: "code") var sign: String?
            @Relationship(originalName: "stops", inverse: \Stop.journey) var halts: [Stop] = []
            init() {}
        }
        @Model class Work: Journey {
            @Attribute(.unique, originalName: "number") var order: Int?
            @Relationship(originalName: "bills", inverse: \Bill.work) var costs: [Bill] = []
            @Relationship(originalName: "guests", inverse: \Guest.works) var people: [Guest] = []
        }
        @Model class Stop {
            @Relationship(originalName: "trip") var journey: Journey?
            init() {}
        }
        @Model class Bill {
            @Relationship(originalName: "trip") var work: Work?
            init() {}
        }
        @Model class Guest {
            @Relationship(originalName: "trips") var works: [Work] = []
            init() {}
        }
    }
    /// Only the classes have another name.
    enum Classes {
        @Model class Journey {
            @Attribute(.unique) var code: String?
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Work: Journey {
            @Attribute(.unique) var number: Int?
            @Relationship(inverse: \Bill.trip) var bills: [Bill] = []
            @Relationship(inverse: \Guest.trips) var guests: [Guest] = []
        }
        @Model class Stop {
            var trip: Journey?
            init() {}
        }
        @Model class Bill {
            var trip: Work?
            init() {}
        }
        @Model class Guest {
            var trips: [Work] = []
            init() {}
        }
    }
    /// The classes stand alone.
    enum Apart {
        @Model class Trip {
            @Attribute(.unique) var code: String?
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Business {
            @Attribute(.unique) var code: String?
            @Attribute(.unique) var number: Int?
            @Relationship(inverse: \Bill.trip) var bills: [Bill] = []
            @Relationship(inverse: \Guest.trips) var guests: [Guest] = []
            init() {}
        }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
        @Model class Bill {
            var trip: Business?
            init() {}
        }
        @Model class Guest {
            var trips: [Business] = []
            init() {}
        }
    }
    /// One class has all.
    enum One {
        @Model class Trip {
            @Attribute(.unique) var code: String?
            @Attribute(.unique) var number: Int?
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            @Relationship(inverse: \Bill.trip) var bills: [Bill] = []
            @Relationship(inverse: \Guest.trips) var guests: [Guest] = []
            init() {}
        }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
        @Model class Bill {
            var trip: Trip?
            init() {}
        }
        @Model class Guest {
            var trips: [Trip] = []
            init() {}
        }
    }
    /// Hidden columns, a one-to-one and a required to-one, and their other names.
    enum Hidden {
        @Model class Trip {
            @Relationship(inverse: nil) var stops: [Stop] = []
            @Relationship(inverse: \Pass.trip) var pass: Pass?
            init() {}
        }
        @Model class Business: Trip { @Relationship(inverse: nil) var bills: [Stop] = [] }
        @Model class Stop { init() {} }
        @Model class Pass {
            var trip: Trip
            init(trip: Trip) { self.trip = trip }
        }
    }
    enum HiddenNamed {
        @Model class Journey {
            @Relationship(originalName: "stops", inverse: nil) var halts: [Stop] = []
            @Relationship(originalName: "pass", inverse: \Pass.journey) var ticket: Pass?
            init() {}
        }
        @Model class Work: Journey { @Relationship(originalName: "bills", inverse: nil) var costs: [Stop] = [] }
        @Model class Stop { init() {} }
        @Model class Pass {
            @Relationship(originalName: "trip") var journey: Journey
            init(journey: Journey) { self.journey = journey }
        }
    }

    static let links = [
        "INSERT INTO stop (pk, trip) VALUES (21, 1), (22, 2), (23, NULL)",
        "INSERT INTO bill (pk, trip) VALUES (31, 2), (32, 2), (33, NULL)", "INSERT INTO guest (pk) VALUES (41), (42)",
    ]
    static let trips = [
        "INSERT INTO trip (pk, class, code) VALUES (1, 'Trip', 'a'), (2, 'Business', 'b'), (3, 'Business', NULL)"
    ]
    static let short =
        trips + ["INSERT INTO business (pk, number) VALUES (2, 7), (3, 8)"] + links
        + ["INSERT INTO business_guests (business_pk, guest_pk) VALUES (2, 41), (3, 41), (3, 42)"]
    static let long =
        trips
        + ["INSERT INTO paid (pk, number) VALUES (2, 7), (3, 8)", "INSERT INTO business (pk) VALUES (2), (3)"] + links
        + ["INSERT INTO business_guests (business_pk, guest_pk) VALUES (2, 41), (3, 41), (3, 42)"]
    static let apart =
        [
            "INSERT INTO trip (pk, code) VALUES (1, 'a')",
            "INSERT INTO business (pk, code, number) VALUES (2, 'b', 7), (3, NULL, 8)",
        ] + links.map { $0.replacing("(22, 2)", with: "(22, 1)") } + [
            "INSERT INTO business_guests (business_pk, guest_pk) VALUES (2, 41), (3, 41), (3, 42)"
        ]
    static let hidden = [
        "INSERT INTO trip (pk, class) VALUES (1, 'Trip'), (2, 'Business')", "INSERT INTO business (pk) VALUES (2)",
        "INSERT INTO stop (pk, trip_stops, business_bills) VALUES (21, 1, 2), (22, 2, NULL), (23, NULL, NULL)",
        "INSERT INTO pass (pk, trip) VALUES (51, 2)",
    ]

    /// All links, one a row; `names` stand for what other versions call tables and columns.
    static func links(_ names: [String: String] = [:]) -> String {
        var text = """
            SELECT 'stop' AS kind, pk, trip FROM stop UNION ALL SELECT 'bill', pk, trip FROM bill
            UNION ALL SELECT 'guest', business_pk, guest_pk FROM business_guests ORDER BY 1, 2, 3
            """
        for (name, other) in names { text = text.replacing(name, with: other) }
        return text
    }
    static let allLinks = [
        "bill|31|2", "bill|32|2", "bill|33|nil", "guest|2|41", "guest|3|41", "guest|3|42", "stop|21|1", "stop|22|2",
        "stop|23|nil",
    ]
}
