import StrataModels

/// Trips with subclasses, in the shapes that hierarchies change between.
enum DeepModels {
    enum Noted {
        @Model class Trip {
            var name: String
            var note: String?
            init(name: String) { self.name = name }
        }
        @Model class Business: Trip { var perdiem: Double? }
        @Model class Personal: Trip { var reason: String = "" }
    }
    enum NotedBelow {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Business: Trip {
            var perdiem: Double?
            var note: String?
        }
        @Model class Personal: Trip {
            var reason: String = ""
            var note: String?
        }
    }
    enum Plain {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Business: Trip { var perdiem: Double? }
        @Model class Personal: Trip { var reason: String = "" }
    }
    enum Middle {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Paid: Trip { var days: Int = 1 }
        @Model class Business: Paid { var perdiem: Double? }
        @Model class Personal: Paid { var reason: String = "" }
    }
    enum Flat {
        @Model class Trip {
            var name: String
            var perdiem: Double?
            var reason: String?
            init(name: String) { self.name = name }
        }
    }
    enum Apart {
        @Model class Business {
            var name: String
            var perdiem: Double?
            init(name: String) { self.name = name }
        }
        @Model class Personal {
            var name: String
            var reason: String = ""
            init(name: String) { self.name = name }
        }
    }
    enum Work {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class WorkTrip: Trip { var perdiem: Double? }
        @Model class Personal: Trip { var reason: String = "" }
    }
    enum UnderPaid {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Paid: Trip { var cost: Int = 0 }
        @Model class Free: Trip { var sponsor: String = "" }
        @Model class Business: Paid { var purpose: String = "" }
    }
    enum UnderFree {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Paid: Trip { var cost: Int = 0 }
        @Model class Free: Trip { var sponsor: String = "" }
        @Model class Business: Free { var purpose: String = "" }
    }
    enum Deep {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Paid: Trip { var cost: Int = 0 }
        @Model class Business: Paid { var purpose: String? }
    }
    enum DeepAbove {
        @Model class Trip {
            var name: String
            var purpose: String?
            init(name: String) { self.name = name }
        }
        @Model class Paid: Trip { var cost: Int = 0 }
        @Model class Business: Paid { var seats: Int = 1 }
    }
    enum CodeAbove {
        @Model class Trip {
            @Attribute(.unique) var code: String?
            init() {}
        }
        @Model class Business: Trip { var perdiem: Double? }
    }
    enum CodeBelow {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Business: Trip {
            var perdiem: Double?
            @Attribute(.unique) var code: String?
        }
    }
    enum IndexAbove {
        @Model class Trip {
            #Index<Trip>([\.code])
            var code: String?
            init() {}
        }
        @Model class Business: Trip { var perdiem: Double? }
    }
    enum IndexBelow {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Business: Trip {
            #Index<Business>([\.code])
            var perdiem: Double?
            var code: String?
        }
    }
    enum PlaceAbove {
        @Model class Place {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Trip {
            var name: String
            @Relationship(inverse: nil) var place: Place?
            init(name: String) { self.name = name }
        }
        @Model class Business: Trip { var perdiem: Double? }
    }
    enum PlaceBelow {
        @Model class Place {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Business: Trip {
            var perdiem: Double?
            @Relationship(inverse: nil) var place: Place?
        }
    }
    enum Whole {
        @Model class Trip {
            var name: String
            var perdiem: Double?
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            init(name: String) { self.name = name }
        }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
    }
    enum Parted {
        @Model class Trip {
            var name: String
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            init(name: String) { self.name = name }
        }
        @Model class Business: Trip { var perdiem: Double? }
        @Model class Stop {
            var title: String
            var trip: Trip?
            init(title: String) { self.title = title }
        }
    }
}
