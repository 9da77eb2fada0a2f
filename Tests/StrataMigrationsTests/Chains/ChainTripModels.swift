import StrataModels

/// Trips with stops, as a hierarchy in several shapes that are one declared change apart.
enum ChainTripModels {
    enum Flat {
        @Model class Trip {
            var name: String
            var code: Int
            var perdiem: Double?
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            init(name: String, code: Int) { (self.name, self.code) = (name, code) }
        }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
    }
    enum Split {
        @Model class Trip {
            var name: String
            var code: Int
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            init(name: String, code: Int) { (self.name, self.code) = (name, code) }
        }
        @Model class BusinessTrip: Trip {
            var perdiem: Double?
        }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
    }
    enum Leaf {
        @Model class Trip {
            var name: String
            var code: Int
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            init(name: String, code: Int) { (self.name, self.code) = (name, code) }
        }
        @Model class BusinessTrip: Trip {
            var perdiem: Double?
            var purpose: String = "none"
        }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
    }
    enum Middle {
        @Model class Trip {
            var name: String
            var code: Int
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            init(name: String, code: Int) { (self.name, self.code) = (name, code) }
        }
        @Model class PaidTrip: Trip {
            var perdiem: Double?
        }
        @Model class BusinessTrip: PaidTrip {
            var purpose: String = "none"
        }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
    }
    enum Raised {
        @Model class Trip {
            #Unique<Trip>([\.name])
            var name: String
            var code: Int
            var perdiem: Double?
            @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
            init(name: String, code: Int) { (self.name, self.code) = (name, code) }
        }
        @Model class BusinessTrip: Trip {
            var purpose: String = "none"
        }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
    }
    enum Renamed {
        @Model class Journey {
            #Index<Journey>([\.label])
            @Attribute(originalName: "name") var label: String
            var code: Int
            @Relationship(inverse: \Stop.journey) var stops: [Stop] = []
            init(label: String, code: Int) { (self.label, self.code) = (label, code) }
        }
        @Model class WorkJourney: Journey {
            var perdiem: Double?
        }
        @Model class Stop {
            var title: String
            @Relationship(originalName: "trip") var journey: Journey?
            init(title: String) { self.title = title }
        }
    }
}
